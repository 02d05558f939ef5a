import type { AnyOperation } from "../contract/catalog.ts";
import { described, firstSentence } from "../contract/schema.ts";

/** Returns the first sentence of an operation's documentation. */
export function sentenceOf({ method }: Pick<AnyOperation, "method">): string {
  return firstSentence(described(`${method.parent.typeName}.${method.name}`).description ?? "");
}
