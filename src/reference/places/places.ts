import { fork } from "node:child_process";
import { around } from "geokdbush";
import KDBush from "kdbush";

/** The populated places of the world, compact: about 5 MB for 130,000. */
export interface PlaceBuffers {
  /** A `KDBush` of longitude and latitude. */
  readonly index: ArrayBufferLike;
  /** Country of each place, packed. */
  readonly codes: Uint16Array;
  /** Where the name of each place ends in `names`. */
  readonly ends: Uint32Array;
  /** All names in UTF-8, one after the other. */
  readonly names: Uint8Array;
}

/** Finds the nearest place of a country. */
export type NearestPlace = (latitude: number, longitude: number, country: string) => string | undefined;

const reachKm = 50;

/** Loads the places through a process of its own, which ends with its memory; a thread's would stay with us. */
export async function loadPlaces(): Promise<NearestPlace> {
  const buffers = await new Promise<PlaceBuffers>((resolve, reject) => {
    fork(new URL("./place-list.ts", import.meta.url), { serialization: "advanced", execArgv: [] })
      .once("message", (message: PlaceBuffers) => resolve(message))
      .once("error", reject)
      .once("close", (code) => reject(new Error(`The place list ended without its buffers (exit code ${code})`)));
  });
  return nearestPlace(buffers);
}

/** An alpha-2 code as one 16-bit number. */
export function packCode(alpha2: string): number {
  return (alpha2.charCodeAt(0) << 8) | alpha2.charCodeAt(1);
}

function nearestPlace({ index, codes, ends, names }: PlaceBuffers): NearestPlace {
  const tree = KDBush.from(index);
  const decoder = new TextDecoder();
  return (latitude, longitude, country) => {
    const code = packCode(country);
    const nearest = (count?: number) =>
      around(tree, longitude, latitude, count, reachKm).find((id) => codes[id] === code);
    // Among a few neighbours first: a filter within the search would walk the whole tree where a country has no place near.
    const id = nearest(8) ?? nearest();
    return id === undefined ? undefined : decoder.decode(names.subarray(ends[id - 1] ?? 0, ends[id]));
  };
}
