/** A program of its own: decodes the place list and sends a few compact buffers. */
import KDBush from "kdbush";
import { recognisedCode } from "./disputed-areas.ts";
import { type PlaceBuffers, packCode } from "./places.ts";
import { populatedPlaces } from "./populated-places.ts";

const index = new KDBush(populatedPlaces.length, undefined, Float32Array);
const codes = new Uint16Array(populatedPlaces.length);
const ends = new Uint32Array(populatedPlaces.length);
const names = new TextEncoder().encode(populatedPlaces.map(({ name }) => name).join(""));

let end = 0;
for (const [i, { name, country, loc }] of populatedPlaces.entries()) {
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
