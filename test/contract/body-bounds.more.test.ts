import { type DescField, getOption, hasOption } from "@bufbuild/protobuf";
import { field as ruleOption } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { field as fieldOption, LetterCase } from "../../gen/es/ids/options/v1/options_pb.ts";
import { bodyFields, catalog } from "../../src/contract/catalog.ts";
import { exampleOf } from "../../src/contract/example.ts";
import { alternatives } from "../../src/contract/rules/field-rules.ts";
import type { Database } from "../../src/store/database.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { openOnce } from "../support/databases.ts";
import { bodyOf, faultsInBody } from "../support/described.ts";

type Json = Record<string, unknown>;

let database: Database;
let app: TestApp;
let key: string;
beforeAll(async () => {
  database = await openOnce();
  app = await startApp(database);
  key = await app.key("operator");
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

/** Bodies that are rejected for more than their schema. The comments of the contract say so. */
const beyondSchemas = new Set([
  // Not in the past, and not too far away.
  ...["CreateApiKey expiresAt", "CreateFeedUrl expiresAt"],
  // The path of a read, a plan that the service has, an address that it may call.
  ...["CreateFeedUrl path", "CreateAccount plan", "SetSubscription plan", "RegisterWebhook callbackUrl"],
  // Each but once.
  "ImportCompanies companies",
  // Expressions, filters that find something, and what a kind of endpoint takes.
  ...["CreateRule", "UpdateRule", "PreviewRule"].flatMap((operation) =>
    ["changes.condition", "tenders.query", "watchlist.series", "watchlist.searches"].map(
      (member) => `${operation} trigger.${member}`,
    ),
  ),
  // In the range of its figure.
  ...["CreateRule", "UpdateRule", "PreviewRule"].map((operation) => `${operation} trigger.series.threshold`),
  // One of the two.
  ...["PreviewRule ruleId", "PreviewRule trigger"],
  // A watchlist has a digest instead of a preview.
  "PreviewRule trigger.watchlist",
  "CreateEndpoint target",
  // Bytes, which JSON Schema does not count.
  ...["AdmitImpact assessment.rationale", "CorrectImpact assessment.rationale", "RetractImpact rationale"],
  // Moments, in order.
  ...["AdmitImpact assessment.occurredAt", "CorrectImpact assessment.occurredAt"],
  ...["AdmitImpact assessment.evidence[].publishedAt", "CorrectImpact assessment.evidence[].publishedAt"],
]);

/** Members that are checked once the rule is found, which no example names, or after the check for a watchlist. */
const ofKnownRules = new Set([
  ...["changes.datasets", "series.series", "staleness.datasets", "watchlist.chokepoints"].map(
    (member) => `UpdateRule trigger.${member}`,
  ),
  "PreviewRule trigger.watchlist.chokepoints",
]);

const writes = catalog.filter((operation) => !operation.queried && bodyFields(operation).length > 0);

describe.each(writes.map((operation) => [operation.name, operation] as const))("%s", (_name, operation) => {
  const { path, verb } = operation;
  const { schema, example } = bodyOf(path, verb);
  const address = path.replaceAll(/\{\w+\}/g, "wh_000102030405060708090a0b");

  async function violated(body: Json): Promise<string[]> {
    const sendRequest = () => app.get(address, { method: verb, key, body: JSON.stringify(body) });
    let response = await sendRequest();
    if (response.status === 429) {
      // Some have few calls a minute.
      key = await app.key("operator");
      response = await sendRequest();
    }
    expect([401, 413, 429, 500, 503]).not.toContain(response.status);
    if (response.status !== 400) return [];
    const { violations = [] } = (await response.json()) as { violations?: { field: string }[] };
    return violations.map(({ field }) => field.replaceAll(/\[\d+\]/g, "[]"));
  }

  test("its example is as its schema says and breaks no rule", async () => {
    expect(faultsInBody(schema, example)).toEqual([]);
    expect(await violated(example)).toEqual([]);
  });

  // Countries and keys of series have rules that a schema cannot state: other tests check them.
  const tried = bodyFields(operation)
    .flatMap((field) => placesOf(field, "", example))
    .filter(({ at }) => !/(?:countries|iso2|series\.keys)$/.test(at));
  test.each(tried.map((place) => [place.at, place] as const))(
    "%s: what its schema refuses is refused, and nothing else",
    async (at, { values, changed }) => {
      const differences: string[] = [];
      for (const value of new Set(values)) {
        const body = changed(value);
        const shown = faultsInBody(schema, body).some((fault) => fault === at || fault === `${at}[]`);
        const enforced = (await violated(body)).some((field) => field === at || field === `${at}[]`);
        const excused = enforced ? beyondSchemas : ofKnownRules;
        if (shown !== enforced && !excused.has(`${operation.name} ${at}`))
          differences.push(`${String(JSON.stringify(value)).slice(0, 60)} is ${enforced ? "refused" : "taken"}`);
      }
      expect(differences).toEqual([]);
    },
  );
});

interface Place {
  /** `companies[].name`. */
  readonly at: string;
  /** To be tried there; `undefined` leaves the member out. */
  readonly values: readonly unknown[];
  readonly changed: (value: unknown) => Json;
}

/** A field of a body and those below it. */
function placesOf(field: DescField, prefix: string, given: Json): Place[] {
  const at = `${prefix}${field.jsonName}`;
  const example = withAlternative(field, prefix, given);
  const place = {
    at,
    values: valuesOf(field, at, example),
    changed: (value: unknown) => withValue(example, at, value),
  };
  if (!field.message || field.message.typeName.startsWith("google.")) return [place];
  const below = field.fieldKind === "list" ? `${at}[].` : `${at}.`;
  return [place, ...field.message.fields.flatMap((each) => placesOf(each, below, example))];
}

/** Of alternatives an example has the first: another one takes its place. */
function withAlternative(field: DescField, prefix: string, example: Json): Json {
  const { name, jsonName, parent, message } = field;
  const isOther =
    message && alternatives(parent).includes(name) && valueAt(example, `${prefix}${jsonName}`) === undefined;
  if (!isOther) return example;
  const value = { [jsonName]: exampleOf(message) };
  return prefix === "" ? value : withValue(example, prefix.slice(0, -1), value);
}

/** Values about each number that the rules name, and texts of many kinds. */
function valuesOf(field: DescField, at: string, example: Json): unknown[] {
  const limits = numbersIn(hasOption(field, ruleOption) ? getOption(field, ruleOption) : {});
  const given = valueAt(example, at);
  if (field.fieldKind === "list") {
    const [item = "keys:read"] = Array.isArray(given) ? given : [];
    const lists = limits.filter((limit) => limit <= 300).flatMap((limit) => [limit, limit + 1]);
    const many = (count: number) =>
      Array.from({ length: count }, (_, place) => (place === 0 ? item : another(item, place)));
    const texts = typeof item === "string" ? textsOf(limits, item).filter((text) => !isSameWord(text, item)) : [];
    return [undefined, [], [item], [item, item], ...lists.map(many), ...texts.map((text) => [text])];
  }
  if (field.message) return [undefined, given];
  if (field.enum) return [undefined, ...field.enum.values.map(({ name }) => name), "NONSENSE"];
  if (typeof given === "boolean") return [undefined, true, false];
  if (typeof given === "number") {
    const step = Number.isInteger(given) && limits.every(Number.isInteger) ? 1 : 1e-6;
    const about = [0, ...limits].flatMap((limit) => [limit - step, limit, limit + step]);
    return [undefined, given, -1, ...about.filter((value) => step < 1 || Number.isSafeInteger(value))];
  }
  const texts = textsOf(limits, String(given ?? ""));
  // Codes lose the white space about them.
  const isCode = getOption(field, fieldOption).letterCase !== LetterCase.UNSPECIFIED;
  return [undefined, ...texts.filter((text) => !isCode || text === text.trim())];
}

/** Known words in the other case are taken where both are. */
function isSameWord(text: string, item: string): boolean {
  return text !== item && text.trim().toLowerCase() === item.toLowerCase();
}

function textsOf(limits: readonly number[], given: string): string[] {
  const lengths = [
    0,
    1,
    ...limits.filter((limit) => limit <= 10_000).flatMap((limit) => [limit - 1, limit, limit + 1]),
  ];
  const long = lengths
    .filter((length) => length >= 0)
    .flatMap((length) => ["x", "é"].map((letter) => letter.repeat(length)));
  const padded = given === "" ? [] : limits.map((limit) => given.padEnd(limit + 1, given.at(-1)));
  return [given, given.toLowerCase(), given.toUpperCase(), ` ${given}`, `${given} `, ...long, ...padded, ...kinds];
}

const kinds =
  " |\t|A|FR|us|Us|27|-1|a b|a\nb|a:b|a_b:c_d|/api/|/api/x|https://a|http://a.b/c|ftp://a.b|a.b|A1.B|Å|ß|💥".split("|");

/** Every number in a rule, at any depth. */
function numbersIn(rule: unknown): number[] {
  if (typeof rule === "number" || typeof rule === "bigint") return [Number(rule)];
  if (rule === null || typeof rule !== "object") return [];
  const own = Object.entries(rule).filter(([name]) => !name.startsWith("$") && name !== "example");
  return [...new Set(own.flatMap(([, value]) => numbersIn(value)))].filter((value) => Math.abs(value) < 1e15);
}

/** A different item of the same kind. */
function another(item: unknown, place: number): unknown {
  if (typeof item === "string")
    return `${item.slice(0, -1)}${String.fromCharCode(97 + (place % 26))}${place >= 26 ? place : ""}`;
  return structuredClone(item);
}

function valueAt(body: unknown, at: string): unknown {
  return at.split(".").reduce((found: unknown, part) => {
    const value = Object(found)[part.replace("[]", "")];
    return part.endsWith("[]") ? Object(value)[0] : value;
  }, body);
}

function withValue(example: Json, at: string, value: unknown): Json {
  const body = structuredClone(example);
  const parts = at.split(".");
  const last = parts.pop() ?? "";
  const parent = parts.length === 0 ? body : (valueAt(body, parts.join(".")) as Json);
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return body;
}
