import { existsSync, readFileSync } from "node:fs";
import { create } from "@bufbuild/protobuf";
import { createValidator } from "@bufbuild/protovalidate";
import { describe, expect, test } from "vitest";
import { MilitaryBaseSchema } from "../../../../../gen/es/ids/military/v1/military_pb.ts";
import { overpass } from "../../../../../src/domains/military/bases/sources/overpass.ts";
import { kinds } from "../../../../../src/domains/military/bases/sources/vocabulary.ts";
import { UpstreamError } from "../../../../../src/egress/upstream-error.ts";

const now = new Date("2026-11-01T00:00:00Z");
const json = (file: string): unknown => JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8"));
const sample = "../../../../../sample/overpass/";
const captured = new URL("../../../../../../shared/upstream/osm-military/", import.meta.url);

const node = (tags: Record<string, string>, place: object = { lat: 48.1, lon: 11.2 }) => ({
  type: "node",
  id: 5,
  ...place,
  tags: { military: "bunker", name: "Bunker 5", ...tags },
});
const parse = (...elements: unknown[]) => overpass.parse({ version: 0.6, elements }, now);
const parsed = (tags: Record<string, string>) => parse(node(tags)).rows[0];

describe("the sample answer", () => {
  const { rows, rejected } = overpass.parse(json(`${sample}military.json`), now);

  test("yields the rows it declares, each within the contract's rules", () => {
    const validator = createValidator();
    expect(rows).toHaveLength((json(`${sample}sample.json`) as { rows: number }).rows);
    for (const row of rows)
      expect(validator.validate(MilitaryBaseSchema, create(MilitaryBaseSchema, row))).toMatchObject({ kind: "valid" });
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  });

  test("names only kinds of the contract", () => {
    expect(rows.filter(({ kind }) => !kinds.has(kind ?? ""))).toEqual([]);
  });

  test("loses only the relation without a place", () => {
    expect(rejected).toEqual([{ row: "element 468", reason: expect.stringContaining("center") }]);
  });

  test("takes the English name where there is one, else the local one", () => {
    expect(rows).toContainEqual(expect.objectContaining({ name: "Kadena Air Base", latitude: 26.3556 }));
    expect(rows).toContainEqual(expect.objectContaining({ name: "千歳基地", latitude: 42.7945 }));
  });
});

describe("one element", () => {
  test("becomes a row with the center of its area", () => {
    const tags = {
      military: "airfield",
      name: "Fliegerhorst Beispiel",
      "name:en": "Example",
      military_branch: "air_force",
    };
    expect(parse({ type: "way", id: 4711, center: { lat: 48.1, lon: 11.2 }, tags }).rows).toEqual([
      {
        ...{ id: "way/4711", name: "Example", latitude: 48.1, longitude: 11.2, kind: "airfield", tier: 1 },
        ...{ branch: "Air Force", status: "" },
        ...{ catAirforce: true, catNaval: false, catNuclear: false, catSpace: false, catTraining: false },
      },
    ]);
  });

  test.each([
    ["not military", node({ military: "no" })],
    ["no name", node({ name: "<br>" })],
    ["lat", node({}, { lat: 91, lon: 0 })],
    ["lon", node({}, { lat: 0 })],
    ["type", { ...node({}), type: "area" }],
  ])("is rejected and named when it is bad: %s", (reason, element) => {
    expect(parse(element, node({}))).toMatchObject({
      rows: [{ id: "node/5" }],
      rejected: [{ reason: expect.stringContaining(reason) }],
    });
  });

  test.each([
    ["range", "range", 2],
    ["danger_area", "military", 2],
    ["training_area;barracks", "training_area", 1],
    ["bunker", "bunker", 3],
    ["nuclear_explosion_site", "nuclear_explosion_site", 1],
  ])("tagged %s is of kind %s and tier %i", (military, kind, tier) => {
    expect(parsed({ military })).toMatchObject({ kind, tier });
  });

  test("has its branch spelled out and its disuse as status", () => {
    expect(parsed({ military_branch: "air_force;army", disused: "yes" })).toMatchObject({
      branch: "Air Force, Army",
      status: "closed",
      catAirforce: true,
    });
    expect(parsed({ military_branch: "Luftwaffe" })).toMatchObject({ branch: "Luftwaffe", status: "" });
  });
});

describe("another format", () => {
  test.each([
    ["a page of HTML", "<html><body>Too busy</body></html>"],
    ["an envelope without elements", { version: 0.6 }],
    ["a time-out half-way", { elements: [node({})], remark: "runtime error: Query timed out after 270 seconds." }],
  ])("is refused: %s", (_, response) => {
    expect(() => overpass.parse(response, now)).toThrow(UpstreamError);
  });
});

describe.skipIf(!existsSync(captured))("a captured answer", () => {
  const read = (file: string): unknown => JSON.parse(readFileSync(new URL(file, captured), "utf8"));

  test("with a runtime error is refused with the server's reason", () => {
    const response = read("overpass-remark-runtime-error-01.json");
    expect(() => overpass.parse(response, now)).toThrow(/Query timed out/);
  });

  test("of other features keeps nothing and names every one", () => {
    const { rows, rejected } = overpass.parse(read("overpass-envelope-relation-04.json"), now);
    expect(rows).toEqual([]);
    expect(rejected.length).toBeGreaterThan(0);
  });

  test("in another tool's format is refused", () => {
    expect(() => overpass.parse(read("military-south-sudan.geojson"), now)).toThrow(UpstreamError);
  });
});
