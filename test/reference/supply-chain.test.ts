import { expect, test } from "vitest";
import { bestBypass, bypassCorridors } from "../../src/reference/trade/bypass-corridors.ts";
import { chokepointById, chokepoints, threatLevelsReviewedAt } from "../../src/reference/trade/chokepoints.ts";
import { commodities, transitChapterOf } from "../../src/reference/trade/commodities.ts";
import { chapterOf, costShockChapters, hsChapters } from "../../src/reference/trade/hs-chapters.ts";
import { hsHeadings } from "../../src/reference/trade/hs-headings.ts";
import { routesThrough, tradeRoutes } from "../../src/reference/trade/trade-routes.ts";
import { warRisks } from "../../src/reference/trade/war-risk.ts";

test("there are 13 chokepoints in a fixed order, each with its place and its name at PortWatch", () => {
  expect(chokepoints.map(({ id }) => id)).toEqual([
    ...["suez", "malacca_strait", "hormuz_strait", "bab_el_mandeb", "panama", "taiwan_strait", "cape_of_good_hope"],
    ...["gibraltar", "bosphorus", "korea_strait", "dover_strait", "kerch_strait", "lombok_strait"],
  ]);
  for (const { id, latitude, longitude } of chokepoints) {
    expect(Math.abs(latitude), id).toBeLessThan(60);
    expect(Math.abs(longitude), id).toBeLessThan(180);
  }
  for (const key of ["name", "portWatchName"] as const)
    expect(new Set(chokepoints.map((chokepoint) => chokepoint[key])).size).toBe(13);
  expect(chokepointById("hormuz_strait")?.name).toBe("Strait of Hormuz");
  expect(chokepointById("atlantis")).toBeUndefined();
});

test("four chokepoints have a shock model, seven an oil baseline", () => {
  const ids = (chosen: typeof chokepoints) => chosen.map(({ id }) => id);
  expect(ids(chokepoints.filter(({ shockSupported }) => shockSupported))).toEqual([
    ...["suez", "malacca_strait", "hormuz_strait", "bab_el_mandeb"],
  ]);
  const baselines = chokepoints.flatMap(({ oilBaseline }) => oilBaseline?.millionBarrelsPerDay ?? []);
  expect(baselines).toEqual([7.6, 17.2, 21, 6.2, 0.9, 2.9, 3]);
});

test("threat levels are kept by hand and say when they were looked at", () => {
  expect(threatLevelsReviewedAt).toMatch(/^\d{4}-\d\d-\d\d$/);
  const levels = Object.entries(Object.groupBy(chokepoints, ({ threat }) => threat));
  expect(Object.fromEntries(levels.map(([level, those]) => [level, those?.map(({ id }) => id)]))).toEqual({
    war_zone: ["hormuz_strait", "kerch_strait"],
    critical: ["bab_el_mandeb"],
    high: ["suez"],
    elevated: ["taiwan_strait", "bosphorus"],
    normal: [
      ...["malacca_strait", "panama", "cape_of_good_hope", "gibraltar"],
      ...["korea_strait", "dover_strait", "lombok_strait"],
    ],
  });
});

test("a threat level weighs and costs the more the worse it is", () => {
  expect(Object.values(warRisks).map(({ weight }) => weight)).toEqual([70, 40, 30, 15, 0]);
  expect(Object.values(warRisks).map(({ premiumBps }) => premiumBps)).toEqual([300, 100, 50, 20, 5]);
});

test("there are 21 routes, and each passes known chokepoints only", () => {
  expect(new Set(tradeRoutes.map(({ id }) => id)).size).toBe(21);
  for (const { id, waypoints } of tradeRoutes)
    for (const waypoint of waypoints) expect(chokepointById(waypoint), id).toBeDefined();
});

test("the routes through a chokepoint are those that pass it; the last four have none", () => {
  expect(chokepoints.map(({ id }) => routesThrough(id).length)).toEqual([6, 7, 5, 6, 2, 2, 3, 4, 1, 0, 0, 0, 0]);
  const redSea = [
    ...["china-europe-suez", "china-us-east-suez", "gulf-europe-oil", "qatar-europe-lng", "singapore-med"],
    "india-europe",
  ];
  expect(routesThrough("suez")).toEqual(redSea);
  expect(routesThrough("bab_el_mandeb")).toEqual(redSea);
  expect(routesThrough("panama")).toEqual(["china-us-east-panama", "panama-transit"]);
});

test("there are 26 bypass corridors, each of a known chokepoint, and none but the proposed canal is cheaper", () => {
  expect(new Set(bypassCorridors.map(({ id }) => id)).size).toBe(26);
  expect(new Set(bypassCorridors.map(({ chokepointId }) => chokepointId))).toEqual(
    new Set(chokepoints.map(({ id }) => id)),
  );
  expect(bypassCorridors.filter(({ costMultiplier }) => costMultiplier < 1).map(({ id }) => id)).toEqual([
    "kra_canal_future",
  ]);
});

test.each([
  ["suez", "sumed_pipeline", 1.05, 2],
  ["hormuz_strait", "btc_pipeline", 1.1, 3],
  ["malacca_strait", "sunda_strait", 1.03, 1],
  ["bab_el_mandeb", "bab_el_mandeb_cape_of_good_hope", 1.15, 10],
  ["panama", "us_rail_landbridge", 1.55, 6],
  ["taiwan_strait", "bashi_channel", 1.04, 1],
  ["bosphorus", "btc_pipeline_black_sea", 1.08, 2],
  ["dover_strait", "north_sea_scotland", 1.02, 1],
  ["korea_strait", "tsugaru_strait", 1.04, 1],
  ["kerch_strait", "black_sea_western_ports", 1.2, 3],
  ["lombok_strait", "ombai_strait", 1.02, 1],
])(
  "the best way round %s is %s, at %d times the cost and %i days more",
  (chokepoint, id, costMultiplier, addedDays) => {
    expect(bestBypass(chokepoint)).toMatchObject({ id, costMultiplier, addedDays });
  },
);

test("a bypass for a kind of cargo leads around its chokepoint and carries this cargo", () => {
  expect(bestBypass("hormuz_strait", "tanker")).toBeUndefined();
  expect(bestBypass("hormuz_strait", "roro")?.id).toBe("aqaba_land_bridge");
  expect(bestBypass("suez", "container")?.id).toBe("suez_cape_of_good_hope");
});

test.each(["gibraltar", "cape_of_good_hope", "atlantis"])("there is no way round %s", (chokepoint) => {
  expect(bestBypass(chokepoint)).toBeUndefined();
});

test("36 headings are watched, all in 19 named chapters, ten of which have a cost shock", () => {
  expect(hsHeadings.size).toBe(36);
  for (const heading of hsHeadings.keys()) expect(heading).toMatch(/^\d{4}$/);
  expect(new Set([...hsHeadings.keys()].map(chapterOf))).toEqual(new Set(hsChapters.keys()));
  expect(hsChapters.size).toBe(19);
  expect(costShockChapters).toEqual(["27", "84", "85", "87", "30", "72", "39", "29", "10", "62"]);
});

test("there are 23 commodities in 22 watched headings of 9 chapters, 14 minerals first", () => {
  expect(new Set(commodities.map(({ id }) => id)).size).toBe(23);
  expect(new Set(commodities.map(({ hs4 }) => hs4)).size).toBe(22);
  for (const { hs4 } of commodities) expect(hsHeadings.has(hs4), hs4).toBe(true);
  expect(new Set(commodities.map(transitChapterOf)).size).toBe(9);
  expect(commodities.findIndex(({ mineral }) => !mineral)).toBe(14);
  expect(commodities.filter(({ mineral }) => mineral)).toHaveLength(14);
});

test("food, gas and fuel have a buffer, minerals have none; five headings hold more than their commodity", () => {
  for (const { id, mineral, buffer } of commodities) expect(buffer === undefined, id).toBe(mineral);
  expect(commodities.filter(({ buffer }) => buffer === "stocks_to_use")).toHaveLength(6);
  const coarse = commodities.filter(({ headingCoversMore }) => headingCoversMore);
  expect(new Set(coarse.map(({ hs4 }) => hs4))).toEqual(new Set(["2805", "2836", "8112", "2804", "2612"]));
});
