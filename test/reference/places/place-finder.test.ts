import { expect, test } from "vitest";
import { countries } from "../../../src/reference/countries/countries.ts";
import { aliases } from "../../../src/reference/countries/country-names.ts";
import { findPlaces } from "../../../src/reference/places/place-finder.ts";
import { isVirtual, placeQuery } from "../../../src/reference/places/place-query.ts";
import { placeList } from "../../../src/reference/places/places.ts";
import { outputOf } from "../../../src/reference/places/prepared-output.ts";

/** Country and whole degrees of each text's place. */
const places = [
  ["Lisbon, Portugal", "PT", 39, -9],
  ["Austin, TX", "US", 30, -98],
  ["San Francisco", "US", 38, -122],
  ["San Jose", "US", 37, -122],
  ["San José, Costa Rica", "CR", 10, -84],
  ["Cambridge, MA", "US", 42, -71],
  ["Cambridge, UK", "GB", 52, 0],
  ["Atlanta, Georgia", "US", 34, -84],
  ["Tbilisi, Georgia", "GE", 42, 45],
  ["Berlin, DE", "DE", 53, 13],
  ["Dublin, CA", "US", 38, -122],
  ["Dublin", "IE", 53, -6],
  ["London, ON", "CA", 43, -81],
  ["London, England", "GB", 52, 0],
  ["Vancouver, BC, Canada", "CA", 49, -123],
  ["New York, NY, USA", "US", 41, -74],
  ["New York", "US", 41, -74],
  ["Washington, DC", "US", 39, -77],
  ["Washington, D.C.", "US", 39, -77],
  ["Cologne", "DE", 51, 7],
  ["Hannover", "DE", 52, 10],
  ["Hanover, NH", "US", 44, -72],
  ["Geneva, Switzerland", "CH", 46, 6],
  ["Zurich", "CH", 47, 9],
  ["MONTRÉAL", "CA", 46, -74],
  ["St. Louis, MO", "US", 39, -90],
  ["Paris, Île-de-France, France", "FR", 49, 2],
  ["HYBRID: Berlin, Germany", "DE", 53, 13],
  ["Berlin, Germany & Online", "DE", 53, 13],
  ["Port of Spain, Trinidad and Tobago", "TT", 11, -62],
  ["Hong Kong", "HK", 22, 114],
  ["Singapore, Singapore", "SG", 1, 104],
  ["Singapore", "SG", 1, 104],
  ["Monaco", "MC", 44, 7],
  ["Luxembourg", "LU", 50, 6],
  ["Hong Kong, China", "HK", 22, 114],
  ["New York & Online", "US", 41, -74],
  ["Washington", "US", 39, -77],
  ["Quebec", "CA", 47, -71],
  ["Frankfurt", "DE", 50, 9],
  ["Frankfurt, Germany", "DE", 50, 9],
  ["Wroclaw, Poland", "PL", 51, 17],
  ["Lodz, Poland", "PL", 52, 19],
  ["Łódź", "PL", 52, 19],
  ["Aarhus, Denmark", "DK", 56, 10],
  ["Århus, Denmark", "DK", 56, 10],
  ["St. Gallen, Switzerland", "CH", 47, 9],
  ["Padua, Italy", "IT", 45, 12],
  ["Cracow", "PL", 50, 20],
  ["San Sebastian", "ES", 43, -2],
  ["Palma de Mallorca, Spain", "ES", 40, 3],
  ["Den Haag", "NL", 52, 4],
  ["Bali", "ID", -9, 115],
  ["Tromso, Norway", "NO", 70, 19],
  ["Giessen, Germany", "DE", 51, 9],
  ["DIYARBAKIR, Turkey", "TR", 38, 40],
] as const;

/** Looked for and not found: no part of a name is taken for the whole. */
const unknown = [
  "Berli",
  "Greater Berlin Area",
  "Springfield, Atlantis",
  "Austin, Portugal",
  "Germany",
  "Hybrid: Canada",
  "UK (online)",
  "Scotland",
  ...["Wales", "Colombia", "Mexico", "Florida", "California", "Delaware", "Wyoming", "Ontario"],
  "a",
  "Ostia, XX",
];

test("places are found as people name them, in the area they name, else where most people live", async () => {
  const found = await findPlaces([...places.map(([text]) => text), ...unknown]);
  for (const [text, country, latitude, longitude] of places) {
    const place = found.get(text);
    expect([text, place?.country]).toEqual([text, country]);
    expect([Math.round(place!.latitude) + 0, Math.round(place!.longitude) + 0]).toEqual([latitude, longitude]);
  }
  expect(unknown.filter((text) => found.has(text))).toEqual([]);
});

test("what is the name or code of a country or of a part of one, and no more, is nowhere else", async () => {
  const named = [...countries.values()].flatMap(({ alpha2, alpha3, name }) =>
    [name, alpha2, alpha3, ...(aliases[alpha2] ?? [])].map((text): [string, string] => [text, alpha2]),
  );
  named.push(["England", "GB"], ["Wales", "GB"], ["Florida", "US"], ["Ontario", "CA"]);
  const found = await findPlaces(named.flatMap(([text]) => [text, `Hybrid: ${text}`, text.toUpperCase()]));
  for (const [text, country] of named)
    for (const written of [text, `Hybrid: ${text}`, text.toUpperCase()])
      expect([written, found.get(written)?.country ?? country]).toEqual([written, country]);
});

test.each(["", "  ", ",", "!!", "'; drop table place; --", "../../etc/passwd", "Austin, <script>"])(
  "%j is looked for without harm and not found",
  async (text) => {
    expect((await findPlaces([text, "Austin, TX"])).size).toBe(1);
  },
);

test.each(["Online", "VIRTUAL", "virtually", "Remote", "Webinar", "Online / Virtual", "(Hybrid)", "livestream"])(
  "%s is virtual and not a place",
  (text) => {
    expect([isVirtual(text), placeQuery(text)]).toEqual([true, undefined]);
  },
);

test.each(["", "Lisbon", "Hybrid: Lisbon", "Lisbon, Portugal and online", "Onlinegen"])("%j is not virtual", (text) => {
  expect(isVirtual(text)).toBe(false);
});

test("an unprepared list is computed in a process of its own, with the same result", async () => {
  expect(await outputOf({ ...placeList, name: "unprepared" })).toEqual(await outputOf(placeList));
});
