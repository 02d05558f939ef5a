import fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { toYaml } from "../../src/contract/openapi/yaml.ts";

test("whatever JSON is written as YAML reads as the same", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5, stringUnit: "binary" }), (value) => {
      const written: unknown = JSON.parse(JSON.stringify(value));
      expect(parse(toYaml(value as never))).toEqual(written);
    }),
    { numRuns: 100 },
  );
});

test("what YAML reads as something else stays text", () => {
  const texts = { no: "NO", "1.0": "1.0", null: "null", date: "2026-01-01", list: ["- a", "a: b", "#", ""] };
  expect(parse(toYaml(texts), { version: "1.1" })).toEqual(texts);
});

test("lists and maps stand in blocks, empty ones in their line", () => {
  expect(toYaml({ a: [1, { b: [], c: {} }], d: null })).toBe('"a":\n  - 1\n  -\n    "b": []\n    "c": {}\n"d": null\n');
});
