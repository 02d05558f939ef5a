import { around } from "geokdbush";
import KDBush from "kdbush";
import { type ListProgram, outputOf } from "./prepared-output.ts";

/** The world's populated places in compact form: about 10 MB for 130,000. */
export interface PlaceBuffers {
  /** A `KDBush` of longitude and latitude. */
  readonly index: ArrayBufferLike;
  readonly codes: Uint16Array;
  /** End of each place's name in `names`. */
  readonly ends: Uint32Array;
  /** All names in UTF-8, concatenated. */
  readonly names: Uint8Array;
  /** Longitude and latitude of each place, as listed. */
  readonly coordinates: Float64Array;
  readonly populations: Uint32Array;
  /** The plain name of each place, one per line. */
  readonly plainNames: Uint8Array;
  /** The first-level area of each place, such as `US-TX`, one per line. */
  readonly areas: Uint8Array;
}

export const placeList: ListProgram<PlaceBuffers> = {
  name: "places",
  url: new URL("./place-list.ts", import.meta.url),
};

export type NearestPlace = (latitude: number, longitude: number, country: string) => string | undefined;

const reachKm = 50;

export async function loadPlaces(list = placeList): Promise<NearestPlace> {
  return nearestPlace(await outputOf(list));
}

export function packCode(alpha2: string): number {
  return (alpha2.charCodeAt(0) << 8) | alpha2.charCodeAt(1);
}

export function unpackCode(code: number): string {
  return String.fromCharCode(code >> 8, code & 0xff);
}

function nearestPlace(buffers: PlaceBuffers): NearestPlace {
  // The buffers are copied, because they are views of twice as much data.
  const [codes, ends, names] = [buffers.codes.slice(), buffers.ends.slice(), buffers.names.slice()];
  const tree = KDBush.from(buffers.index);
  const decoder = new TextDecoder();
  return (latitude, longitude, country) => {
    const code = packCode(country);
    const nearest = (count?: number) =>
      around(tree, longitude, latitude, count, reachKm).find((id) => codes[id] === code);
    // A few neighbors are checked first. A filter within the search would visit the whole tree if the country has no
    // place nearby.
    const id = nearest(8) ?? nearest();
    return id === undefined ? undefined : decoder.decode(names.subarray(ends[id - 1] ?? 0, ends[id]));
  };
}
