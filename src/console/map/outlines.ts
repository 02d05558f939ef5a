import { readFileSync } from "node:fs";
import { type GeoProjection, geoEqualEarth } from "d3-geo";
import type { Html } from "../../pages/html.ts";
import type { Project } from "./marks.ts";

/** The land of a map, with the projection for its marks. */
export interface Ground {
  readonly width: number;
  readonly height: number;
  /** Size of a square, in pixels, within which all points become one mark. */
  readonly cell: number;
  readonly project: Project;
  readonly outlines: Html;
  /** Whether the map has empty sea on which the legend fits. */
  readonly isRoomy?: boolean;
}

/** Size of the drawn world in pixels. The projection keeps areas proportional, so no country looks too large. */
export const worldSize = { width: 2000, height: 932 } as const;

/** Antarctica is cut off, because there is no data about it. */
export function worldProjection(): GeoProjection {
  const { width } = worldSize;
  return geoEqualEarth()
    .rotate([-11, 0])
    .scale(width / 5.47)
    .translate([width / 2, 500]);
}

const worldFile = "../../../gen/console/world.json";
let shapes: ReadonlyMap<string, string> | undefined;

/** Returns the outlines of countries on the world map, by alpha-2. Countries too small for 1:110m have none. */
export function worldShapes(): ReadonlyMap<string, string> {
  shapes ??= new Map(Object.entries<string>(JSON.parse(readFileSync(new URL(worldFile, import.meta.url), "utf8"))));
  return shapes;
}

/**
 * One piece of land: its outline, then its lakes, each as alternating longitudes and latitudes. The box around it is in
 * degrees.
 */
export interface Piece {
  readonly rings: readonly Float32Array[];
  readonly west: number;
  readonly east: number;
  readonly south: number;
  readonly north: number;
}

/** A stored piece of land: the rings of its outline and lakes. Each number is the difference from the last point. */
export type StoredPiece = readonly (readonly number[])[];

/** Units per degree in the stored rings. They are finer than the source atlas. */
export const unitsInDegree = 1_000;

let loaded: ReadonlyMap<string, readonly Piece[]> | undefined;

/** Returns the land of every country at scale 1:50m, by alpha-2 code. The file is loaded for the first country map. */
export function lands(): ReadonlyMap<string, readonly Piece[]> {
  loaded ??= read();
  return loaded;
}

/** Parses the file line by line, because parsing all of it at once would take several times the memory. */
function read(): ReadonlyMap<string, readonly Piece[]> {
  const text = readFileSync(new URL("../../../gen/console/lands.json", import.meta.url), "utf8");
  return new Map(
    text.split("\n").flatMap((line) => {
      const found = /^"([A-Z]{2})":(.*?),?$/.exec(line);
      if (!found) return [];
      const [, code = "", pieces = ""] = found;
      const stored: readonly StoredPiece[] = JSON.parse(pieces);
      return [[code, stored.map(pieceOf)] as const];
    }),
  );
}

function pieceOf(stored: StoredPiece): Piece {
  const rings = stored.map(ringOf);
  let [west, east, south, north] = [180, -180, 90, -90];
  const outline = rings[0] ?? new Float32Array();
  for (let index = 0; index < outline.length; index += 2) {
    const [x = 0, y = 0] = [outline[index], outline[index + 1]];
    [west, east] = [Math.min(west, x), Math.max(east, x)];
    [south, north] = [Math.min(south, y), Math.max(north, y)];
  }
  return { rings, west, east, south, north };
}

function ringOf(steps: readonly number[]): Float32Array {
  const ring = new Float32Array(steps.length);
  let [x, y] = [0, 0];
  for (let index = 0; index < steps.length; index += 2) {
    x += steps[index] ?? 0;
    y += steps[index + 1] ?? 0;
    ring[index] = x / unitsInDegree;
    ring[index + 1] = y / unitsInDegree;
  }
  return ring;
}
