import { expect, test } from "vitest";
import { hdxIpc, phaseOf } from "../../../../../src/domains/resilience/inputs/sources/hdx-ipc.ts";
import { UpstreamError } from "../../../../../src/egress/upstream-error.ts";
import { sampleUpstream } from "../../../../../src/upstream/sample/sample.ts";

const now = new Date("2026-11-18T12:00:00Z");
const head = "Date of analysis,Country,Total country population,Validity period,From,To,Phase,Number,Percentage";
const tags = "#date,#country+code,#population,#severity+period,#date+start,#date+end,#severity+type,#affected,#pct";
const analysis = (
  country: string,
  from: string,
  people: Readonly<Record<string, number | string>>,
  kind = "current",
  population = 1200,
) =>
  Object.entries(people).map(
    ([phase, number]) => `May 2026,${country},${population},${kind},${from},2027-01-31,${phase},${number},0`,
  );
const crisis = { all: 1000, "3+": 250, "1": 300, "2": 450, "3": 200, "4": 50, "5": 0 };
const others = "AFG BDI CAF CMR ETH GTM HND HTI KEN LBN LSO MDG MLI MOZ MWI NAM NER NGA PAK SDN".split(" ");
const whole = [head, tags, ...others.flatMap((country) => analysis(country, "2026-04-01", crisis))];
const parse = (...lines: string[]) => hdxIpc.parse([...whole, ...lines].join("\n"), now);

test("people in phase 3 and worse and the country's phase come from the newest analysis that is valid now", () => {
  const { rows, rejected } = parse(
    ...analysis("SOM", "2025-10-01", { ...crisis, "3+": 100 }),
    ...analysis("SOM", "2026-07-01", crisis),
    ...analysis("SOM", "2026-10-01", { ...crisis, "3+": 900 }, "first projection"),
    ...analysis("SOM", "2027-01-01", { ...crisis, "3+": 800 }),
  );
  expect(rejected).toEqual([]);
  expect(rows.filter(({ country }) => country === "SO")).toEqual([
    { country: "SO", input: "foodCrisisPeople", value: 250, period: "2026-07-01", series: "phase 3+" },
    { country: "SO", input: "foodCrisisPhase", value: 3, period: "2026-07-01", series: "phase" },
  ]);
});

test("lines in another format or of no country are rejected, a table of few countries or without its columns throws", () => {
  const lines = [...analysis("SOM", "May 2026", { all: 5 }), ...analysis("SSD", "2026-05-01", { "3+": "n/a", "6": 1 })];
  const { rows, rejected } = parse(...lines, ...analysis("XXX", "2026-05-01", { all: 5 }));
  expect(rows).toHaveLength(40);
  expect(rejected.map(({ row }) => row.slice(0, 3))).toEqual(["SOM", "SSD", "SSD", "XXX"]);
  expect(() => hdxIpc.parse(whole.slice(0, 30).join("\n"), now)).toThrow("4 countries, and at least 20");
  expect(() => hdxIpc.parse("Country,Phase\nSOM,3", now)).toThrow(
    "no column Total country population, Validity period",
  );
});

test.each([
  [{ all: 1000, "1": 1000, "2": 0 }, 1],
  [{ all: 1000, "2": 150, "3": 40, "4": 10 }, 2],
  [{ all: 1000, "2": 400, "3": 150, "4": 50 }, 3],
  [{ all: 1000, "3": 300, "4": 199, "5": 1 }, 4],
  [{ all: 1000, "4": 300, "5": 200 }, 5],
  [{ all: 1000, "3+": 500 }, undefined],
  [{ "3": 500 }, undefined],
])("of %o the phase is %s: the worst with a fifth of the people in it or worse", (people, phase) => {
  expect(phaseOf({ people: new Map(Object.entries(people)) })).toBe(phase);
});

const inPhase3 = { all: 800, "1": 200, "2": 300, "3": 300 };

test.each([
  [1_000, 3],
  [1_500, 3],
  [1_501, 2],
  [1_601, 2],
  [3_001, undefined],
  [10_000, undefined],
])("with %i people in the country, 800 of them analyzed, its phase is %s", (population, phase) => {
  expect(phaseOf({ people: new Map(Object.entries(inPhase3)), population })).toBe(phase);
});

test("if few of a country's people were analyzed, only the number in a crisis and their share are returned", () => {
  const { rows, rejected } = parse(
    ...analysis("SOM", "2025-10-01", crisis),
    ...analysis("AGO", "2026-07-01", { ...inPhase3, "3+": 300 }, "current", 10_000),
    ...analysis("SOM", "2026-07-01", { ...inPhase3, "3+": 300 }, "current", 10_000),
  );
  expect(rows.filter(({ country }) => country === "AO" || country === "SO")).toEqual([
    { country: "SO", input: "foodCrisisPeople", value: 300, period: "2026-07-01", series: "phase 3+" },
    { country: "AO", input: "foodCrisisPeople", value: 300, period: "2026-07-01", series: "phase 3+" },
  ]);
  expect(new Set(rejected.map(({ row, reason }) => `${row}: ${reason}`))).toEqual(
    new Set(["AO phase: 8 % of its people were analyzed", "SO phase: 8 % of its people were analyzed"]),
  );
});

test("the table is the national one that the data set names, at the site itself", async () => {
  const fetch = (resources: unknown) =>
    hdxIpc.fetch({ ...sampleUpstream("hdx-ipc", () => now), json: async () => ({ result: { resources } }) });
  const name = "ipc_global_national_long_latest.csv";
  await expect(fetch([])).rejects.toThrow(`HDX has no ${name}`);
  await expect(fetch([{ name, url: "https://example.org/ipc.csv" }])).rejects.toThrow(UpstreamError);
  await expect(fetch("none")).rejects.toThrow(UpstreamError);
});
