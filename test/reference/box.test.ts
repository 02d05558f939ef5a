import fc from "fast-check";
import { expect, test } from "vitest";
import { type Box, isInBox, isInTile, nextTile, tileAt, world } from "../../src/reference/box.ts";

/** Quarters of degrees hit the edges of boxes and parts; other numbers are rounded when 360 is added. */
const quarters = (max: number) => fc.integer({ min: -4 * max, max: 4 * max }).map((each) => each / 4);
const degrees = (max: number) => fc.oneof(quarters(max), fc.double({ min: -max, max, noNaN: true }));
const longitude = degrees(180);
const latitude = degrees(90);
const box: fc.Arbitrary<Box> = fc
  .tuple(longitude, longitude, latitude, latitude)
  .map(([west, east, a, b]) => ({ west, east, south: Math.min(a, b), north: Math.max(a, b) }));

/** Paths of all parts with this number of digits, in the order in which they are read. */
function pathsOf(depth: number): string[] {
  const paths: string[] = [];
  for (let path: string | undefined = "0".repeat(depth); path !== undefined; ) {
    paths.push(path);
    const next = nextTile(path);
    path = next?.padEnd(depth, "0");
  }
  return paths;
}

test("a box whose west is greater than its east crosses the antimeridian", () => {
  const pacific = { west: 170, south: -10, east: -170, north: 10 };
  expect([175, -175, 180, -180, 170, -170].map((x) => isInBox(pacific, x, 0))).toEqual(Array(6).fill(true));
  expect([0, 169.9, -169.9].map((x) => isInBox(pacific, x, 0))).toEqual([false, false, false]);
  expect(isInBox(pacific, 175, 10.1)).toBe(false);
});

test("the order of parts visits each part once", () => {
  for (const depth of [1, 2, 3]) expect(new Set(pathsOf(depth)).size).toBe(4 ** depth);
  expect(nextTile("")).toBeUndefined();
  expect(nextTile("0133")).toBe("02");
});

test("each place of a box is in exactly one part, at every depth, and no other place is", () => {
  fc.assert(
    fc.property(box, longitude, latitude, fc.integer({ min: 1, max: 3 }), (whole, x, y, depth) => {
      // A box without width or height has parts that are equal, and an unpaged read never returns too many rows for it.
      fc.pre(whole.west !== whole.east && whole.south !== whole.north);
      const parts = pathsOf(depth).filter((path) => isInTile(tileAt(whole, path), x, y));
      expect(parts.length).toBe(isInBox(whole, x, y) ? 1 : 0);
    }),
    { numRuns: 2_000 },
  );
});

test("the edges of a part are within the degrees that a read accepts", () => {
  fc.assert(
    fc.property(box, fc.stringMatching(/^[0-3]{0,6}$/), (whole, path) => {
      const { west, south, east, north } = tileAt(whole, path);
      for (const degrees of [west, east]) expect(Math.abs(degrees)).toBeLessThanOrEqual(180);
      expect(south).toBeLessThanOrEqual(north);
      expect(south).toBeGreaterThanOrEqual(whole.south);
      expect(north).toBeLessThanOrEqual(whole.north);
    }),
  );
  expect(tileAt(world, "")).toMatchObject(world);
});
