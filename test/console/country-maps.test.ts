import { expect, test } from "vitest";
import { countryGround } from "../../src/console/map/country-map.ts";
import { lands } from "../../src/console/map/outlines.ts";
import { countries } from "../../src/reference/countries/countries.ts";

const maps = [...lands().keys()].flatMap((code) => {
  const country = countries.get(code);
  return country ? [{ country, markup: countryGround(country)?.outlines.markup ?? "" }] : [];
});

test("each country is drawn within its map and fills it one way, whatever it borders on and wherever it crosses 180 degrees", () => {
  expect(maps.length).toBeGreaterThan(230);
  for (const { country, markup } of maps) {
    const [, own = ""] = /class="land here" d="([^"]+)"/.exec(markup) ?? [];
    const places = [...own.matchAll(/(-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)] as const);
    const [xs, ys] = [places.map(([x]) => x), places.map(([, y]) => y)];
    const [wide, high] = [Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys)];
    expect(Math.max(wide / 796, high / 416), country.name).toBeGreaterThan(0.97);
    expect(markup, country.name).not.toMatch(/NaN|Infinity/);
    const all = [...markup.matchAll(/ d="([^"]+)"/g)].flatMap(([, path = ""]) => path.match(/-?[\d.]+/g) ?? []);
    expect(Math.max(...all.map((each) => Math.abs(Number(each)))), country.name).toBeLessThan(850);
    expect(markup.length, country.name).toBeLessThan(400_000);
  }
});

test("a map is drawn in a few milliseconds, and only the land of its places is in memory", () => {
  const taken = maps.map(({ country }) => {
    const begin = performance.now();
    countryGround(country);
    return performance.now() - begin;
  });
  expect(taken.toSorted((a, b) => a - b)[Math.floor(taken.length / 2)]).toBeLessThan(20);
  const places = [...lands().values()].flat().flatMap(({ rings }) => rings.map(({ length }) => length));
  expect(places.reduce((sum, length) => sum + 4 * length, 0)).toBeLessThan(2_000_000);
});
