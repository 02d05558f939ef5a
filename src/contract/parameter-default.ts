import type { DescField } from "@bufbuild/protobuf";
import { described } from "./schema.ts";

const known = new Map<DescField, string | undefined>();

/** Returns the default of a request field, as its comment words it; undefined if the default selects all rows. */
export function defaultOf(field: DescField): string | undefined {
  if (!known.has(field)) known.set(field, readDefault(field));
  return known.get(field);
}

function readDefault(field: DescField): string | undefined {
  const text = (described(`${field.parent.typeName}.${field.name}`).description ?? "").replaceAll(/\s+/g, " ");
  const [, words = ""] = /\bDefault(?:, also for [^:]+:|:)? (.+?)(?:, also for [^.]*)?\.(?: |$)/.exec(text) ?? [];
  const isAll = /^(?:0|all|any|both|series of all|before|the first page)\b/.test(words);
  return words === "" || isAll ? undefined : words.replaceAll("`", "");
}
