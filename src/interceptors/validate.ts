import type { Message } from "@bufbuild/protobuf";
import type { Operation } from "../contract/catalog.ts";

/** Fourth step: brings the request into its normal form and checks it. Throws `InvalidRequest`. */
export function validate({ rules }: Operation, message: Message): void {
  rules(message as never);
}
