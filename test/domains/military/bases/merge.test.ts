import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { MilitaryBaseSchema } from "../../../../gen/es/ids/military/v1/military_pb.ts";
import { hostOf, merge } from "../../../../src/domains/military/bases/merge.ts";
import { syntheticBases } from "../../../support/domains/synthetic-bases.ts";
import { processorMs } from "../../../support/processor-time.ts";

const munich = { latitude: 48.1, longitude: 11.5 };
/** About 111 m and 222 m north of it. */
const near = { ...munich, latitude: 48.101 };
const far = { ...munich, latitude: 48.102 };

const base = (id: string, init: MessageInitShape<typeof MilitaryBaseSchema> = {}) =>
  create(MilitaryBaseSchema, { id, name: "Kaserne", kind: "military", tier: 2, ...munich, ...init });
const ids = (bases: ReturnType<typeof merge>) => bases.map(({ id }) => id);

describe("doubles", () => {
  test("of one id are one row, the first", () => {
    expect(merge([base("way/1", { name: "A" }), base("way/1", { name: "B" })], [])).toMatchObject([{ name: "A" }]);
  });

  test("drawn as node and as area of the same name within 200 m are one row, the area", () => {
    expect(ids(merge([base("node/1"), base("way/2", { name: "KASERNE", ...near })], []))).toEqual(["way/2"]);
    expect(ids(merge([base("node/1", near), base("relation/2")], []))).toEqual(["relation/2"]);
  });

  test("across the antimeridian are found too", () => {
    const west = base("node/1", { latitude: 0, longitude: 179.9999 });
    expect(ids(merge([west, base("way/2", { latitude: 0, longitude: -179.9999 })], []))).toEqual(["way/2"]);
  });

  test.each([
    ["farther apart", base("way/2", far)],
    ["of another name", base("way/2", { name: "Depot" })],
    ["both nodes", base("node/2")],
    ["of another source and name", base("mirta:Kaserne", { name: "Depot" })],
  ])("stay two rows when they are %s", (_, other) => {
    expect(merge([base("node/1"), other], [])).toHaveLength(2);
  });
});

describe("a curated base", () => {
  const curated = base("kaserne", {
    ...{ name: "kaserne", type: "us-nato", status: "closed", branch: "Army", tier: 1, catTraining: true, ...near },
  });

  test("enriches the row of its name within 200 m and leaves it its id, place and kind", () => {
    const [only, ...others] = merge([base("way/1", { branch: "Navy", catNaval: true, kind: "barracks" })], [curated]);
    expect(others).toEqual([]);
    expect(only).toMatchObject({ id: "way/1", ...munich, kind: "barracks", tier: 1, type: "us-nato" });
    expect(only).toMatchObject({ status: "closed", branch: "Army", catTraining: true, catNaval: false });
  });

  test("enriches the nearest one and never a node that is dropped", () => {
    const merged = merge([base("node/1", near), base("way/2"), base("way/3", near)], [curated]);
    expect(merged).toMatchObject([
      { id: "way/2", status: "" },
      { id: "way/3", status: "closed" },
    ]);
  });

  test("is a row of its own where there is none to enrich", () => {
    expect(ids(merge([base("way/1", { name: "Depot" })], [curated]))).toEqual(["way/1", "kaserne"]);
  });
});

describe("one base under two names", () => {
  const here = { latitude: 10, longitude: 114 };
  test.each<[string, string, string, string, string]>([
    ["subi-reef", "Subi Reef", "china", "渚碧礁", "base"],
    ["subi-reef", "Subi Reef", "china", "Subi Reef Base", "naval_base"],
    ["mischief-reef", "Mischief Reef", "china", "美济礁", "base"],
    ["batus-suffield", "British Army Training Unit Suffield", "uk", "CFB Suffield", "training_area"],
    ["agalega", "Agaléga Airstrip and Jetty", "india", "Agalega Airstrip", "airfield"],
    ["the-pentagon", "Pentagon", "us-nato", "The Pentagon", "office"],
  ])(
    "%s of the list (%s, %s) and %s of the map are one row with the operator of the list",
    (id, name, type, mapped, kind) => {
      const rows = merge(
        [base("way/1", { ...here, name: mapped, kind })],
        [base(id, { ...here, name, type, kind: "base" })],
      );
      expect(rows).toMatchObject([{ id: "way/1", name, type, kind }]);
    },
  );

  test("is listed as the Department of Defense has surveyed it", () => {
    const surveyed = base("mirta:Pentagon", { name: "Pentagon", type: "us-nato", kind: "base" });
    expect(ids(merge([base("way/1", { name: "The Pentagon", kind: "office" }), surveyed], []))).toEqual([
      "mirta:Pentagon",
    ]);
  });

  test.each([
    ["only words that say what a place is", { name: "Naval Base" }, { name: "Air Base" }],
    ["another power", { name: "UK Facility Bahrain", type: "uk" }, { name: "NSA Bahrain", type: "us-nato" }],
    ["a part of it", { name: "Camp Nord", type: "uk" }, { name: "Camp Nord 2", kind: "bunker" }],
    ["another number", { name: "Depot 12", type: "uk" }, { name: "Depot 13" }],
  ])("is not found in %s", (_what, listed, mapped) => {
    expect(merge([base("way/1", mapped)], [base("listed", listed)])).toHaveLength(2);
  });
});

describe("what a row lacks", () => {
  test("is filled from where it stands", () => {
    expect(merge([base("way/1"), base("way/2", { name: "B", type: "russia" })], [])).toMatchObject([
      { countryIso2: "DE", type: "us-nato" },
      { countryIso2: "DE", type: "russia" },
    ]);
  });

  test.each([
    ["Kosovo", 42.36, 21.25, "XK", "other"],
    ["Iceland", 63.97, -22.59, "IS", "us-nato"],
    ["Luxembourg", 49.87, 6.17, "LU", "us-nato"],
    ["Hong Kong", 22.32, 114.134, "HK", "china"],
    ["French Guiana", 5.16, -52.65, "GF", "france"],
    ["Guam", 13.584, 144.93, "GU", "us-nato"],
    ["Greenland", 76.53, -68.7, "GL", "us-nato"],
    ["the 180th meridian", -17, 180, "FJ", "other"],
    ["the high seas", 54, 2, "", "other"],
    ["the North Pole", 90, 0, "", "other"],
  ])("in %s is known", (_, latitude, longitude, country, type) => {
    expect(hostOf(latitude, longitude)).toEqual({ country, type });
  });
});

test("the world's bases are merged in seconds: the time grows with their number, not its square", () => {
  const bases = syntheticBases(125_000).map((init) => create(MilitaryBaseSchema, init));
  const curated = bases.slice(0, 100).map((base) => ({ ...base, id: `c-${base.id}` }));
  expect(processorMs(() => expect(merge(bases, curated)).toHaveLength(125_000))).toBeLessThan(8_000);
});
