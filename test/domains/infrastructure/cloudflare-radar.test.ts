import { existsSync, readFileSync } from "node:fs";
import { create } from "@bufbuild/protobuf";
import { createValidator } from "@bufbuild/protovalidate";
import { expect, test } from "vitest";
import { InternetOutageSchema, OutageSeverity } from "../../../gen/es/ids/infrastructure/v1/infrastructure_pb.ts";
import { cloudflareRadar } from "../../../src/domains/infrastructure/cloudflare-radar.ts";
import { UpstreamError } from "../../../src/egress/upstream-error.ts";
import { sampleIndex, sampleUpstream } from "../../../src/upstream/sample/sample.ts";
import type { Upstream } from "../../../src/upstream/upstream.ts";

const now = new Date("2026-11-04T09:00:00Z");
const captured = new URL("../../../../shared/upstream/cloudflare-radar/annotations-outages-mock.json", import.meta.url);

const page = (annotations: readonly unknown[]) => ({ success: true, errors: [], result: { annotations } });
const parse = (...annotations: readonly object[]) =>
  cloudflareRadar.parse([page(annotations.map((one) => ({ ...homs, ...one })))], now);

const homs = {
  id: "701",
  description: null,
  scope: "Homs Governorate",
  startDate: "2026-10-02T05:30:00Z",
  endDate: null,
  linkedUrl: "https://example.org/a",
  locations: ["SY"],
  locationsDetails: [{ code: "SY", name: "Syria" }],
  asns: [64500],
  asnsDetails: [{ asn: "64500", name: "EXAMPLE-TELECOM", locations: { code: "SY", name: "Syria" } }],
  outage: { outageCause: "CABLE_CUT", outageType: "REGIONAL" },
};

test("an annotation becomes an outage with its country, place, words and times", () => {
  expect(parse({}).rows).toEqual([
    {
      id: "cf-701-sy",
      title: "Homs Governorate outage in Syria",
      link: "https://example.org/a",
      description: "",
      detectedAt: BigInt(Date.UTC(2026, 9, 2, 5, 30)),
      country: "SY",
      region: "Homs Governorate",
      location: { latitude: 35, longitude: 38.5 },
      severity: OutageSeverity.MAJOR,
      categories: ["Cloudflare Radar", "CABLE CUT", "REGIONAL", "EXAMPLE-TELECOM"],
      cause: "CABLE_CUT",
      outageType: "REGIONAL",
      endedAt: 0n,
    },
  ]);
});

test.each([
  ["NATIONWIDE", OutageSeverity.TOTAL, ""],
  ["REGIONAL", OutageSeverity.MAJOR, "Homs Governorate"],
  ["NETWORK", OutageSeverity.PARTIAL, ""],
  ["PLATFORM", OutageSeverity.PARTIAL, ""],
  [null, OutageSeverity.PARTIAL, ""],
])("an outage of type %s has severity %i and region %j", (outageType, severity, region) => {
  const [row] = parse({ outage: { outageCause: null, outageType } }).rows;
  expect(row).toMatchObject({ severity, region, cause: "", outageType: outageType ?? "" });
});

test.each([
  ["no scope", { scope: null }, "Internet disruption in Syria"],
  ["a scope that is the country", { scope: "Syria" }, "Internet disruption in Syria"],
])("with %s the title is general", (_title, over, title) => {
  expect(parse(over).rows[0]?.title).toBe(title);
});

test.each([null, "", "javascript:alert(1)", "ftp://example.org", "//example.org"])(
  "the link %j is replaced by the page of the outage center",
  (linkedUrl) => {
    expect(parse({ linkedUrl }).rows[0]?.link).toBe("https://radar.cloudflare.com/outage-center");
  },
);

test("an outage in several countries appears once in each, under IDs that the order of its locations does not change", () => {
  const idsOf = (...locations: string[]) => parse({ locations }).rows.map(({ id, country }) => [id, country]);
  expect(idsOf("US", "CA", "US")).toEqual([
    ["cf-701-us", "US"],
    ["cf-701-ca", "CA"],
  ]);
  expect(idsOf("CA", "US").toReversed()).toEqual(idsOf("US", "CA"));
  expect(idsOf("US")).toEqual([["cf-701-us", "US"]]);
});

test.each([
  ["an object", { asnsDetails: [{ locations: { code: "SY" } }, { locations: { code: "LB" } }] }],
  ["a list", { asnsDetails: [{ locations: [{ code: "SY" }, { code: "LB" }] }] }],
  ["an object under the singular name", { asnsDetails: [{ location: { code: "SY" } }, { location: { code: "LB" } }] }],
])("without locations those of its networks count, given as %s", (_title, over) => {
  const { rows, rejected } = parse({ locations: [], ...over });
  expect(rows.map(({ country }) => country)).toEqual(["SY", "LB"]);
  expect(rejected).toEqual([]);
});

test("rows that name no country, an unknown one or have another shape are left out and named", () => {
  const { rows, rejected } = parse(
    { locations: null, asnsDetails: null },
    { id: "8", locations: ["ZZ", "FR"] },
    { id: null },
  );
  expect(rows.map(({ id }) => id)).toEqual(["cf-8-fr"]);
  expect(rejected.map(({ row }) => row)).toEqual(["701", "8", "#2"]);
  expect(rejected.map(({ reason }) => reason).join()).toMatch(/names no country,ZZ is not a country,id: /);
});

test("a time without a zone is in UTC, whatever mark stands before its clock", () => {
  expect(parse({ startDate: "2026-10-02T05:30:00" }).rows[0]?.detectedAt).toBe(BigInt(Date.UTC(2026, 9, 2, 5, 30)));
  expect(parse({ startDate: "2026-10-02 05:30:00" }).rows[0]?.detectedAt).toBe(BigInt(Date.UTC(2026, 9, 2, 5, 30)));
});

test.each([
  [{ startDate: null }, /startDate/],
  [{ startDate: "" }, /startDate: cannot read/],
  [{ startDate: "soon" }, /startDate: cannot read "soon" as a date/],
  [{ startDate: "2026-10-02T05:30:00Z", endDate: "2026-10-02T05:29:59Z" }, /endDate: is before startDate/],
  [{ endDate: "later" }, /endDate: cannot read/],
])("an annotation with %j is rejected with its reason", (change, reason) => {
  const { rows, rejected } = parse(change);
  expect(rows).toEqual([]);
  expect(rejected).toMatchObject([{ reason: expect.stringMatching(reason) }]);
});

test.each([null, "", undefined])("an outage whose end is %j is ongoing", (endDate) => {
  expect(parse({ endDate }).rows[0]?.endedAt).toBe(0n);
});

test.each([
  ["success false", { success: false, errors: [], result: { annotations: [] } }],
  [
    "errors",
    { success: true, errors: [{ code: 10000, message: "Authentication error" }], result: { annotations: [] } },
  ],
  ["configured false", { success: true, configured: false, result: { annotations: [] } }],
  ["another format", { success: true, result: [] }],
])("an answer with %s is a failure of the upstream", (_title, body) => {
  expect(() => cloudflareRadar.parse([body], now)).toThrow(UpstreamError);
});

test("pages are asked for until one is short, with the token", async () => {
  const requested: { url: string; headers: unknown }[] = [];
  const full = Array.from({ length: 100 }, (_, i) => ({ ...homs, id: String(i) }));
  const upstream: Upstream = {
    origin: "live",
    now,
    variable: (name) => `${name} value`,
    text: () => Promise.reject(new Error("not asked")),
    json: async ({ url, headers }) => {
      requested.push({ url, headers });
      return page(requested.length < 3 ? full : [homs]);
    },
  };
  const { rows } = cloudflareRadar.parse(await cloudflareRadar.fetch(upstream), now);
  expect(requested.map(({ url }) => new URL(url).searchParams.get("offset"))).toEqual(["0", "100", "200"]);
  expect(requested[0]?.url).toContain("dateRange=12w");
  expect(requested[0]?.headers).toEqual({ authorization: "Bearer CLOUDFLARE_API_TOKEN value" });
  expect(rows).toHaveLength(101);
});

test("a row is remembered for 400 days after its detection", () => {
  const [row] = parse({}).rows;
  const { key, retains, upstreamId } = cloudflareRadar.remember!;
  expect([key(row!), upstreamId!(row!)]).toEqual(["cf-701-sy", "701"]);
  expect(retains(row!, new Date("2027-11-05T00:00:00Z"))).toBe(true);
  expect(retains(row!, new Date("2027-11-07T00:00:00Z"))).toBe(false);
});

test("the sample yields what it says, all valid, of the last twelve weeks", async () => {
  const upstream = sampleUpstream("cloudflare-radar", () => now);
  const { rows, rejected } = cloudflareRadar.parse(await cloudflareRadar.fetch(upstream), now);
  expect(rows).toHaveLength(sampleIndex("cloudflare-radar")!.rows);
  expect(rows.length).toBeGreaterThanOrEqual(60);
  expect(rejected).toHaveLength(1);
  const validator = createValidator();
  for (const row of rows) {
    expect(validator.validate(InternetOutageSchema, create(InternetOutageSchema, row)).kind).toBe("valid");
    expect(Number(row.detectedAt)).toBeLessThanOrEqual(now.getTime());
    expect(Number(row.detectedAt)).toBeGreaterThan(now.getTime() - 13 * 7 * 86_400_000);
  }
  const values = (of: (row: (typeof rows)[number]) => unknown) => new Set(rows.map(of)).size;
  expect([values(({ severity }) => severity), values(({ endedAt }) => endedAt === 0n)]).toEqual([3, 2]);
});

test.skipIf(!existsSync(captured))("the captured answer passes", () => {
  const { rows, rejected } = cloudflareRadar.parse([JSON.parse(readFileSync(captured, "utf8"))], now);
  expect(rejected).toEqual([]);
  expect(rows.map(({ id, country, severity }) => [id, country, severity])).toEqual([
    ["cf-1201-iq", "IQ", OutageSeverity.TOTAL],
    ["cf-1199-us", "US", OutageSeverity.MAJOR],
    ["cf-1199-ca", "CA", OutageSeverity.MAJOR],
  ]);
});
