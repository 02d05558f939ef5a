import { createConfig, lintFromString } from "@redocly/openapi-core";
import spectral, { type RulesetDefinition } from "@stoplight/spectral-core";
import rulesets from "@stoplight/spectral-rulesets";
import { expect, test } from "vitest";
import { catalog } from "../../src/contract/catalog.ts";
import { described, firstSentence } from "../../src/contract/schema.ts";
import { documentFile } from "../support/described.ts";

/** What either of them only suggests, and why it stays. */
const suggestions = {
  // Each installation has its own licence and somebody else who answers for it.
  redocly: ["info-license"],
  spectral: ["info-contact"],
  // Shapes that are ready for operations of their kind: gated ones, and those that begin something.
  both: ["no-unused-components", "oas3-unused-component"],
};

test("Redocly's recommended rules find no error in the document", async () => {
  const config = await createConfig({ extends: ["recommended"] });
  const problems = await lintFromString({ source: documentFile("openapi.json"), absoluteRef: "openapi.json", config });
  expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
  const told = new Set(problems.map(({ ruleId }) => ruleId));
  expect([...told].filter((rule) => ![...suggestions.redocly, ...suggestions.both].includes(rule))).toEqual([]);
});

test("Spectral's rules for OpenAPI find no error in the document", async () => {
  const linter = new spectral.Spectral();
  // Its own type does not say that a set of rules may stand without another below it.
  linter.setRuleset({ extends: [rulesets.oas as RulesetDefinition] });
  const problems = await linter.run(JSON.parse(documentFile("openapi.json")));
  expect(problems.filter(({ severity }) => severity === 0)).toEqual([]);
  const told = new Set(problems.map(({ code }) => String(code)));
  expect([...told].filter((rule) => ![...suggestions.spectral, ...suggestions.both].includes(rule))).toEqual([]);
});

test("the first sentence of each operation says in at most 12 words what it does", () => {
  for (const { name, method } of catalog) {
    const sentence = firstSentence(described(`${method.parent.typeName}.${method.name}`).description ?? "");
    expect(sentence.split(/\s+/).length, `${name}: ${sentence}`).toBeLessThanOrEqual(12);
    expect(sentence, name).toMatch(/^[A-Z][a-z-]*s .*\.$/);
  }
});
