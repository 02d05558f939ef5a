/** This separate program reads the land of Natural Earth (scale 1:10 million) and writes it as compact buffers. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { serialize } from "node:v8";
import KDBush from "kdbush";
import { feature } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import { drawnAt } from "./boundaries.ts";
import { columns, columnsOf, halfTurn, type LandBuffers } from "./land.ts";
import { smallIslands } from "./small-islands.ts";

/** Minimum distance between two points of a coast. Distances to a coast are therefore accurate to two kilometers. */
const minSpacingKm = 2;
const maxSpacingKm = 5;
const kmPerDegree = 111.2;

/** A closed line as alternating longitudes and latitudes. The last corner equals the first. */
type Ring = readonly number[];

const file = createRequire(import.meta.url).resolve("world-atlas/land-10m.json");
const atlas: Topology<{ land: GeometryCollection }> = JSON.parse(readFileSync(file, "utf8"));
// The outlines have no holes for lakes, so lakes count as land. The Caspian Sea is a hole and counts as sea.
const rings: Ring[] = feature(atlas, atlas.objects.land).features.flatMap(({ geometry }) =>
  geometry.type === "MultiPolygon"
    ? geometry.coordinates.flatMap((outlines) => outlines.map((ring) => ring.flat()))
    : [],
);

const coasts = new Map<string, number[]>();
for (const ring of rings) addCoast(ring);
for (const [, latitude, longitude] of smallIslands) addPoint(longitude, latitude);

const buffers: LandBuffers = {
  coasts: new Map([...coasts].map(([country, points]) => [country, indexOf(points)])),
  ...edgesOf(rings),
};
process.stdout.write(serialize(buffers));

function indexOf(points: readonly number[]): ArrayBufferLike {
  const index = new KDBush(points.length / 2, undefined, Float32Array);
  for (let i = 0; i < points.length; i += 2) index.add(points[i] ?? 0, points[i + 1] ?? 0);
  return index.finish().data;
}

function addPoint(longitude: number, latitude: number): void {
  const country = drawnAt(latitude, longitude)?.alpha2;
  if (!country) return;
  const points = coasts.get(country) ?? [];
  if (points.push(longitude, latitude) === 2) coasts.set(country, points);
}

function addCoast(ring: Ring): void {
  let [atLongitude = 0, atLatitude = 0] = ring;
  addPoint(atLongitude, atLatitude);
  for (let i = 2; i < ring.length; i += 2) {
    const [longitude = 0, latitude = 0] = [ring[i], ring[i + 1]];
    const east = halfTurn(longitude - atLongitude);
    const north = latitude - atLatitude;
    const km = kmPerDegree * Math.hypot(east * Math.cos((latitude * Math.PI) / 180), north);
    if (km < minSpacingKm) continue;
    const steps = Math.ceil(km / maxSpacingKm);
    for (let step = 1; step <= steps; step++)
      addPoint(halfTurn(atLongitude + (east * step) / steps), atLatitude + (north * step) / steps);
    [atLongitude, atLatitude] = [longitude, latitude];
  }
}

function edgesOf(rings: readonly Ring[]): Pick<LandBuffers, "corners" | "edges" | "ends"> {
  const byColumn: number[][] = Array.from({ length: columns }, () => []);
  let start = 0;
  for (const ring of rings) {
    for (let i = 0; i < ring.length - 2; i += 2)
      for (const column of columnsOf(ring[i] ?? 0, ring[i + 2] ?? 0)) byColumn[column]?.push(start + i);
    start += ring.length;
  }
  let end = 0;
  const ends = Uint32Array.from(byColumn, (edges) => {
    end += edges.length;
    return end;
  });
  return { corners: Float32Array.from(rings.flat()), edges: Uint32Array.from(byColumn.flat()), ends };
}
