import type { Message } from "@bufbuild/protobuf";
import type { AnyOperation } from "../contract/catalog.ts";

/** Normalizes and validates the request message. Throws `InvalidRequest`. */
export function validate({ rules }: AnyOperation, message: Message): void {
  rules(message);
}
