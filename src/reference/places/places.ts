import { around } from "geokdbush";
import KDBush from "kdbush";
import { type ListProgram, outputOf } from "./prepared-output.ts";

/** The populated places of the world as buffers: about 10 MB for 130,000 places. */
export interface PlaceBuffers {
  /** A `KDBush` index of the places by longitude and latitude. */
  readonly index: ArrayBufferLike;
  readonly codes: Uint16Array;
  /** The offset in `names` at which the name of each place ends. */
  readonly ends: Uint32Array;
  /** The names of all places in UTF-8, without separators. */
  readonly names: Uint8Array;
  /** Longitude and latitude of each place, in the order of the list. */
  readonly coordinates: Float64Array;
  readonly populations: Uint32Array;
  /** The name of each place, normalized by `plainName`, one per line. */
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
  // Views of a larger buffer would keep that buffer in memory, so they are copied.
  const [codes, ends, names] = [buffers.codes.slice(), buffers.ends.slice(), buffers.names.slice()];
  const tree = KDBush.from(buffers.index);
  const decoder = new TextDecoder();
  return (latitude, longitude, country) => {
    const code = packCode(country);
    const nearest = (count?: number) =>
      around(tree, longitude, latitude, count, reachKm).find((id) => codes[id] === code);
    // The country of the nearest eight places is checked first, because this is fast. If none matches, all places
    // within the radius are searched.
    const id = nearest(8) ?? nearest();
    return id === undefined ? undefined : decoder.decode(names.subarray(ends[id - 1] ?? 0, ends[id]));
  };
}
