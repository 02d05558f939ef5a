import { existsSync, readFileSync } from "node:fs";
import { create } from "@bufbuild/protobuf";
import { createValidator } from "@bufbuild/protovalidate";
import { expect, test } from "vitest";
import { ObservationSchema } from "../../../../gen/es/ids/stored/v1/observation_pb.ts";
import { fredLabor, fredStress, readFred } from "../../../../src/domains/economic/us-series/fred.ts";
import { UpstreamError } from "../../../../src/egress/upstream-error.ts";
import { sampleIndex, sampleUpstream } from "../../../../src/upstream/sample/sample.ts";
import type { Upstream } from "../../../../src/upstream/upstream.ts";

const now = new Date("2026-11-18T12:00:00Z");
const captured = new URL("../../../../../shared/upstream/fred/", import.meta.url);
const captive = (file: string): unknown => JSON.parse(readFileSync(new URL(file, captured), "utf8"));

const envelope = (...observations: readonly (readonly [string, unknown])[]) => ({
  realtime_start: "2026-11-18",
  units: "lin",
  count: observations.length,
  observations: observations.map(([date, value]) => ({
    realtime_start: "2026-11-18",
    realtime_end: "2026-11-18",
    date,
    value,
  })),
});

test("observations keep the upstream's text; those marked as missing are passed over", () => {
  expect(
    readFred({ X: envelope(["2026-06-01", "."], ["2026-05-01", "136001"], ["2026-04-01", "-0.250"]) }, ["X"]),
  ).toEqual({
    rows: [
      { seriesId: "X", date: "2026-05-01", value: "136001" },
      { seriesId: "X", date: "2026-04-01", value: "-0.250" },
    ],
    rejected: [],
  });
});

test.each([
  ["a word", ["2026-05-01", "high"]],
  ["nothing", ["2026-05-01", ""]],
  ["a number as a JSON number", ["2026-05-01", 5]],
  ["no day", ["May 2026", "5"]],
  ["infinity", ["2026-05-01", "Infinity"]],
] as const)("an observation with %s is rejected under its series", (_title, observation) => {
  const { rows, rejected } = readFred({ X: envelope(observation, ["2026-04-01", "1"]) }, ["X"]);
  expect([rows.length, rejected.map(({ row }) => row)]).toEqual([1, ["X"]]);
});

test.each([
  ["a series that is missing", { X: envelope(["2026-05-01", "1"]) }, /no observation of Y/],
  [
    "a series without a value",
    { X: envelope(["2026-05-01", "1"]), Y: envelope(["2026-05-01", "."]) },
    /no observation of Y/,
  ],
  [
    "another series without a value",
    { X: envelope(["2026-05-01", "1"]), Y: envelope(["2026-05-01", "1"]), Z: envelope() },
    /of Z/,
  ],
  ["another form", { X: { error_code: 400 }, Y: envelope() }, /observations/],
])("%s fails the whole", (_title, responses, message) => {
  expect(() => readFred(responses, ["X", "Y"])).toThrow(UpstreamError);
  expect(() => readFred(responses, ["X", "Y"])).toThrow(message);
});

function requesting(variables: Readonly<Record<string, string>>) {
  const requested: URL[] = [];
  const upstream: Upstream = {
    origin: "live",
    now,
    text: () => Promise.reject(new Error("not asked")),
    async json({ url }) {
      requested.push(new URL(url));
      return envelope(["2026-05-01", "1"]);
    },
    variable: (name, fallback) => variables[name] ?? fallback ?? `value of ${name}`,
  };
  return { upstream, requested };
}
const idsOf = (requested: readonly URL[]) => requested.map(({ searchParams }) => searchParams.get("series_id"));

test("both labor series are requested, as far back as callers may request", async () => {
  const { upstream, requested } = requesting({});
  const { rows } = fredLabor.parse(await fredLabor.fetch(upstream), now);
  expect(idsOf(requested)).toEqual(["USPRIV", "ECIALLCIV"]);
  expect(requested[0]?.href).toBe(
    "https://api.stlouisfed.org/fred/series/observations?series_id=USPRIV&api_key=value+of+FRED_API_KEY&file_type=json&sort_order=asc&observation_start=1984-01-01",
  );
  expect(rows.map(({ seriesId }) => seriesId)).toEqual(["USPRIV", "ECIALLCIV"]);
});

test.each([
  ["not asked for without permission", {}, ["T10Y2Y", "T10Y3M", "STLFSI4", "ICSA"]],
  ["not asked for with another word", { IDS_SOURCE_VIXCLS: "yes" }, ["T10Y2Y", "T10Y3M", "STLFSI4", "ICSA"]],
  ["asked for with it", { IDS_SOURCE_VIXCLS: "on" }, ["T10Y2Y", "T10Y3M", "VIXCLS", "STLFSI4", "ICSA"]],
])("the restricted series is %s", async (_title, variables, ids) => {
  const { upstream, requested } = requesting(variables);
  const { rows } = fredStress.parse(await fredStress.fetch(upstream), now);
  expect(idsOf(requested)).toEqual(ids);
  expect(new Set(rows.map(({ seriesId }) => seriesId))).toEqual(new Set(ids));
  expect(requested[0]?.search).toContain("sort_order=desc&limit=120");
});

test.each(["T10Y2Y", "T10Y3M", "STLFSI4", "ICSA", "VIXCLS"])("without %s there is no answer at all", async (id) => {
  const { upstream } = requesting({ IDS_SOURCE_VIXCLS: "on" });
  const responses = { ...((await fredStress.fetch(upstream)) as object), [id]: envelope() };
  expect(() => fredStress.parse(responses, now)).toThrow(`no observation of ${id}`);
});

test.each([fredLabor, fredStress])(
  "the sample of $name yields what it says, all valid and none to come",
  async (source) => {
    for (const day of ["2026-11-01", "2026-11-18", "2027-02-28"]) {
      const then = new Date(`${day}T09:00:00Z`);
      const { rows, rejected } = source.parse(await source.fetch(sampleUpstream(source.name, () => then)), then);
      expect(rows).toHaveLength(sampleIndex(source.name)!.rows);
      expect(rejected).toEqual([]);
      const validator = createValidator();
      for (const row of rows) {
        expect(validator.validate(ObservationSchema, create(ObservationSchema, row)).kind).toBe("valid");
        expect(Date.parse(row.date!)).toBeLessThan(then.getTime());
      }
      if (source === fredStress) expect(rows.some(({ seriesId }) => seriesId === "VIXCLS")).toBe(true);
      else expect(rows.every(({ date }) => date?.endsWith("-01"))).toBe(true);
    }
  },
);

test.skipIf(!existsSync(captured))("the captured answers pass", () => {
  for (const [id, file, count, last] of [
    ["PAYEMS", "PAYEMS.json", 319, "158858"],
    ["CPIAUCSL", "CPIAUCSL.json", 318, "332.813"],
    ["GDP", "GDP.json", 104, "31442.483"],
    ["ICSA", "ICSA.reconstructed.json", 104, "199000"],
    ["STLFSI4", "STLFSI4.reconstructed.json", 132, "-0.5063"],
    ["VIXCLS", "VIXCLS.reconstructed.json", 132, "16.7"],
  ] as const) {
    const { rows, rejected } = readFred({ [id]: captive(file) }, [id]);
    expect(rejected).toEqual([]);
    expect(rows).toHaveLength(count);
    expect(rows.at(-1)?.value).toBe(last);
  }
});
