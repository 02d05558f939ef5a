import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isInBox } from "../../../src/reference/box.ts";
import { boxAround, isInCircle } from "../../../src/reference/places/circle.ts";
import { kmBetween } from "../../support/distance.ts";

const latitude = fc.double({ min: -90, max: 90, noNaN: true });
const longitude = fc.double({ min: -180, max: 180, noNaN: true });

describe("A circle around a point of the Earth", () => {
  test("contains a point that is closer than its radius, and its box contains the circle", () => {
    fc.assert(
      fc.property(
        latitude,
        longitude,
        latitude,
        longitude,
        fc.double({ min: 1, max: 1_000, noNaN: true }),
        (...all) => {
          const [latitude, longitude, north, east, km] = all;
          const distance = kmBetween({ latitude, longitude }, { latitude: north, longitude: east });
          // At the edge, two ways to compute a distance can round differently.
          fc.pre(Math.abs(distance - km) > 0.001);
          expect(isInCircle({ latitude, longitude, km }, east, north)).toBe(distance < km);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test("has its northernmost, easternmost, and other points in its box, across the antimeridian and at poles too", () => {
    const angle = fc.double({ min: 0, max: 2 * Math.PI, noNaN: true });
    fc.assert(
      fc.property(latitude, longitude, fc.double({ min: 1, max: 1_000, noNaN: true }), angle, (...all) => {
        const [latitude, longitude, km, bearing] = all;
        const [north, reach] = [(latitude * Math.PI) / 180, (0.9999 * km) / 6_371];
        const sine = Math.sin(north) * Math.cos(reach) + Math.cos(north) * Math.sin(reach) * Math.cos(bearing);
        const east = Math.atan2(
          Math.sin(bearing) * Math.sin(reach) * Math.cos(north),
          Math.cos(reach) - Math.sin(north) * sine,
        );
        const turned = ((((longitude + (east * 180) / Math.PI + 180) % 360) + 360) % 360) - 180;
        const box = boxAround({ latitude, longitude, km });
        expect(isInBox(box, turned, (Math.asin(sine) * 180) / Math.PI)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
