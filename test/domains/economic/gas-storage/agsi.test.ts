import { existsSync, readFileSync } from "node:fs";
import { create } from "@bufbuild/protobuf";
import { createValidator } from "@bufbuild/protovalidate";
import { expect, test } from "vitest";
import { EuGasStorageDaySchema } from "../../../../gen/es/ids/economic/v1/economic_pb.ts";
import { agsi } from "../../../../src/domains/economic/gas-storage/eu-gas-storage.ts";
import { UpstreamError } from "../../../../src/egress/upstream-error.ts";
import { checkRows } from "../../../../src/ingest/refresh/fetch.ts";
import { sampleIndex, sampleUpstream } from "../../../../src/upstream/sample/sample.ts";
import type { UpstreamRequest } from "../../../../src/upstream/upstream.ts";

const now = new Date("2026-11-18T12:00:00Z");
const captured = new URL("../../../../../shared/upstream/agsi/", import.meta.url);
const captive = (file: string): unknown => JSON.parse(readFileSync(new URL(file, captured), "utf8"));

const day = (gasDayStart: string, over: object = {}) => ({
  ...{
    name: "EU",
    code: "eu",
    gasDayStart,
    gasInStorage: "720.5",
    full: "62.40",
    trend: "0.31",
    status: "E",
    info: [],
  },
  ...over,
});
const parse = (response: unknown) => agsi.parse(response, now);

test("a gas day becomes its level and its gas in terawatt-hours", () => {
  expect(parse({ data: [day("2026-07-12")] })).toEqual({
    rows: [{ date: "2026-07-12", fillPct: 62.4, gasTwh: 720.5 }],
    rejected: [],
  });
});

test.each([
  ["a list under data", { last_page: 1, data: [day("2026-07-12")] }],
  ["a bare list", [day("2026-07-12")]],
  ["a single day", day("2026-07-12")],
])("the answer may be %s", (_title, response) => {
  expect(parse(response).rows).toHaveLength(1);
});

test.each(["-", "", null])("a day whose level is %j is passed over", (full) => {
  const { rows, rejected } = parse([day("2026-07-12", { full }), day("2026-07-11")]);
  expect(rows.map(({ date }) => date)).toEqual(["2026-07-11"]);
  expect(rejected).toEqual([]);
});

test.each([
  ["no field for its level", { full: undefined }, /full/],
  ["a word for a level", { full: "high" }, /full/],
  ["no gas with its level", { gasInStorage: "-" }, /gasInStorage/],
  ["no day of the calendar", { gasDayStart: "2026-02-30" }, /gasDayStart/],
])("a day with %s is rejected and named", (_title, over, reason) => {
  const { rows, rejected } = parse([day("2026-07-12", over), day("2026-07-11")]);
  expect(rows).toHaveLength(1);
  expect(rejected).toEqual([{ row: "#0", reason: expect.stringMatching(reason) }]);
});

test.each(["0", "0.00", "-3", "100.01"])("a level of %s %% is rejected", (full) => {
  const { rows, rejected } = checkRows(EuGasStorageDaySchema, parse([day("2026-07-12", { full })]).rows);
  expect(rows).toEqual([]);
  expect(rejected).toHaveLength(1);
});

test("a full store is accepted", () => {
  expect(checkRows(EuGasStorageDaySchema, parse([day("2026-07-12", { full: "100" })]).rows).rejected).toEqual([]);
});

test.each([
  ["an empty list, as for a wrong key,", { last_page: 0, total: 0, data: [] }, /no day/],
  ["an empty bare list", [], /no day/],
  ["a complaint", { error: "access denied" }, /format/],
  ["something else", "nothing", /format/],
])("%s is a failure of the upstream", (_title, response, message) => {
  expect(() => parse(response)).toThrow(UpstreamError);
  expect(() => parse(response)).toThrow(message);
});

test("the EU aggregate is asked for, with the key in its header", async () => {
  const requested: UpstreamRequest[] = [];
  const json = async (request: UpstreamRequest) => requested.push(request);
  const variable = (name: string) => `value of ${name}`;
  await agsi.fetch({ origin: "live", now, json, text: async () => "", variable });
  expect(requested).toEqual([
    { url: "https://agsi.gie.eu/api?type=eu&size=40", headers: { "x-key": "value of AGSI_API_KEY" } },
  ]);
});

test("the sample yields what it says, all valid, up to the last seven days", async () => {
  const { rows, rejected } = parse(await agsi.fetch(sampleUpstream("agsi", () => now)));
  expect(rows).toHaveLength(sampleIndex("agsi")!.rows);
  expect(rejected).toEqual([]);
  const validator = createValidator();
  for (const row of rows)
    expect(validator.validate(EuGasStorageDaySchema, create(EuGasStorageDaySchema, row)).kind).toBe("valid");
  const age = (now.getTime() - Date.parse(rows[0]!.date!)) / 86_400_000;
  expect(age).toBeGreaterThan(0);
  expect(age).toBeLessThan(9);
});

test.skipIf(!existsSync(captured))("the captured answers pass", () => {
  expect(parse(captive("api-country-DE-2026-08-13.json"))).toEqual({
    rows: [{ date: "2026-08-13", fillPct: 49.14, gasTwh: 121.1238 }],
    rejected: [],
  });
  expect(() => parse(captive("api-empty-data.json"))).toThrow(/no day/);
  for (const country of ["DE", "FR"]) {
    const { rows, rejected } = parse(captive(`api-page-${country}-60days.reconstructed.json`));
    expect(rejected).toEqual([]);
    expect(checkRows(EuGasStorageDaySchema, rows)).toMatchObject({ rows: { length: 60 }, rejected: [] });
  }
});
