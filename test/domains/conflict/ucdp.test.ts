import { existsSync, readFileSync } from "node:fs";
import { create } from "@bufbuild/protobuf";
import { createValidator } from "@bufbuild/protovalidate";
import { expect, test } from "vitest";
import { z } from "zod";
import { ConflictEventSchema } from "../../../gen/es/ids/conflict/v1/conflict_pb.ts";
import { annualVersions, candidateVersions, ucdp } from "../../../src/domains/conflict/ucdp.ts";
import { UpstreamError } from "../../../src/egress/upstream-error.ts";
import { sampleIndex, sampleUpstream } from "../../../src/upstream/sample/sample.ts";
import type { Upstream } from "../../../src/upstream/upstream.ts";

const now = new Date("2026-11-20T15:00:00Z");
const captured = new URL("../../../../shared/upstream/ucdp/", import.meta.url);

const townA = {
  id: 612345,
  type_of_violence: 1,
  side_a: "Government of Example",
  side_b: "EXF",
  source_article: '"Example Agency,2026-05-02,Clashes"',
  source_original: "police",
  adm_1: "Region B",
  latitude: 8.21,
  longitude: 43.56,
  country: "Ethiopia",
  country_id: 530,
  date_start: "2026-05-02T00:00:00",
  date_end: "2026-05-04T00:00:00",
  ...{ low: 2, best: 3, high: 7, where_prec: 2, date_prec: 1 },
};

const page = (rows: readonly object[], total = rows.length) => ({
  TotalCount: total,
  TotalPages: Math.ceil(total / 1_000),
  PreviousPageUrl: "",
  NextPageUrl: "",
  Result: rows,
});
const parse = (...rows: readonly object[]) => ucdp.parse([page(rows.map((row) => ({ ...townA, ...row })))], now);

test("a row becomes an event on its first day, at midnight UTC", () => {
  expect(parse({}).rows).toEqual([
    {
      id: "ucdp-612345",
      eventType: "State-based conflict",
      country: "ET",
      location: { latitude: 8.21, longitude: 43.56 },
      occurredAt: BigInt(Date.UTC(2026, 4, 2)),
      fatalities: 3,
      actors: ["Government of Example", "EXF"],
      source: "police",
      admin1: "Region B",
      reports: [{ timePrecision: 1, placePrecision: 2, deathsLow: 2, deathsBest: 3, deathsHigh: 7 }],
    },
  ]);
});

test.each([
  [
    { low: null, best: "", high: undefined },
    { deathsLow: undefined, deathsBest: undefined, deathsHigh: undefined },
  ],
  [
    { low: -1, best: 0, high: "0" },
    { deathsLow: undefined, deathsBest: 0, deathsHigh: 0 },
  ],
  [
    { where_prec: 0, date_prec: 1.5 },
    { placePrecision: undefined, timePrecision: undefined },
  ],
])("what the source does not state in %o is absent, and never 0", (row, stated) => {
  expect(parse(row).rows[0]?.reports?.[0]).toMatchObject(stated);
});

test.each([
  ['"Example Agency,2026-05-02,Clashes"', "Example Agency, 2026-05-02, Clashes"],
  [
    '"Example Agency,2026-05-02,Clashes; two dead";"Other Wire,2026-05-03,""Truce"" ends"',
    'Example Agency, 2026-05-02, Clashes; two dead; Other Wire, 2026-05-03, "Truce" ends',
  ],
  ['"Radio Example, evening news"', "Radio Example, evening news"],
  ["Example Agency", "Example Agency"],
  ['6" shell, Example Agency', '6" shell, Example Agency'],
  ["", ""],
])("the articles %s are served as %s", (source_article, source) => {
  expect(parse({ source_original: "", source_article }).rows).toMatchObject([{ source }]);
});

test.each([
  [{ type_of_violence: 2 }, { eventType: "Non-state conflict" }],
  [{ type_of_violence: "3" }, { eventType: "One-sided violence" }],
  [{ source_original: "" }, { source: "Example Agency, 2026-05-02, Clashes" }],
  [{ source_original: "é".repeat(400) }, { source: "é".repeat(300) }],
  [{ side_b: null }, { actors: ["Government of Example"] }],
  [{ country_id: 490, country: "DR Congo (Zaire)" }, { country: "CD" }],
  [{ country_id: null, country: "Yemen (North Yemen)" }, { country: "YE" }],
  [{ country_id: 9999, country: "Russia (Soviet Union)" }, { country: "RU" }],
  [{ country_id: 9999, country: "Atlantis" }, { country: "" }],
  [{ country_id: 666, country: "Israel", adm_1: "Gaza Strip" }, { country: "PS" }],
  [{ country_id: 666, country: "Israel", adm_1: "West Bank" }, { country: "PS" }],
  [{ country_id: 666, country: "Israel", adm_1: "Haifa district" }, { country: "IL" }],
])("a row with %j has %j", (row, event) => {
  expect(parse(row)).toMatchObject({ rows: [event], rejected: [] });
});

test.each([
  ["without id", { id: null }, "id"],
  ["of an unknown type", { type_of_violence: 4 }, "type_of_violence"],
  ["without a place", { latitude: null }, "latitude"],
  ["without a day", { date_start: "" }, "date_start"],
])("a row %s is left out and named", (_title, row, field) => {
  const { rows, rejected } = parse(row, { id: 2 });
  expect(rows.map(({ id }) => id)).toEqual(["ucdp-2"]);
  expect(rejected[0]?.reason).toContain(field);
});

test("of two editions of an event the later page's stays", () => {
  const { rows } = ucdp.parse([page([{ ...townA, best: 1 }]), page([{ ...townA, best: 7 }])], now);
  expect(rows).toMatchObject([{ fatalities: 7 }]);
});

test("another envelope is a failure of the upstream", () => {
  expect(() => ucdp.parse([{ Result: "no" }], now)).toThrow(UpstreamError);
  expect(() => ucdp.parse([page([]), { message: "token required" }], now)).toThrow(UpstreamError);
});

test.each([
  ["2026-11-20", ["26.0.12", "26.0.11", "26.0.10", "26.0.9", "26.0.8", "26.0.7"], ["26.1", "25.1"]],
  ["2026-12-31", ["27.0.1", "26.0.12", "26.0.11", "26.0.10", "26.0.9", "26.0.8"], ["26.1", "25.1"]],
  ["2027-01-31", ["27.0.2", "27.0.1", "26.0.12", "26.0.11", "26.0.10", "26.0.9"], ["27.1", "26.1"]],
  ["2109-03-01", ["09.0.4", "09.0.3", "09.0.2", "09.0.1", "08.0.12", "08.0.11"], ["09.1", "08.1"]],
])("on %s the releases may be called %j and %j", (day, candidates, annual) => {
  const date = new Date(`${day}T12:00:00Z`);
  expect(candidateVersions(date)).toEqual(candidates);
  expect(annualVersions(date)).toEqual(annual);
});

/** An upstream with these releases: how many events each has; others do not exist. */
function releases(
  counts: Record<string, number>,
  response = (rows: object[], total: number): unknown => page(rows, total),
) {
  const requested: string[] = [];
  const upstream: Upstream = {
    origin: "live",
    now,
    variable: (name) => `${name} value`,
    text: () => Promise.reject(new Error("not asked")),
    json: async ({ url, headers }) => {
      expect(headers).toEqual({ "x-ucdp-access-token": "UCDP_ACCESS_TOKEN value" });
      const { pathname, searchParams } = new URL(url);
      const version = pathname.split("/").at(-1)!;
      const size = Number(searchParams.get("pagesize"));
      const first = Number(searchParams.get("page")) * size;
      const total = counts[version];
      if (size > 1) requested.push(`${version}#${searchParams.get("page")}`);
      if (total === undefined) throw new UpstreamError("Not Found", { status: 404 });
      const length = Math.max(Math.min(size, total - first), 0);
      return response(
        Array.from({ length }, (_, i) => ({ ...townA, id: 1_000_000 * version.length + first + i + 1 })),
        total,
      );
    },
  };
  return { upstream, requested };
}

test("the last pages of the newest annual release are read, then every monthly release there is, oldest first", async () => {
  const { upstream, requested } = releases({ "25.1": 8_200, "26.0.9": 1_500, "26.0.7": 900, "26.0.12": 0 });
  const { rows } = ucdp.parse(await ucdp.fetch(upstream), now);
  const annual = [3, 4, 5, 6, 7, 8].map((number) => `25.1#${number}`);
  expect(requested).toEqual([...annual, "26.0.7#0", "26.0.9#0", "26.0.9#1"]);
  expect(rows.length).toBe(5_200 + 1_500);
});

test.each([
  ["no annual release", { "26.0.9": 10 }, /annual/],
  ["no monthly release", { "26.1": 10 }, /monthly/],
])("%s is a failure", async (_title, counts, message) => {
  await expect(ucdp.fetch(releases(counts).upstream)).rejects.toThrow(message);
});

test.each([401, 403, 429, 500, undefined])(
  "status %s is a failure and never read as a release that is absent",
  async (status) => {
    const { upstream } = releases({});
    const json = () => Promise.reject(new UpstreamError("refused", status === undefined ? {} : { status }));
    await expect(ucdp.fetch({ ...upstream, json })).rejects.toThrow("refused");
  },
);

test("one empty page fails the whole, so that a part never passes for everything", async () => {
  const { upstream } = releases({ "26.1": 2_500, "26.0.9": 10 }, (rows, total) =>
    page(rows.length === 500 ? [] : rows, total),
  );
  await expect(ucdp.fetch(upstream)).rejects.toThrow("page 2 is empty");
});

test.each(["2026-11-01", "2026-11-20", "2026-12-31", "2027-01-15", "2027-05-31", "2027-06-01", "2028-02-29"])(
  "the sample yields what it says on %s, all valid",
  async (day) => {
    const today = new Date(`${day}T09:00:00Z`);
    const { rows, rejected } = ucdp.parse(await ucdp.fetch(sampleUpstream("ucdp", () => today)), today);
    expect(rows).toHaveLength(sampleIndex("ucdp")!.rows);
    expect(rejected).toEqual([]);
    const validator = createValidator();
    const ages = rows.map(({ occurredAt }) => (today.getTime() - Number(occurredAt)) / 86_400_000);
    for (const row of rows)
      expect(validator.validate(ConflictEventSchema, create(ConflictEventSchema, row)).kind).toBe("valid");
    expect(Math.min(...ages)).toBeGreaterThan(0);
    expect(ages.filter((age) => age < 68).length).toBeGreaterThanOrEqual(500);
  },
);

test.skipIf(!existsSync(captured))("the captured rows pass, and each keeps its day, place and deaths", () => {
  const rowSchema = z.object({ id: z.number(), date_start: z.string(), best: z.number(), latitude: z.number() });
  const wire: unknown = JSON.parse(readFileSync(new URL("ged-api-rows-Israel-2002.json", captured), "utf8"));
  const expected = z.array(rowSchema).parse(wire);
  const envelope: unknown = JSON.parse(readFileSync(new URL("gedevents-page0.reconstructed.json", captured), "utf8"));
  const { rows, rejected } = ucdp.parse([envelope, { TotalCount: expected.length, Result: wire }], now);
  expect(rejected).toEqual([]);
  expect(rows).toHaveLength(expected.length);
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const { id, date_start, best, latitude } of expected) {
    const event = byId.get(`ucdp-${id}`);
    expect(event).toMatchObject({ fatalities: best, location: { latitude } });
    expect(new Date(Number(event?.occurredAt)).toISOString()).toBe(`${date_start}.000Z`);
  }
  const count = (code: string) => rows.filter(({ country }) => country === code).length;
  expect([count("PS"), count("IL"), count("LB")]).toEqual([307, 65, 1]);
});
