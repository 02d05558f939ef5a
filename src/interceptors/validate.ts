import type { Message } from "@bufbuild/protobuf";
import type { AnyOperation } from "../contract/catalog.ts";

/** Normalizes and checks the request. Throws `InvalidRequest`. */
export function validate({ rules }: AnyOperation, message: Message): void {
  rules(message);
}
