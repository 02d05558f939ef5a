import { existsSync, readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createReverseGeocoder } from "../../../src/domains/infrastructure/reverse-geocoder.ts";
import { Unavailable } from "../../../src/errors.ts";
import { countries } from "../../../src/reference/countries/countries.ts";
import { disputedAreas } from "../../../src/reference/places/disputed-areas.ts";
import { loadPlaces, placeList } from "../../../src/reference/places/places.ts";

const geocode = createReverseGeocoder();

test.each([
  ["Beirut", 33.89, 35.5, "LB", "Lebanon", "Beirut, Lebanon"],
  ["Hong Kong, a territory before its country", 22.28, 114.16, "HK", "Hong Kong", undefined],
  ["Puerto Rico", 18.4, -66.1, "PR", "Puerto Rico", "Guaynabo, Puerto Rico"],
  ["Nuuk", 64.18, -51.72, "GL", "Greenland", "Nuuk, Greenland"],
  ["Pristina", 42.66, 21.16, "XK", "Kosovo", "Pristina, Kosovo"],
  ["Taipei", 25.05, 121.5, "TW", "Taiwan", undefined],
  ["Svalbard", 78.22, 15.65, "SJ", "Svalbard and Jan Mayen", "Longyearbyen, Svalbard and Jan Mayen"],
  ["the Canary Islands, whose code is only reserved", 28.1, -15.41, "ES", "Spain", undefined],
  ["Ceuta", 35.89, -5.31, "ES", "Spain", "Ceuta, Spain"],
  ["a city with its country's name", 1.29, 103.85, "SG", "Singapore", "Singapore"],
  ["the Sahara, without a place near", 22, 5, "DZ", "Algeria", "Algeria"],
  ["Fiji on the antimeridian from the west", -16.8, 180, "FJ", "Fiji", "Fiji"],
  ["Fiji on the antimeridian from the east", -16.8, -180, "FJ", "Fiji", "Fiji"],
])("%s", async (_title, latitude, longitude, code, country, displayName) => {
  const response = await geocode(latitude, longitude);
  expect(response).toMatchObject({ code, country });
  if (displayName) expect(response.displayName).toBe(displayName);
});

test.each([
  ["the Atlantic", 30, -40],
  ["the Gulf of Guinea at zero", 0, 0],
  ["the North Pole", 90, 0],
  ["the South Pole", -90, 0],
  ["the South Pole at the antimeridian", -90, 180],
  ["Antarctica", -80, -120],
  ["Bir Tawil, which no state claims", 21.87, 33.7],
])("the geocoder finds nothing at %s, without an error", async (_title, latitude, longitude) => {
  expect(await geocode(latitude, longitude)).toEqual({});
});

test.each([
  ["Sevastopol", 44.6, 33.53, "UA", "Sevastopol, Ukraine"],
  ["Kerch", 45.36, 36.47, "UA", "Kerch, Ukraine"],
  ["Taman, across the strait", 45.21, 36.72, "RU", undefined],
  ["Henichesk", 46.17, 34.8, "UA", undefined],
  ["Laayoune", 27.15, -13.2, "EH", "Laayoune, Western Sahara"],
  ["Tifariti, east of the berm", 26.16, -10.57, "EH", undefined],
  ["Tan-Tan, north of the border", 28.44, -11.1, "MA", undefined],
  ["Fiq in the Golan", 32.779, 35.7, "SY", "Fīq, Syria"],
  ["Majdal Shams", 33.27, 35.77, "SY", undefined],
  ["Ein Gev on the lake", 32.78, 35.64, "IL", undefined],
  ["Kiryat Shmona", 33.207, 35.572, "IL", undefined],
  ["Kyrenia", 35.33, 33.32, "CY", "Kyrenia, Cyprus"],
  ["Famagusta", 35.12, 33.94, "CY", undefined],
  ["the Old City of Jerusalem", 31.777, 35.234, "PS", undefined],
  ["Sheikh Jarrah", 31.794, 35.232, "PS", undefined],
  ["the Knesset", 31.7767, 35.2053, "IL", "Jerusalem, Israel"],
  ["Jaffa Road", 31.7835, 35.217, "IL", undefined],
  ["Ramallah", 31.9, 35.2, "PS", undefined],
  ["Sukhumi", 43, 41, "GE", undefined],
  ["Hargeisa", 9.56, 44.06, "SO", undefined],
])("%s follows the position of the United Nations", async (_title, latitude, longitude, code, displayName) => {
  const response = await geocode(latitude, longitude);
  expect(response.code).toBe(code);
  if (displayName) expect(response.displayName).toBe(displayName);
});

test("every correction names its reason and a country", () => {
  for (const { code, reason } of disputedAreas) {
    expect(countries.has(code)).toBe(true);
    expect(reason).not.toBe("");
  }
});

test("the point that stands for a country lies in it", async () => {
  for (const { alpha2, latitude, longitude } of countries.values()) {
    if (alpha2 !== "AQ") expect((await geocode(latitude, longitude)).code, alpha2).toBe(alpha2);
  }
});

test("any point on Earth has either all three names or none, and the same on both sides of the antimeridian", async () => {
  const latitude = fc.double({ min: -90, max: 90, noNaN: true });
  const longitude = fc.double({ min: -180, max: 180, noNaN: true });
  await fc.assert(
    fc.asyncProperty(latitude, longitude, async (lat, lon) => {
      const { code, country, displayName } = await geocode(lat, lon);
      expect(countries.get(code ?? "")?.name).toBe(country);
      expect(displayName === undefined).toBe(country === undefined);
      if (country) expect(displayName?.endsWith(country)).toBe(true);
      expect(await geocode(lat, 180)).toEqual(await geocode(lat, -180));
    }),
    { numRuns: 500 },
  );
});

test.skipIf(!existsSync("/proc/self"))("a place list that was killed while it loaded is loaded again", async () => {
  const before = new Set(placeLists());
  const geocoder = createReverseGeocoder({ places: () => loadPlaces({ ...placeList, name: "unprepared" }) });
  const killed = placeLists().filter((pid) => !before.has(pid));
  expect(killed).toHaveLength(1);
  for (const pid of killed) process.kill(pid, "SIGKILL");
  await expect(geocoder(33.89, 35.5)).rejects.toThrow(Unavailable);
  expect(await geocoder(33.89, 35.5)).toMatchObject({ displayName: "Beirut, Lebanon" });
});

/** The processes of this one that are loading places. */
function placeLists(): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const [, state, parent] = read(`/proc/${pid}/stat`).match(/\) (\S) (\d+) /) ?? [];
      return state !== "Z" && Number(parent) === process.pid && read(`/proc/${pid}/cmdline`).includes("place-list.ts");
    });
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // The process ended in the meantime.
    return "";
  }
}
