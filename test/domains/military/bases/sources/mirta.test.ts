import { readFileSync } from "node:fs";
import { create } from "@bufbuild/protobuf";
import { createValidator } from "@bufbuild/protovalidate";
import { describe, expect, test } from "vitest";
import { MilitaryBaseSchema } from "../../../../../gen/es/ids/military/v1/military_pb.ts";
import { mirta } from "../../../../../src/domains/military/bases/sources/mirta.ts";
import { siteKind } from "../../../../../src/domains/military/bases/sources/mirta-site.ts";
import { UpstreamError } from "../../../../../src/errors.ts";
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
  const asked: string[] = [];
  const answered = mirta.fetch(
    upstream(({ url }) => {
      const { pathname, searchParams } = new URL(url);
      const layer = pathname.split("/").at(-2);
      asked.push(`${layer} from ${searchParams.get("resultOffset")}`);
      if (layer === "1") return json("boundaries.json");
      return json(searchParams.get("resultOffset") === "0" ? "points-1.json" : "points-2.json");
    }),
  );

  test("are asked for page by page while more are announced", async () => {
    await answered;
    expect(asked).toEqual(["0 from 0", "0 from 120", "1 from 0"]);
  });

  test("yield the rows they declare, each within the contract's rules", async () => {
    const { rows, rejected } = mirta.parse(await answered, now);
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

  test("known by its boundary alone stands at the mean of the distinct vertices", () => {
    const boundary = feature("Example", { type: "Polygon", coordinates: [square] });
    expect(parse([], [boundary]).rows).toMatchObject([{ id: "mirta:Example", latitude: 39.5, longitude: -75.5 }]);
  });

  test("in several boundaries is one row", () => {
    const far = square.map(([lon = 0, lat = 0]) => [lon + 2, lat]);
    const parts = [square, far].map((ring) => feature("Example", { type: "MultiPolygon", coordinates: [[ring]] }));
    expect(parse([], parts).rows).toMatchObject([{ latitude: 39.5, longitude: -74.5 }]);
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
    const answer = { error: { code: 400, message: "Invalid URL" } };
    await expect(mirta.fetch(upstream(() => answer))).rejects.toThrow(UpstreamError);
    expect(() => mirta.parse({ points: [answer], boundaries: [] }, now)).toThrow(UpstreamError);
  });

  test("that never ends is given up", async () => {
    const endless = { ...page(feature("Example", point)), properties: { exceededTransferLimit: true } };
    await expect(mirta.fetch(upstream(() => endless))).rejects.toThrow(/does not end/);
  });
});
