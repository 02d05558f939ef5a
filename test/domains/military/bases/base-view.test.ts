import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { buildBaseIndex } from "../../../../src/domains/military/bases/base-index.ts";
import { type BaseQuery, viewBases } from "../../../../src/domains/military/bases/base-view.ts";
import { kinds, types } from "../../../../src/domains/military/bases/sources/vocabulary.ts";
import { syntheticBases } from "../../../support/domains/synthetic-bases.ts";
import { viewByBruteForce } from "./brute-force.ts";

const bases = syntheticBases(6_000);
const index = await buildBaseIndex(chunksOf(bases, 700));
const ordered = bases.toSorted((a, b) => a.tier - b.tier || compare(a.name, b.name) || compare(a.id, b.id));

const world = { swLat: -90, swLon: -180, neLat: 90, neLon: 180 };
const query = (box: Partial<BaseQuery>): BaseQuery => ({ ...world, zoom: 22, type: "", kind: "", country: "", ...box });
const ids = (box: Partial<BaseQuery>) => viewBases(index, query(box)).bases.map(({ id }) => id);

describe("a view", () => {
  const latitude = fc.oneof(coordinate(90), fc.constantFrom(-90, 90, 0, 5, 47.5, 46));
  const longitude = fc.oneof(coordinate(180), fc.constantFrom(-180, 180, 0, 10, 8.5, 8));
  const filter = (values: Iterable<string>) =>
    fc.oneof({ weight: 3, arbitrary: fc.constant("") }, fc.constantFrom(...values));
  const filters = {
    zoom: fc.integer({ min: 0, max: 22 }),
    type: filter(types),
    kind: filter(kinds),
    country: filter(["US", "RU", "XK", "ZZ"]),
  };
  const anyBox = fc.record({ swLat: latitude, swLon: longitude, neLat: latitude, neLon: longitude, ...filters });
  const smallBox = fc
    .tuple(fc.constantFrom(...bases), coordinate(6), coordinate(6), fc.record(filters))
    .map(([base, high, wide, rest]) => ({
      ...{ swLat: clamp(base.latitude, 90), neLat: clamp(base.latitude + high, 90) },
      ...{ swLon: clamp(base.longitude, 180), neLon: clamp(base.longitude + wide, 180), ...rest },
    }));

  test("is exactly what reading every base gives, in any box, at any zoom, with any filter", () => {
    fc.assert(
      fc.property(fc.oneof(anyBox, smallBox), (box) => {
        expect(viewBases(index, box)).toEqual(viewByBruteForce(ordered, box));
      }),
      { numRuns: 600 },
    );
  });

  test.each(Array.from({ length: 23 }, (_, zoom) => zoom))("of the whole world is exact at zoom %i", (zoom) => {
    for (const type of ["", ...types]) {
      const box = query({ zoom, type });
      expect(viewBases(index, box)).toEqual(viewByBruteForce(ordered, box));
    }
  });
});

describe("a box", () => {
  test("over the whole world holds every base", () => {
    expect(viewBases(index, query({})).totalInView).toBe(bases.length);
  });

  test("with inverted latitudes is the swapped box", () => {
    const [south, north] = [
      { swLat: -20, neLat: 30 },
      { swLat: 30, neLat: -20 },
    ];
    expect(viewBases(index, query(north))).toEqual(viewBases(index, query(south)));
  });

  test("across the antimeridian holds both sides, each base once", () => {
    const across = ids({ swLon: 170, neLon: -170 });
    expect(across).toEqual(
      bases
        .filter(({ longitude }) => Math.abs(longitude) >= 170)
        .map(({ id }) => id)
        .sort(inOrder),
    );
    expect(new Set(across).size).toBe(across.length);
  });

  test("without area holds the bases at that point", () => {
    const { latitude, longitude, id } = bases.find(({ longitude }) => longitude === 180)!;
    expect(ids({ swLat: latitude, neLat: latitude, swLon: longitude, neLon: longitude })).toContain(id);
  });

  test("at a pole holds the bases on it", () => {
    const poles = bases.filter(({ latitude }) => latitude === 90);
    expect(poles.length).toBeGreaterThan(0);
    expect(ids({ swLat: 90 })).toHaveLength(poles.length);
  });
});

test("what is cut is said, and the total stays exact", () => {
  const view = viewBases(index, query({ zoom: 8 }));
  expect(view).toMatchObject({ truncated: true, totalInView: bases.length, clusters: [] });
  expect(view.bases).toEqual(ordered.slice(0, 2_000));
});

test("when nothing is cut the total is the single bases and the clusters' sizes", () => {
  const { bases: single, clusters, totalInView, truncated } = viewBases(index, query({ zoom: 3 }));
  expect(truncated).toBe(false);
  expect(clusters.length).toBeGreaterThan(100);
  expect(single.length + clusters.reduce((sum, { count }) => sum + count, 0)).toBe(totalInView);
});

test("an index without bases answers with nothing", async () => {
  expect(viewBases(await buildBaseIndex([]), query({}))).toEqual({
    ...{ bases: [], clusters: [], totalInView: 0, truncated: false },
  });
});

function coordinate(max: number): fc.Arbitrary<number> {
  return fc.double({ min: -max, max: max, noNaN: true });
}

function clamp(value: number, max: number): number {
  return Math.min(max, Math.max(-max, value));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function inOrder(a: string, b: string): number {
  const rank = (wanted: string) => ordered.findIndex(({ id }) => id === wanted);
  return rank(a) - rank(b);
}

function* chunksOf<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
