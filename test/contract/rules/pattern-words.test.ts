import type { DescMessage } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { catalog } from "../../../src/contract/catalog.ts";
import { fieldRules } from "../../../src/contract/rules/field-rules.ts";
import { patternWords } from "../../../src/contract/rules/pattern-words.ts";

/** Every pattern that a request is checked against. */
function patternsOf(message: DescMessage, seen = new Set<DescMessage>()): string[] {
  if (seen.has(message)) return [];
  seen.add(message);
  return message.fields.flatMap((field) => {
    const rules = fieldRules(field)?.type;
    const type = rules?.case === "repeated" ? rules.value.items?.type : rules;
    const own = type?.case === "string" && type.value.pattern !== "" ? [type.value.pattern] : [];
    return [...own, ...(field.message ? patternsOf(field.message, seen) : [])];
  });
}

test("every pattern of a request has words, so that no error shows a regular expression, and no other has", () => {
  const patterns = new Set(catalog.flatMap(({ method }) => patternsOf(method.input)));
  const place = "src/contract/rules/pattern-words.ts";
  expect(
    [...patterns].filter((pattern) => !patternWords.has(pattern)),
    `without words in ${place}`,
  ).toEqual([]);
  expect(
    [...patternWords.keys()].filter((pattern) => !patterns.has(pattern)),
    `in no request any more, but in ${place}`,
  ).toEqual([]);
  for (const words of patternWords.values()) expect(words).not.toMatch(/[\\^$[\]{}]/);
});
