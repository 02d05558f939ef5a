import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type TestApp } from "../../support/app.ts";
import { describeEachDatabase } from "../../support/databases.ts";

const path = "/api/infrastructure/v1/resolve-place";

interface Body {
  readonly places: readonly Readonly<Record<"country" | "countryName" | "admin1Code" | "admin1Name", string>>[];
}

describeEachDatabase("ResolvePlace", (openFresh) => {
  let app: TestApp;
  const codes = async (query: string) => {
    const { places } = await app.json<Body>(`${path}?${query}`);
    return places.map(({ country, admin1Code }) => admin1Code || country);
  };
  beforeAll(async () => {
    app = await startApp(await openFresh());
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test("a name and a code lead to the same area, with the names of both", async () => {
    const khartoum = { country: "SD", countryName: "Sudan", admin1Code: "SD-KH", admin1Name: "Khartoum" };
    for (const place of ["Khartoum", "SD-KH", "sd-kh", "khartoum state", "Al Kharţūm"])
      expect(await app.json<Body>(`${path}?place=${encodeURIComponent(place)}`), place).toEqual({ places: [khartoum] });
  });

  test.each([
    ["a country by name", "Sudan", ["SD"]],
    ["a country by alpha-3 code", "SDN", ["SD"]],
    ["a country and an area of the same name", "Georgia", ["GE", "US-GA"]],
    ["an area with another direction word", "Northern Darfur", ["SD-DN"]],
    ["the area around a smaller one", "BF-BAL", ["BF-01"]],
    ["areas of several countries", "Amazonas", ["BR-AM", "CO-AMA", "PE-AMA", "VE-Z"]],
    ["a territory that is a country of its own", "Puerto Rico", ["PR"]],
    ["an area whose code has a new meaning", "Tehran", ["IR-23"]],
    ["an area that is listed with a mark", "Zanzan", ["CI-ZZ"]],
    ["an area whose English name is missing in CLDR", "Inner Mongolia", ["CN-NM"]],
    ["an area by its earlier spelling", "Kiev", ["UA-30"]],
    ["a name with a zero-width space", "Khar\u200btoum", ["SD-KH"]],
    ["a code after a zero-width space", "\ufeffSD-KH", ["SD-KH"]],
    ["a country code after a zero-width space", "\u200bSDN", ["SD"]],
    ["nonsense", "qwertz", []],
    ["no letters", "--", []],
    ["a code that does not exist", "SD-ZZ", []],
  ])("resolves %s", async (_title, place, expected) => {
    expect(await codes(`place=${encodeURIComponent(place)}`)).toEqual(expected);
  });

  test.each([
    ["in a city", "lat=15.6&lon=32.5", ["SD-KH"]],
    ["in a state with few places", "lat=13.63&lon=25.35", ["SD"]],
    ["in a desert", "lat=21&lon=27", ["SD"]],
    ["at the border of two areas", "lat=38.90&lon=-77.06", ["US"]],
    ["in Tehran", "lat=35.69&lon=51.42", ["IR-23"]],
    ["in Crimea", "lat=44.95&lon=34.1", ["UA-43"]],
    ["in the open sea", "lat=30&lon=-40", []],
  ])("a point %s leads to its country, and to its area if it is certain", async (_title, query, expected) => {
    expect(await codes(query)).toEqual(expected);
  });

  test("the country limits the candidates", async () => {
    expect(await codes("place=Amazonas&country=PE")).toEqual(["PE-AMA"]);
    expect(await codes("place=Amazonas&country=SD")).toEqual([]);
  });

  test("a request with no place, or with a name and a point, is rejected", async () => {
    for (const query of ["", "lon=1", "place=SD&lat=1&lon=1", "place=SD&lat=1"])
      expect(await app.rejected(`${path}?${query}`), query).toEqual(["place", "lat"]);
    for (const query of ["place=%20", "lat=1", "place=SD&lon=1"])
      expect(await app.rejected(`${path}?${query}`), query).toEqual(["place"]);
    expect(await app.rejected(`${path}?lat=91&lon=0`)).toEqual(["lat"]);
  });

  test("an event has the code of its area, and the source's name of it", async () => {
    await app.refresh("conflict-events");
    const list = "/api/conflict/v1/list-conflict-events?start=2025-11-18";
    interface Events {
      readonly events: readonly Readonly<Record<"country" | "admin1" | "admin1Code" | "admin1From", string>>[];
    }
    const { events } = await app.json<Events>(list);
    const named = events.filter(({ admin1From }) => admin1From === "name");
    expect(named.length).toBeGreaterThan(100);
    for (const { country, admin1, admin1Code } of named.filter((_, index) => index % 20 === 0)) {
      expect(admin1Code.startsWith(`${country}-`), admin1).toBe(true);
      expect(admin1).not.toBe("");
    }
    const unlisted = events.filter(({ admin1From }) => admin1From === "source");
    expect(unlisted.length).toBeGreaterThan(10);
    for (const { country, admin1, admin1Code } of unlisted) expect(admin1Code).toBe(`${country}:${admin1}`);
    // The strip consists of five regions, one of which has a similar name.
    expect(events.filter(({ admin1 }) => admin1 === "Gaza Strip").map(({ admin1Code }) => admin1Code)).not.toContain(
      "PS-GZA",
    );
    expect(events.every(({ admin1Code, admin1From }) => (admin1Code === "") === (admin1From === ""))).toBe(true);
  });

  test("names have no footnote marks", async () => {
    for (const code of ["FR-IDF", "EE-79", "CI-BS"]) {
      const { places } = await app.json<Body>(`${path}?place=${code}`);
      for (const { admin1Name } of places) expect(admin1Name, code).toMatch(/[\p{L})]$/u);
    }
  });
});
