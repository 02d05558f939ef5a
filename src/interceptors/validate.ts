import type { Message } from "@bufbuild/protobuf";
import type { AnyOperation } from "../contract/catalog.ts";

/** Fourth step: brings the request into its normal form and checks it. Throws `InvalidRequest`. */
export function validate({ rules }: AnyOperation, message: Message): void {
  rules(message as never);
}
