import type { AnyOperation } from "../contract/catalog.ts";
import { commentOf, firstSentence } from "../contract/schema.ts";

export function sentenceOf({ method }: Pick<AnyOperation, "method">): string {
  return firstSentence(commentOf(method));
}
