import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect, test } from "vitest";
import { catalog } from "../../src/contract/catalog.ts";
import { described, firstSentence } from "../../src/contract/schema.ts";
import { documentFile } from "../support/described.ts";

/** Findings that are only suggestions, and the reason for which they stay. */
const suggestions = [
  // Each installation has its own license.
  "info-license",
  // Shapes that are ready for operations of their kind: gated ones, and those that begin something.
  "no-unused-components",
];

test("Redocly's rules find no error in the document", async () => {
  const config = await createConfig({
    extends: ["recommended"],
    rules: {
      "operation-description": "error",
      "operation-singular-tag": "error",
      "operation-tag-defined": "error",
    },
  });
  const problems = await lintFromString({ source: documentFile("openapi.json"), absoluteRef: "openapi.json", config });
  expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
  const reported = new Set(problems.map(({ ruleId }) => ruleId));
  expect([...reported].filter((rule) => !suggestions.includes(rule))).toEqual([]);
});

test("the first sentence of each operation says in at most 12 words what it does", () => {
  for (const { name, method } of catalog) {
    const sentence = firstSentence(described(`${method.parent.typeName}.${method.name}`).description ?? "");
    expect(sentence.split(/\s+/).length, `${name}: ${sentence}`).toBeLessThanOrEqual(12);
    expect(sentence, name).toMatch(/^[A-Z][a-z-]*s .*\.$/);
  }
});
