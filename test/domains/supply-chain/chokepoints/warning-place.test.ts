import { expect, test } from "vitest";
import {
  chokepointsOf,
  ngaWarnings,
  positionsIn,
} from "../../../../src/domains/supply-chain/chokepoints/nga-warnings.ts";
import { UpstreamError } from "../../../../src/egress/upstream-error.ts";
import { sampleIndex, sampleUpstream } from "../../../../src/upstream/sample/sample.ts";

const now = new Date("2026-11-18T12:00:00Z");

test.each([
  ["12-30.0N 043-18.0E", [[12.5, 43.3]]],
  [
    "BOUND BY 25-10N 057-20E, 25-40.5N\n057-20.0E.",
    [
      [25 + 10 / 60, 57 + 20 / 60],
      [25.675, 57 + 20 / 60],
    ],
  ],
  ["34-21-36S 018-29-24E", [[-34.36, 18.49]]],
  ["09-06.0N 079-42.0W", [[9.1, -79.7]]],
  ["95-00.0N 043-00.0E, PHONE 12-34-56", []],
])("%j gives positions", (text, places) => {
  expect(positionsIn(text).map(({ latitude, longitude }) => [latitude.toFixed(6), longitude.toFixed(6)])).toEqual(
    places.map(([latitude = 0, longitude = 0]) => [latitude.toFixed(6), longitude.toFixed(6)]),
  );
});

test.each([
  ["Strait of Hormuz. GPS interference.", ["hormuz_strait"]],
  ["GULF OF ADEN.\nYEMEN. SUSPICIOUS APPROACH.", ["bab_el_mandeb"]],
  ["YEMEN. LIGHT UNLIT.", []],
  ["YEMEN. YEMEN. LIGHT UNLIT.", []],
  ["BLACK SEA. CRIMEA. GUNNERY.", ["kerch_strait"]],
  ["KERCHING SOUND REPORTED.", []],
  ["DERELICT ADRIFT 50-58.0N 001-28.0E.", ["dover_strait"]],
  ["DERELICT ADRIFT 48-00.0N 001-30.0E.", []],
  ["DRIFTING OBJECT 29-00.0N 033-00.0E.", ["suez"]],
  ["NORTH ATLANTIC. CABLE OPERATIONS 45-00.0N 030-00.0W.", []],
])("%j concerns %j", (text, ids) => {
  expect(chokepointsOf(text)).toEqual(ids);
});

const warning = { msgYear: 2026, msgNumber: 14, navArea: "P", subregion: "62", text: "STRAIT OF HORMUZ.", status: "A" };

test("a warning is named by its area, number and year", () => {
  expect(ngaWarnings.parse({ "broadcast-warn": [warning] }, now)).toEqual({
    rows: [{ reported: { case: "warning", value: { id: "P 14/2026", chokepointIds: ["hormuz_strait"] } } }],
    rejected: [],
  });
});

test("a warning without text or number is left out and named", () => {
  const { rows, rejected } = ngaWarnings.parse(
    {
      "broadcast-warn": [
        { ...warning, text: null },
        { ...warning, msgNumber: 0 },
      ],
    },
    now,
  );
  expect(rows).toEqual([]);
  expect(rejected.map(({ row }) => row)).toEqual(["#0", "#1"]);
});

test.each([{ broadcast_warn: [warning] }, [], "none", { "broadcast-warn": {} }])("%j is another format", (response) => {
  expect(() => ngaWarnings.parse(response, now)).toThrow(UpstreamError);
});

test("the sample yields what it says, and a tenth of it concerns chokepoints", async () => {
  const upstream = sampleUpstream("nga-warnings", () => now);
  const { rows, rejected } = ngaWarnings.parse(await ngaWarnings.fetch(upstream), now);
  expect(rejected).toEqual([]);
  expect(rows).toHaveLength(sampleIndex("nga-warnings")!.rows);
  const placed = rows.filter(
    ({ reported }) => reported?.case === "warning" && (reported.value.chokepointIds?.length ?? 0) > 0,
  );
  expect(placed.length).toBeGreaterThanOrEqual(7);
});
