import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { BufferReadingSchema } from "../../../gen/es/ids/stored/v1/buffers_pb.ts";
import { agsiCountries } from "../../../src/domains/supply-chain/agsi-countries.ts";
import { UpstreamError } from "../../../src/errors.ts";
import { checkRows } from "../../../src/ingest/row-check.ts";
import { sampleIndex, sampleUpstream } from "../../../src/upstream/sample.ts";
import type { UpstreamRequest } from "../../../src/upstream/upstream.ts";

const now = new Date("2026-11-18T12:00:00Z");
const captured = new URL("../../../../shared/upstream/agsi/", import.meta.url);
const captive = (file: string): unknown => JSON.parse(readFileSync(new URL(file, captured), "utf8"));
const day = (gasDayStart: string, full: unknown, over: object = {}) => ({
  ...{ name: "Germany", code: "DE", gasDayStart, gasInStorage: "180.1", full, trend: "-0.4", status: "C", ...over },
});
const page = (...data: readonly unknown[]) => ({ last_page: 1, total: data.length, data });
const parse = (...answers: readonly (readonly [string, unknown])[]) =>
  agsiCountries.parse(
    answers.map(([country, answer]) => ({ country, answer })),
    now,
  );

test("of each country the newest day with a level is told", () => {
  const { rows, rejected } = parse(
    ["DE", page(day("2026-11-15", "71.3"), day("2026-11-17", "-"), day("2026-11-16", "70.9"))],
    ["FR", page(day("2026-11-17", "100"))],
  );
  expect(rejected).toEqual([]);
  expect(rows).toEqual([
    {
      ...{ iso2: "DE", commodityId: "lng", kind: "gas_storage_fill", measure: 70.9, asOf: "2026-11-16" },
      detail: "Gas storage fill, gas day 2026-11-16",
    },
    expect.objectContaining({ iso2: "FR", measure: 100 }),
  ]);
});

test("an empty store is measured; a country without stores or without a level is not known", () => {
  const { rows, rejected } = parse(
    ["SE", page(day("2026-11-17", "0.00"))],
    ["IE", page()],
    ["UA", page(day("2026-11-17", "-"), day("2026-11-16", null))],
  );
  expect(rows.map(({ iso2, measure }) => [iso2, measure])).toEqual([["SE", 0]]);
  expect(rejected).toEqual([]);
});

test("a day in another form is rejected by its country", () => {
  const { rows, rejected } = parse(["DE", page(day("2026-11-17", "high"), day("2026-11-16", "70"))]);
  expect(rows).toMatchObject([{ asOf: "2026-11-16" }]);
  expect(rejected).toEqual([{ row: "DE", reason: expect.stringMatching(/full/) }]);
});

test("a negative level breaks the rules of a reading", () => {
  expect(checkRows(BufferReadingSchema, parse(["DE", page(day("2026-11-17", "-3"))]).rows).rejected).toHaveLength(1);
});

test.each([
  ["no day of any country, as for a wrong key,", page(), /no day of any country/],
  ["a complaint", { error: "access denied" }, /format/],
])("%s is a failure of the upstream", (_what, answer, words) => {
  expect(() => parse(["DE", answer], ["FR", answer])).toThrow(UpstreamError);
  expect(() => parse(["DE", answer], ["FR", answer])).toThrow(words);
});

test("each country is asked for, with the key in its header and a pause between", async () => {
  const asked: UpstreamRequest[] = [];
  const pauses: number[] = [];
  await agsiCountries.fetch({
    ...sampleUpstream("none", () => now),
    json: async (request) => asked.push(request),
    variable: () => "k",
    pause: async (milliseconds) => void pauses.push(milliseconds),
  });
  expect(asked[4]).toEqual({ url: "https://agsi.gie.eu/api?country=DE&size=7", headers: { "x-key": "k" } });
  expect(pauses.length).toBe(asked.length - 1);
});

test("the sample yields what it says, all valid, and as of the day before", async () => {
  const { rows, rejected } = agsiCountries.parse(
    await agsiCountries.fetch(sampleUpstream("agsi-countries", () => now)),
    now,
  );
  expect([rows.length, rejected]).toEqual([sampleIndex("agsi-countries")?.rows, []]);
  expect(checkRows(BufferReadingSchema, rows).rejected).toEqual([]);
  expect(rows.find(({ iso2 }) => iso2 === "DE")?.asOf).toBe("2026-11-17");
});

test.skipIf(!existsSync(captured))("the captured answers pass", () => {
  const { rows, rejected } = parse(
    ["DE", captive("api-country-DE-2026-08-13.json")],
    ["FR", captive("api-page-FR-60days.reconstructed.json")],
    ["IE", captive("api-empty-data.json")],
  );
  expect(rejected).toEqual([]);
  expect(rows).toMatchObject([{ iso2: "DE", measure: 49.14, asOf: "2026-08-13" }, { iso2: "FR" }]);
});
