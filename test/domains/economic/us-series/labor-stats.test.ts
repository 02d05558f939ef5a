import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { ObservationSchema } from "../../../../gen/es/ids/stored/v1/observation_pb.ts";
import { laborStatsOf } from "../../../../src/domains/economic/us-series/labor-stats.ts";

const rows = (seriesId: string, ...observations: readonly (readonly [string, string])[]) =>
  observations.map(([date, value]) => create(ObservationSchema, { seriesId, date, value }));
const series = (id: string, ...preferred: Parameters<typeof laborStatsOf>[0]) =>
  laborStatsOf(preferred).series?.find(({ seriesId }) => seriesId === id);
const values = (id: string, ...preferred: Parameters<typeof laborStatsOf>[0]) =>
  series(id, ...preferred)?.observations?.map(({ value }) => value);

test("a monthly series has months, oldest first", () => {
  expect(series("USPRIV", rows("USPRIV", ["2026-10-01", "136012"], ["2026-01-01", "135900.50"]))).toEqual({
    seriesId: "USPRIV",
    title: "Total Private Nonfarm Payrolls",
    units: "Thousands of Persons",
    observations: [
      { year: "2026", period: "M01", periodName: "January", value: "135900.50" },
      { year: "2026", period: "M10", periodName: "October", value: "136012" },
    ],
  });
});

test("a quarterly series has quarters, as the Bureau names them", () => {
  const days = ["2025-10-01", "2026-01-01", "2026-04-01", "2026-07-01"].map((day) => [day, "1"] as const);
  const found = series("ECIALLCIV", rows("ECIALLCIV", ...days));
  expect(found).toMatchObject({ title: "Employment Cost Index - All Civilian Workers", units: "Index (Dec 2005=100)" });
  expect(found?.observations?.map(({ year, period, periodName }) => `${year} ${period} ${periodName}`)).toEqual([
    "2025 Q04 4th Quarter",
    "2026 Q01 1st Quarter",
    "2026 Q02 2nd Quarter",
    "2026 Q03 3rd Quarter",
  ]);
});

const october = rows("USPRIV", ["2026-09-01", "first"], ["2026-10-01", "first"]);
const alsoOctober = rows("USPRIV", ["2026-10-01", "second"]);
const november = rows("USPRIV", ["2026-11-01", "second"]);

test.each([
  ["the first source where both know the same last month", [october, alsoOctober], ["first", "first"]],
  ["the second where that knows a later one", [october, november], ["second"]],
  ["the first where that knows a later one", [november, october], ["second"]],
  ["the second where the first never answered", [[], october], ["first", "first"]],
])("a series is taken from %s", (_title, preferred, expected) => {
  expect(values("USPRIV", ...preferred)).toEqual(expected);
});

test("each series is chosen separately", () => {
  const bureau = [...october, ...rows("ECIALLCIV", ["2026-04-01", "first"])];
  const other = [...alsoOctober, ...rows("ECIALLCIV", ["2026-07-01", "second"])];
  expect([values("USPRIV", bureau, other), values("ECIALLCIV", bureau, other)]).toEqual([
    ["first", "first"],
    ["second"],
  ]);
});
