import { hash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import {
  type BareItem,
  DisplayString,
  type InnerList,
  type Item,
  parseDictionary,
  parseItem,
  parseList,
  serializeDictionary,
  serializeItem,
  serializeList,
  Token,
} from "structured-headers";
import { describe, expect, test } from "vitest";
import { deprecatedSince } from "../../src/contract/deprecation.ts";
import { startApp } from "../support/app.ts";
import { openOnce } from "../support/databases.ts";

interface Case {
  readonly name: string;
  readonly raw?: readonly string[];
  readonly header_type: "item" | "list" | "dictionary";
  readonly expected?: unknown;
  readonly must_fail?: boolean;
  readonly can_fail?: boolean;
  readonly canonical?: readonly string[];
}

const folder = new URL("../../../shared/suites/structured-fields/", import.meta.url);
const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".json")) : [];
if (files.length === 0) console.warn("No folder with the official cases: THE CASES OF STRUCTURED FIELDS ARE SKIPPED");
const cases = files.flatMap((file) =>
  (JSON.parse(readFileSync(new URL(file, folder), "utf8")) as Case[]).map((each) => ({ ...each, file })),
);

const conformancePage = readFileSync("docs/conformance.md", "utf8");

/** JavaScript writes a decimal without its trailing zero, rounds it otherwise, and has dates of 275,000 years only. */
const knownFailures =
  /^date\.json: syntactic m|^number-generated\.json: .* fractional 0 decimal|^param-.* parameterised|: (?:round .* even|decimal round up)/;

describe.skipIf(files.length === 0)("the library for structured fields", () => {
  test("passes the official cases, except for dates, decimals, and rounding that JavaScript cannot represent", () => {
    const results = [
      ["parsing", cases.filter(({ raw }) => raw), parses],
      ["serializing", cases.filter(({ raw, must_fail: mustFail }) => !raw || !mustFail), serializes],
    ] as const;
    for (const [what, suite, passes] of results) {
      const failed = suite.filter((each) => !passes(each)).map(({ file, name }) => `${file}: ${name}`);
      expect(failed.filter((name) => !knownFailures.test(name))).toEqual([]);
      const figures = [suite.length, suite.length - failed.length, failed.length];
      expect(conformancePage).toContain(`Structured fields (RFC 9651), ${what} | ${figures.join(" | ")} |`);
    }
  });
});

test("the headers of responses that are structured fields can be parsed", async () => {
  const database = await openOnce();
  await using app = await startApp(database);
  await Promise.all([app.refresh("internet-outages"), app.refresh("conflict-events")]);
  const outages = "/api/infrastructure/v1/list-internet-outages";
  const key = await app.key("free");
  const keyed = await app.get(outages, { key, headers: { "Accept-Encoding": "identity" } });
  const fieldOf = (response: Response, name: string) => response.headers.get(name) ?? "";
  const [[policy, quota] = []] = parseList(fieldOf(keyed, "RateLimit"));
  expect([policy, quota]).toEqual(["default", new Map(Object.entries({ r: 29, t: expect.any(Number) }))]);
  const digest = hash("sha256", Buffer.from(await keyed.arrayBuffer()), "buffer");
  const [inHeader] = parseDictionary(fieldOf(keyed, "Repr-Digest")).get("sha-256") ?? [];
  expect(Buffer.from(inHeader as ArrayBuffer).equals(digest)).toBe(true);
  await Promise.all(Array.from({ length: 30 }, () => app.get(outages, { key })));
  const rejected = await app.get(outages, { key });
  expect(parseList(fieldOf(rejected, "RateLimit-Policy"))).toEqual([
    ["default", new Map(Object.entries({ q: 30, w: 60 }))],
  ]);
  const cached = await app.get("/api/conflict/v1/list-conflict-events", { key: null });
  expect(parseDictionary(fieldOf(cached, "CDN-Cache-Control")).get("max-age")).toEqual([expect.any(Number), new Map()]);
  const alias = await app.get("/api/scenario/v1/templates");
  expect(parseItem(fieldOf(alias, "Deprecation"))).toEqual([deprecatedSince, new Map()]);
  await database.close();
});

const parsers = { item: parseItem, list: parseList, dictionary: parseDictionary };

function parses({ raw = [], header_type: type, expected, must_fail: mustFail, can_fail: canFail }: Case): boolean {
  let parsed: unknown;
  try {
    parsed = parsers[type](raw.join(", "));
  } catch {
    return mustFail === true || canFail === true;
  }
  return mustFail !== true && JSON.stringify(noted(parsed)) === JSON.stringify(expected);
}

function serializes({ raw, header_type: type, expected, must_fail: mustFail, canonical = raw }: Case): boolean {
  try {
    const text = serialize(type, expected as never);
    return mustFail !== true && text === (canonical ?? []).join(", ");
  } catch {
    return mustFail === true;
  }
}

function serialize(type: Case["header_type"], value: never): string {
  if (type === "item") return serializeItem(itemOf(value));
  if (type === "list") return serializeList((value as Noted[]).map(memberOf));
  return serializeDictionary(new Map((value as [string, Noted][]).map(([key, member]) => [key, memberOf(member)])));
}

/** The notation of the cases: a value or an inner list, and its parameters. */
type Noted = readonly [value: unknown, parameters: readonly (readonly [string, unknown])[]];

function memberOf(noted: Noted): Item | InnerList {
  const [value] = noted;
  return Array.isArray(value) ? [value.map(itemOf), parametersOf(noted)] : itemOf(noted);
}

function itemOf(noted: Noted): Item {
  return [bareItemOf(noted[0]), parametersOf(noted)];
}

function parametersOf([, parameters]: Noted): Map<string, BareItem> {
  return new Map(parameters.map(([name, value]) => [name, bareItemOf(value)]));
}

function bareItemOf(noted: unknown): BareItem {
  if (typeof noted !== "object" || noted === null) return noted as BareItem;
  const { __type: type, value } = noted as { readonly __type: string; readonly value: never };
  if (type === "token") return new Token(value);
  if (type === "displaystring") return new DisplayString(value);
  return type === "date" ? new Date(value * 1000) : bytesOf(value);
}

/** Converts parsed values to the notation of the cases. */
function noted(value: unknown): unknown {
  if (value instanceof Map) return [...value].map(([name, inner]) => [name, noted(inner)]);
  if (Array.isArray(value)) return value.map(noted);
  if (value instanceof Token) return { __type: "token", value: value.toString() };
  if (value instanceof DisplayString) return { __type: "displaystring", value: value.toString() };
  if (value instanceof Date) return { __type: "date", value: value.getTime() / 1000 };
  if (value instanceof ArrayBuffer) return { __type: "binary", value: base32Of(Buffer.from(value)) };
  return value;
}

const base32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** The cases write bytes in base32 (RFC 4648). */
function base32Of(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const letters = (bits.match(/.{1,5}/g) ?? []).map((five) => base32[Number.parseInt(five.padEnd(5, "0"), 2)]);
  return letters.join("").padEnd(Math.ceil(letters.length / 8) * 8, "=");
}

function bytesOf(text: string): Buffer<ArrayBuffer> {
  const bits = [...text.replaceAll("=", "")].map((letter) => base32.indexOf(letter).toString(2).padStart(5, "0"));
  return Buffer.from((bits.join("").match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
