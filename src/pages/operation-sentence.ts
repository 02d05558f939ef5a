import type { AnyOperation } from "../contract/catalog.ts";
import { described, firstSentence } from "../contract/schema.ts";

export function sentenceOf({ method }: Pick<AnyOperation, "method">): string {
  return firstSentence(described(`${method.parent.typeName}.${method.name}`).description ?? "");
}
