import { expect, test } from "vitest";
import {
  countries,
  countryByAlpha3,
  countryByName,
  countryByNumeric,
} from "../../../src/reference/countries/countries.ts";
import { countryByGleditschWard } from "../../../src/reference/countries/gleditsch-ward.ts";

test("the table holds the 249 countries and territories of ISO 3166-1 and Kosovo, each code once", () => {
  expect(countries.size).toBe(250);
  const all = [...countries.values()];
  for (const key of ["alpha2", "alpha3", "numeric", "name"] as const)
    expect(new Set(all.map((country) => country[key])).size, key).toBe(250);
  for (const { alpha2, alpha3, numeric } of all) {
    expect(alpha2).toMatch(/^[A-Z]{2}$/);
    expect(alpha3).toMatch(/^[A-Z]{3}$/);
    expect(numeric).toMatch(alpha2 === "XK" ? /^$/ : /^\d{3}$/);
  }
});

test.each([
  [4, "AF"],
  [736, undefined],
  [729, "SD"],
  [0, undefined],
  [2, undefined],
])("the number %i is %s", (number, code) => {
  expect(countryByNumeric(number)?.alpha2).toBe(code);
});

test("every country is found by its alpha-3 code in capitals, and by no other", () => {
  for (const country of countries.values()) expect(countryByAlpha3(country.alpha3)).toBe(country);
  expect(["fra", "FR", "", "ZZZ"].map(countryByAlpha3)).toEqual(Array(4).fill(undefined));
});

test("every short name and its spelling in capitals without accents finds its country", () => {
  for (const { alpha2, name } of countries.values()) {
    const plain = name.normalize("NFD").replace(/\p{Mark}/gu, "");
    expect(countryByName(name)?.alpha2, name).toBe(alpha2);
    expect(countryByName(plain.toUpperCase())?.alpha2, plain).toBe(alpha2);
  }
});

test.each([
  ["Democratic Republic of Congo", "CD"],
  ["Congo, Dem. Rep.", "CD"],
  ["DR Congo (Zaire)", "CD"],
  ["Republic of Congo", "CG"],
  ["Congo", "CG"],
  ["Ivory Coast", "CI"],
  ["Côte d’Ivoire", "CI"],
  ["Turkiye", "TR"],
  ["Turkey", "TR"],
  ["eSwatini", "SZ"],
  ["Kingdom of eSwatini (Swaziland)", "SZ"],
  ["Russia (Soviet Union)", "RU"],
  ["Yemen (North Yemen)", "YE"],
  ["Bosnia-Herzegovina", "BA"],
  ["Myanmar (Burma)", "MM"],
  ["Zimbabwe (Rhodesia)", "ZW"],
  ["Korea (Democratic People's Republic of)", "KP"],
  ["Korea, Rep.", "KR"],
  ["Virgin Islands (U.S.)", "VI"],
  ["Virgin Islands (British)", "VG"],
  ["St. Kitts & Nevis", "KN"],
  ["The Gambia", "GM"],
  ["Bahamas, The", "BS"],
  ["Viet Nam", "VN"],
  ["Yemen, Republic of", "YE"],
  ["Egypt, Arab Republic of", "EG"],
  ["Somalia, Federal Republic of", "SO"],
  ["Venezuela, Republica Bolivariana de", "VE"],
  ["Kosovo", "XK"],
  ["West Bank and Gaza", "PS"],
  ["Korea", undefined],
  ["Akrotiri and Dhekelia", undefined],
  ["", undefined],
])("the name %j is %s", (name, code) => {
  expect(countryByName(name)?.alpha2).toBe(code);
});

test.each([
  [2, "US"],
  [260, "DE"],
  [345, "RS"],
  [347, "XK"],
  [365, "RU"],
  [490, "CD"],
  [530, "ET"],
  [626, "SS"],
  [678, "YE"],
  [775, "MM"],
  [816, "VN"],
  [315, undefined],
  [0, undefined],
])("the Gleditsch-Ward state %i is %s", (number, code) => {
  expect(countryByGleditschWard(number)).toBe(code);
});

test("every Gleditsch-Ward state leads to a country of the table", () => {
  const codes = Array.from({ length: 1000 }, (_, number) => countryByGleditschWard(number)).filter(Boolean);
  expect(codes.length).toBeGreaterThan(195);
  for (const code of codes) expect(countries.has(code ?? ""), code).toBe(true);
});
