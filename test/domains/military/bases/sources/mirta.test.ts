import { readFileSync } from "node:fs";
import { create } from "@bufbuild/protobuf";
import { createValidator } from "@bufbuild/protovalidate";
import { describe, expect, test } from "vitest";
import { MilitaryBaseSchema } from "../../../../../gen/es/ids/military/v1/military_pb.ts";
import { mirta, siteKind } from "../../../../../src/domains/military/bases/sources/mirta.ts";
import { UpstreamError } from "../../../../../src/egress/upstream-error.ts";
import type { Upstream, UpstreamRequest } from "../../../../../src/upstream/upstream.ts";

const now = new Date("2026-11-01T00:00:00Z");
const json = (file: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../../../sample/mirta/${file}`, import.meta.url), "utf8"));

const upstream = (json: (request: UpstreamRequest) => unknown): Upstream => ({
  origin: "sample",
  now,
  json: async (request) => json(request),
  text: async () => "",
  variable: () => "",
});

const page = (...features: unknown[]) => ({ type: "FeatureCollection", features });
const feature = (name: string, geometry: unknown, properties: Record<string, string | null> = {}) => ({
  type: "Feature",
  id: 7,
  geometry,
  properties: {
    SITENAME: name,
    SITEREPORTINGCOMPONENT: "usa",
    SITEOPERATIONALSTATUS: "act",
    STATENAMECODE: "md",
    ...properties,
  },
});
const point = { type: "Point", coordinates: [-76.28, 39.35] };
const square = [
  [-76, 39],
  [-75, 39],
  [-75, 40],
  [-76, 40],
  [-76, 39],
];
const parse = (points: unknown[], boundaries: unknown[] = []) =>
  mirta.parse({ points: [page(...points)], boundaries: [page(...boundaries)] }, now);

describe("the sample answers", () => {
  const requested: string[] = [];
  const responded = mirta.fetch(
    upstream(({ url }) => {
      const { pathname, searchParams } = new URL(url);
      const layer = pathname.split("/").at(-2);
      requested.push(`${layer} from ${searchParams.get("resultOffset")}`);
      if (layer === "1") return json("boundaries.json");
      return json(searchParams.get("resultOffset") === "0" ? "points-1.json" : "points-2.json");
    }),
  );

  test("are asked for page by page while more are announced", async () => {
    await responded;
    expect(requested).toEqual(["0 from 0", "0 from 120", "1 from 0"]);
  });

  test("yield the rows they declare, each within the contract's rules", async () => {
    const { rows, rejected } = mirta.parse(await responded, now);
    const validator = createValidator();
    expect(rejected).toEqual([]);
    expect(rows).toHaveLength((json("sample.json") as { rows: number }).rows);
    for (const row of rows)
      expect(validator.validate(MilitaryBaseSchema, create(MilitaryBaseSchema, row))).toMatchObject({ kind: "valid" });
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  });
});

describe("a site", () => {
  test("is a row with codes spelled out", () => {
    const codes = { SITEREPORTINGCOMPONENT: "airnationalguard", SITEOPERATIONALSTATUS: "care" };
    expect(parse([feature("Example ANGB", point, codes)]).rows).toEqual([
      {
        ...{ id: "mirta:Example ANGB", name: "Example ANGB", latitude: 39.35, longitude: -76.28, kind: "airfield" },
        ...{ type: "us-nato", tier: 1, branch: "Air National Guard", status: "caretaker" },
        ...{ catAirforce: true, catNaval: false, catNuclear: false, catSpace: false, catTraining: false },
      },
    ]);
  });

  const box = (west: number, east: number, south = 51, north = 52) => [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  const polygon = (...rings: number[][][]) => ({ type: "Polygon", coordinates: rings });
  /** Where the site of these boundaries stands. */
  const placeOf = (...shapes: object[]) => {
    const { rows, rejected } = parse(
      [],
      shapes.map((shape) => feature("Example", shape)),
    );
    expect([rows.length, rejected]).toEqual([1, []]);
    const { latitude = 0, longitude = 0 } = rows[0]!;
    return { latitude, longitude };
  };

  test("with only a boundary is placed at the center of its area, whichever way its ring runs", () => {
    for (const ring of [square, square.toReversed()]) {
      const { latitude, longitude } = placeOf(polygon(ring));
      expect([latitude, longitude]).toEqual([expect.closeTo(39.5, 2), -75.5]);
    }
  });

  test("in several boundaries is one row", () => {
    const far = square.map(([lon = 0, lat = 0]) => [lon + 2, lat]);
    const { latitude, longitude } = placeOf(...[square, far].map((ring) => polygon(ring)));
    expect([latitude, longitude]).toEqual([expect.closeTo(39.5, 1), -74.5]);
  });

  test.each([
    ["in two parts", [{ type: "MultiPolygon", coordinates: [[box(179, 180)], [box(-180, -179)]] }], 180],
    ["by two boundaries", [polygon(box(179.6, 179.9)), polygon(box(-179.8, -179.5))], 179.95],
    ["in one ring from east to west", [polygon(box(179.8, -179.6))], 179.9],
    ["with its larger part in the west", [polygon(box(179.9, 180)), polygon(box(-180, -179.7))], 179.9],
  ])("that the 180th meridian cuts %s stands on it", (_how, shapes, longitude) => {
    const place = placeOf(...shapes);
    expect(Math.abs(place.longitude)).toBeCloseTo(longitude, 1);
    expect(place.latitude).toBeCloseTo(51.5, 1);
  });

  test.each([
    ["small", box(1, 2, 1, 2), 5],
    ["in the middle", box(4, 6, 4, 6), 5],
    ["of its western half", box(0, 5, 0, 10), 7.5],
  ])("with a hole that is %s stands at the center of what is left", (_where, hole, longitude) => {
    for (const ring of [hole, hole.toReversed()])
      expect(placeOf(polygon(box(0, 10, 0, 10), ring)).longitude).toBeCloseTo(longitude, 0.9);
  });

  test("with a point ignores its boundary", () => {
    const boundary = feature("EXAMPLE", { type: "Polygon", coordinates: [square] });
    expect(parse([feature("Example", point)], [boundary]).rows).toMatchObject([{ latitude: 39.35 }]);
  });

  test("of the same name in another state keeps a row and an id of its own", () => {
    const { rows } = parse([feature("Camp Example", point), feature("Camp Example", point, { STATENAMECODE: "va" })]);
    expect(rows.map(({ id }) => id)).toEqual(["mirta:Camp Example", "mirta:Camp Example (VA)"]);
  });

  test.each([
    ["no geometry", feature("Example", null)],
    ["no name", feature("", point)],
    ["an empty boundary", feature("Example", { type: "Polygon", coordinates: [] })],
    ["a point outside the world", feature("Example", { type: "Point", coordinates: [-76, 91] })],
  ])("is rejected when it has %s", (_, bad) => {
    expect(parse([bad, feature("Good", point)])).toMatchObject({
      rows: [{ name: "Good" }],
      rejected: [{ row: "point 0" }],
    });
  });

  test.each([
    ["White Sands Missile Range", "usa", "range"],
    ["Camp Shelby Joint Forces Training Center", "armynationalguard", "training_area"],
    ["NAS Pensacola", "usn", "airfield"],
    ["Naval Station Norfolk", "usn", "naval_base"],
    ["Naval Base Kitsap Bangor", "usn", "naval_base"],
    ["Niagara Falls ARS", "afr", "airfield"],
    ["Fort Bragg", "usa", "base"],
    ["Vandenberg Space Force Base", "usaf", "base"],
  ])("named %s of component %s is of kind %s", (name, component, kind) => {
    expect(siteKind(name, component)).toBe(kind);
  });
});

describe("another format", () => {
  test("is refused, also when it comes as a success", async () => {
    const response = { error: { code: 400, message: "Invalid URL" } };
    await expect(mirta.fetch(upstream(() => response))).rejects.toThrow(UpstreamError);
    expect(() => mirta.parse({ points: [response], boundaries: [] }, now)).toThrow(UpstreamError);
  });

  test("that never ends is given up", async () => {
    const endless = { ...page(feature("Example", point)), properties: { exceededTransferLimit: true } };
    await expect(mirta.fetch(upstream(() => endless))).rejects.toThrow(/does not end/);
  });
});
