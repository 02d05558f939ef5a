import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { feature } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import { describe, expect, test } from "vitest";
import { countryAt, drawnAt } from "../../src/reference/places/boundaries.ts";
import { landHere, prepareLand } from "../../src/reference/places/land.ts";
import { smallIslands } from "../../src/reference/places/small-islands.ts";
import { processorMs } from "../support/processor-time.ts";

type Point = readonly [latitude: number, longitude: number];
/** Longitude and latitude where it begins, and how far it goes east and north. */
type Edge = readonly [x: number, y: number, step: number, rise: number];

const outlines = outlinesOfCountries();
const coast = coastOf(outlines);

test("the land is loaded once, however often it is prepared", async () => {
  const loading = prepareLand();
  expect(prepareLand()).toBe(loading);
  await loading;
  expect(landHere()).toBe(landHere());
  expect(prepareLand()).toBe(loading);
});

describe("3,000 random points on the sea, 60 km or more from any land", () => {
  const points = randomPoints(3_000, (point) => !isOnLand(point) && kmToLand(point) >= 60);

  test("lie in no country", () => {
    expect(points.filter((point) => drawnAt(...point)).length).toBeGreaterThan(500);
    expect(points.filter((point) => countryAt(...point))).toEqual([]);
  });
});

test("1,000 random points on land lie in the countries that the borders give", () => {
  for (const point of randomPoints(1_000, isOnLand))
    expect(countryAt(...point)?.alpha2, point.join()).toBe(drawnAt(...point)?.alpha2);
});

test.each<[string, ...Point]>([
  ["1,075 km off Chile", -35.3, -100.6],
  ["north of Hawaii", 30, -154.2],
  ["the middle of the Bay of Biscay", 45.6, -5],
  ["the Black Sea", 43, 34],
  ["50 km off the Netherlands", 52.5, 3.7],
])("%s is in no country", (_where, latitude, longitude) => {
  expect(countryAt(latitude, longitude)).toBeUndefined();
});

test.each<[string, ...Point, string | undefined]>([
  ["San Francisco", 37.77, -122.42, "US"],
  ["Valparaíso", -33.04, -71.62, "CL"],
  ["Malta", 35.9, 14.4, "MT"],
  ["Malé", 4.17, 73.5, "MV"],
  ["Funafuti", -8.5, 179.2, "TV"],
  ["Tarawa", 1.4, 173, "KI"],
  ["Bouvet", -54.42, 3.36, "BV"],
  ["Clipperton", 10.3, -109.22, "FR"],
  ["Enewetak, which the land's data leave out", 11.35, 162.34, "MH"],
  ["the waters of Kastellorizo, near Türkiye's land", 36.1, 29.6, "GR"],
  ["20 km off Honolulu", 21.1, -157.9, "US"],
  ["Chukotka beyond the antimeridian", 67, -178, "RU"],
  ["the middle of Lake Superior", 47.6, -88, "US"],
  ["the middle of Lake Victoria", -1.2, 33.2, "TZ"],
  ["the coast of the Caspian Sea", 39.5, 53, "TM"],
  ["the Antarctic", -80, 100, undefined],
])("%s is where it was", (_where, latitude, longitude, code) => {
  expect(countryAt(latitude, longitude)?.alpha2).toBe(code);
});

test("every island that the land's data leave out is in the country that the borders give", () => {
  for (const [name, latitude, longitude] of smallIslands)
    expect([name, countryAt(latitude, longitude)?.alpha2]).toEqual([name, drawnAt(latitude, longitude)!.alpha2]);
});

test("a look-up takes less than a millisecond", () => {
  const points = randomPoints(2_000, () => true);
  const spent = processorMs(() => {
    for (const point of points) countryAt(...point);
  });
  expect(spent / points.length).toBeLessThan(1);
});

/** The same ones on every run, evenly over the globe. */
function randomPoints(count: number, isWanted: (point: Point) => boolean): Point[] {
  let seed = 20_261_122;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const points: Point[] = [];
  while (points.length < count) {
    const point: Point = [(Math.asin(2 * random() - 1) * 180) / Math.PI, 360 * random() - 180];
    if (isWanted(point)) points.push(point);
  }
  return points;
}

/** Kilometers to the nearest land, by the angle between vectors; what is further than a degree is 111. */
function kmToLand([latitude, longitude]: Point): number {
  const [x, y, z] = vector(latitude, longitude);
  let nearest = Math.cos(Math.PI / 180);
  for (let row = rowOf(latitude) - 1; row <= rowOf(latitude) + 1; row++) {
    const points = coast[row] ?? [];
    for (let i = 0; i < points.length; i += 3)
      nearest = Math.max(nearest, x * points[i]! + y * points[i + 1]! + z * points[i + 2]!);
  }
  return 6_371 * Math.acos(Math.min(1, nearest));
}

/** By the number of edges of countries between the point and the pole. */
function isOnLand([latitude, longitude]: Point): boolean {
  const isNorth = ([x, y, step, rise]: Edge) => {
    const west = east(longitude, x);
    return west < 0 !== west + step < 0 && y - (rise * west) / step > latitude;
  };
  // Two countries share the edges between them.
  return outlines.some((edges) => (edges[Math.floor(longitude + 180)] ?? []).filter(isNorth).length % 2 === 1);
}

/** Degrees from one meridian to the other, the short way. */
function east(from: number, to: number): number {
  return ((((to - from + 180) % 360) + 360) % 360) - 180;
}

function vector(latitude: number, longitude: number): [number, number, number] {
  const [phi, lambda] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180];
  return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
}

function rowOf(latitude: number): number {
  return Math.floor(latitude + 90);
}

/** Outlines of countries, which are other data than the land that is tested: edges by columns of one degree. */
function outlinesOfCountries(): Edge[][][] {
  const file = createRequire(import.meta.url).resolve("world-atlas/countries-10m.json");
  const atlas: Topology<{ countries: GeometryCollection }> = JSON.parse(readFileSync(file, "utf8"));
  return feature(atlas, atlas.objects.countries).features.map(({ geometry }) => {
    if (geometry.type !== "Polygon" && geometry.type !== "MultiPolygon") return [];
    const polygons = geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates;
    const byColumn: Edge[][] = [];
    for (const ring of polygons.flat())
      for (let i = 1; i < ring.length; i++) {
        const [x = 0, y = 0] = ring[i - 1]!;
        const [toX = 0, toY = 0] = ring[i]!;
        const step = east(x, toX);
        const first = Math.floor(Math.min(x, x + step) + 180);
        for (let column = first; column <= Math.max(x, x + step) + 180; column++) {
          byColumn[(column + 360) % 360] ??= [];
          byColumn[(column + 360) % 360]!.push([x, y, step, toY - y]);
        }
      }
    return byColumn;
  });
}

/** Vectors to points at most 10 km apart along the outlines and to the islands that these leave out, in rows of one degree. */
function coastOf(countries: readonly Edge[][][]): number[][] {
  const rows = Array.from({ length: 181 }, (): number[] => []);
  for (const [x, y, step, rise] of countries.flat(2)) {
    const parts = Math.ceil(Math.hypot(step * Math.cos((y * Math.PI) / 180), rise) * 11.2) || 1;
    for (let part = 0; part < parts; part++)
      rows[rowOf(y + (rise * part) / parts)]!.push(...vector(y + (rise * part) / parts, x + (step * part) / parts));
  }
  for (const [, latitude, longitude] of smallIslands) rows[rowOf(latitude)]!.push(...vector(latitude, longitude));
  return rows;
}
