import { expect, test } from "vitest";
import { countries } from "../../../src/reference/countries/countries.ts";
import { type CoastSide, coastSides } from "../../../src/reference/trade/coast-sides.ts";
import { countryRoutes } from "../../../src/reference/trade/country-routes.ts";
import { tradeRoutes } from "../../../src/reference/trade/trade-routes.ts";

const servedBy = (route: string) => [...countryRoutes].filter(([, routes]) => routes.includes(route)).map(([c]) => c);
const trading = (...routes: string[]) => new Set(routes.flatMap(servedBy));

test("197 countries have a coast side, each a country of ISO 3166-1 or Kosovo", () => {
  expect(coastSides.size).toBe(197);
  for (const code of coastSides.keys()) expect(countries.has(code), code).toBe(true);
  expect([...countryRoutes.keys()]).toEqual([...coastSides.keys()]);
});

/** The counts of a comparable service. Its list is unknown, so countries between two seas may differ. */
const counted: Readonly<Record<CoastSide, number>> = {
  ...{ atlantic: 52, landlocked: 44, pacific: 29, indian: 29, multi: 25, med: 18 },
};

test("44 countries have no coast and 29 only the Pacific's, and the other seas are within four of 52, 29, 25, and 18", () => {
  const count = (side: CoastSide) => [...coastSides.values()].filter((one) => one === side).length;
  expect([count("landlocked"), count("pacific")]).toEqual([44, 29]);
  for (const [side, expected] of Object.entries(counted) as [CoastSide, number][])
    expect(Math.abs(count(side) - expected), side).toBeLessThanOrEqual(4);
});

test.each([
  ["china-europe-suez", 50],
  ["transatlantic", 48],
  ["china-africa", 31],
  ["gulf-europe-oil", 23],
  ["brazil-china-bulk", 21],
  ["asia-europe-cape", 17],
  ["india-se-asia", 16],
  ["china-us-west", 16],
  ["gulf-asia-oil", 15],
  ["russia-med-oil", 15],
  ["panama-transit", 15],
  ["india-europe", 14],
  ["intra-asia-container", 14],
  ["cpec-route", 7],
  ["qatar-asia-lng", 5],
  ["us-europe-lng", 4],
  ["singapore-med", 3],
  ["china-us-east-suez", 2],
  ["china-us-east-panama", 2],
  ["qatar-europe-lng", 1],
  ["gulf-americas-cape", 1],
])("by %s trade %i countries", (route, size) => {
  expect(servedBy(route)).toHaveLength(size);
});

test("every route serves somebody, and only four countries trade by none", () => {
  for (const { id } of tradeRoutes) expect(servedBy(id), id).not.toEqual([]);
  const none = [...countryRoutes].filter(([, routes]) => routes.length === 0).map(([code]) => code);
  expect(new Set(none)).toEqual(new Set(["AD", "BT", "LI", "SM"]));
});

test.each([
  ["US", "multi", ["china-us-west", "china-us-east-suez", "china-us-east-panama", "us-europe-lng", "transatlantic"]],
  ["DE", "atlantic", ["china-europe-suez", "asia-europe-cape", "india-europe", "transatlantic"]],
  ["TR", "med", ["gulf-europe-oil", "russia-med-oil"]],
  ["SA", "indian", ["gulf-europe-oil", "gulf-asia-oil"]],
  ["AE", "indian", ["gulf-europe-oil", "gulf-asia-oil"]],
  ["IR", "indian", ["gulf-europe-oil", "gulf-asia-oil"]],
  ["RU", "multi", ["russia-med-oil"]],
  ["CH", "landlocked", ["china-europe-suez"]],
])("%s is %s and trades by %j", (code, side, routes) => {
  expect(coastSides.get(code)).toBe(side);
  expect(countryRoutes.get(code)).toEqual(routes);
});

test.each([
  [
    "the Gulf's exporters sell oil both ways or as gas",
    "AE IQ IR KW OM SA QA BH",
    ["gulf-europe-oil", "qatar-asia-lng"],
  ],
  ["the Black Sea and the Caucasus sell by the Bosporus", "RU UA BG RO GE AM AZ MD TR", ["russia-med-oil"]],
  ["Central America trades through Panama", "GT HN SV NI CR PA BZ", ["panama-transit"]],
  ["the west coast of South America trades through Panama", "CO EC PE CL BO", ["panama-transit"]],
  ["Central Asia trades by the corridor through Pakistan", "AF KG TJ TM UZ", ["cpec-route"]],
  ["southern Africa trades round the Cape", "ZA NA BW LS SZ MZ", ["asia-europe-cape", "brazil-china-bulk"]],
  ["Africa's landlocked west and center trade by the route to China", "BF ML NE TD CF", ["china-africa"]],
  ["the Baltic trades with Asia and America", "DE DK EE FI LT LV PL SE", ["china-europe-suez", "transatlantic"]],
  ["East Asia trades within itself", "CN JP KR KP TW HK MO VN", ["intra-asia-container"]],
  ["South Asia trades with South-East Asia", "IN LK BD MV NP MM", ["india-se-asia"]],
  ["the Caribbean trades with both sides of the Atlantic", "BS BB CU DO HT JM TT", ["transatlantic"]],
])("%s", (_rule, codes, routes) => {
  for (const code of codes.split(" ")) expect(trading(...routes), code).toContain(code);
});
