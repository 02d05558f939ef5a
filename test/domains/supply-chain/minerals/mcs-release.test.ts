import { expect, test } from "vitest";
import { findRelease, newestFile } from "../../../../src/domains/supply-chain/minerals/usgs-mcs.ts";
import { UpstreamError } from "../../../../src/egress/upstream-error.ts";
import { sampleUpstream } from "../../../../src/upstream/sample/sample.ts";
import type { Upstream } from "../../../../src/upstream/upstream.ts";

const file = (name: string, downloadUri = `https://www.sciencebase.gov/catalog/file/get/${name}`) => ({
  name,
  downloadUri,
});
const response = (...files: readonly unknown[]) => ({ items: files.map((one) => ({ title: "x", files: [one] })) });
const upstreamOf = (json: Upstream["json"]): Upstream => ({ ...sampleUpstream("none", () => new Date()), json });
const pinned = /^https:\/\/www\.sciencebase\.gov\/catalog\/file\/get\/\w+\?name=MCS2026_Commodities_Data\.csv$/;

test("the file of all commodities of the latest year is chosen, whatever the order of the catalog", () => {
  const files = ["MCS2025_Commodities_Data.csv", "MCS2027_commodities_data.csv", "MCS2026_Commodities_Data.csv"];
  expect(newestFile(response(file("MCS2028_metadata.xml"), ...files.map((name) => file(name))))).toMatch(/MCS2027/);
});

test.each([
  ["of a foreign host", "https://sciencebase.gov.evil.example/MCS2026_Commodities_Data.csv"],
  ["of a host that ends alike", "https://notusgs.gov/MCS2026_Commodities_Data.csv"],
  ["without encryption", "http://www.sciencebase.gov/MCS2026_Commodities_Data.csv"],
  ["on this machine", "https://127.0.0.1/MCS2026_Commodities_Data.csv"],
  ["with a host as its user", "https://sciencebase.gov@evil.example/MCS2026_Commodities_Data.csv"],
])("a file %s is not taken: the known release is", async (_what, downloadUri) => {
  const found = response(file("MCS2026_Commodities_Data.csv", downloadUri));
  expect(newestFile(found)).toBeUndefined();
  expect(await findRelease(upstreamOf(async () => found))).toMatch(pinned);
});

test.each([
  ["is out of reach", () => Promise.reject(new UpstreamError("www.sciencebase.gov answered 503", { status: 503 }))],
  ["finds nothing", async () => ({ items: [] })],
  ["finds items without files", async () => ({ items: [{ title: "x" }] })],
  ["answers otherwise", async () => ["x"]],
])("if the catalog %s, the known release is used", async (_what, json) => {
  expect(await findRelease(upstreamOf(json))).toMatch(pinned);
});

test("a host of the survey's own is taken", () => {
  const own = "https://d9-data.usgs.gov/mcs/MCS2026_Commodities_Data.csv";
  expect(newestFile(response(file("MCS2026_Commodities_Data.csv", own)))).toBe(own);
});
