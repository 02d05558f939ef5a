import { around } from "geokdbush";
import KDBush from "kdbush";
import { type ListProgram, outputHere, outputOf } from "./prepared-output.ts";

export interface LandBuffers {
  /** A `KDBush` index of the coast points of each country, by alpha-2 code. */
  readonly coasts: ReadonlyMap<string, ArrayBufferLike>;
  /** Longitude and latitude of each corner of the coastlines, one ring after another. */
  readonly corners: Float32Array;
  /** Indexes in `corners` at which edges start. Edges are grouped by columns of longitude. */
  readonly edges: Uint32Array;
  /** The index in `edges` at which the edges of each column end. */
  readonly ends: Uint32Array;
}

export type IsNearLand = (latitude: number, longitude: number, country: string) => boolean;

/** Waters up to 24 nautical miles from a coast count, like the contiguous zone in the Law of the Sea. */
const reachKm = 44.448;
export const columns = 1_440;

export const landList: ListProgram<LandBuffers> = { name: "land", url: new URL("./land-list.ts", import.meta.url) };

export async function loadLand(): Promise<IsNearLand> {
  return nearLand(await outputOf(landList));
}

let here: IsNearLand | undefined;
let coming: Promise<void> | undefined;

/** Loads the land in the background, so that `landHere` does not block. It is loaded once. */
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

/** Returns the land. If it is not loaded, this blocks, so only threads that serve no requests may call it before. */
export function landHere(): IsNearLand {
  here ??= nearLand(outputHere(landList));
  return here;
}

/** Converts a difference of longitudes to the range from -180 to 180 degrees. */
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
  /** Returns whether a point is on land: a ray from it to the north then crosses coasts an odd number of times. */
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
