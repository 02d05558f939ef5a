import { around } from "geokdbush";
import KDBush from "kdbush";
import { type ListProgram, outputHere, outputOf } from "./prepared-output.ts";

export interface LandBuffers {
  /** A `KDBush` of longitude and latitude of coast points, by alpha-2 code. */
  readonly coasts: ReadonlyMap<string, ArrayBufferLike>;
  /** Longitude and latitude of each corner of the land, by ring. */
  readonly corners: Float32Array;
  /** Start of each edge in `corners`, by column of longitude. */
  readonly edges: Uint32Array;
  /** End of each column in `edges`. */
  readonly ends: Uint32Array;
}

export type IsNearLand = (latitude: number, longitude: number, country: string) => boolean;

/** 24 nautical miles: the contiguous zone of the Convention on the Law of the Sea. */
const reachKm = 44.448;
export const columns = 1_440;

export const landList: ListProgram<LandBuffers> = { name: "land", url: new URL("./land-list.ts", import.meta.url) };

export async function loadLand(): Promise<IsNearLand> {
  return nearLand(await outputOf(landList));
}

let here: IsNearLand | undefined;
let coming: Promise<void> | undefined;

/** Loads the data for `landHere` once, in the background. */
export function prepareLand(): Promise<void> {
  coming ??= loadLand().then(
    (land) => {
      here = land;
    },
    (error) => {
      coming = undefined;
      throw error;
    },
  );
  return coming;
}

/** Like `prepareLand`, for threads that serve no requests: the first call blocks. */
export function landHere(): IsNearLand {
  here ??= nearLand(outputHere(landList));
  return here;
}

/** Normalizes degrees of longitude to the range from -180 to 180. */
export function halfTurn(degrees: number): number {
  return degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees;
}

export function columnsOf(from: number, to: number): number[] {
  const other = from + halfTurn(to - from);
  const first = columnOf(Math.min(from, other));
  const count = columnOf(Math.max(from, other)) - first + 1;
  return Array.from({ length: count }, (_, step) => (first + step + columns) % columns);
}

function columnOf(longitude: number): number {
  return Math.floor(((longitude + 180) / 360) * columns);
}

function nearLand({ coasts, corners, edges, ends }: LandBuffers): IsNearLand {
  const trees = new Map([...coasts].map(([country, index]) => [country, KDBush.from(index)]));
  /** Whether a ray from the point to the north crosses the coast an odd number of times. */
  const isLand = (latitude: number, longitude: number) => {
    const column = columnOf(longitude) % columns;
    let inside = false;
    for (const corner of edges.subarray(ends[column - 1] ?? 0, ends[column])) {
      const [west = 0, east = 0] = [corners[corner], corners[corner + 2]];
      const from = halfTurn(west - longitude);
      const to = from + halfTurn(east - west);
      if (from > 0 === to > 0) continue;
      const [start = 0, end = 0] = [corners[corner + 1], corners[corner + 3]];
      if (start + ((end - start) * from) / (from - to) > latitude) inside = !inside;
    }
    return inside;
  };
  const isNearCoast = (latitude: number, longitude: number, country: string) => {
    const tree = trees.get(country);
    return tree !== undefined && around(tree, longitude, latitude, 1, reachKm).length > 0;
  };
  return (latitude, longitude, country) => isLand(latitude, longitude) || isNearCoast(latitude, longitude, country);
}
