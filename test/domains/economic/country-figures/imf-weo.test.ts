import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { MacroValueSchema } from "../../../../gen/es/ids/stored/v1/country_figures_pb.ts";
import { everyMacroSeries, imfWeo } from "../../../../src/domains/economic/country-figures/imf-weo.ts";
import { UpstreamError } from "../../../../src/egress/upstream-error.ts";
import { checkRows } from "../../../../src/ingest/refresh/fetch.ts";
import { sampleUpstream } from "../../../../src/upstream/sample/sample.ts";
import type { Upstream } from "../../../../src/upstream/upstream.ts";

const now = new Date("2026-11-18T12:00:00Z");
const captured = new URL("../../../../../shared/upstream/imf-datamapper/", import.meta.url);
const sampleResponse = async () => (await imfWeo.fetch(sampleUpstream("imf-weo", () => now))) as Responses;

interface Responses {
  readonly responses: { series: string; answer: { values: Record<string, unknown> } }[];
  readonly gone: string[];
}

test("the sample has every series of at least 60 countries in three years, valid in every year", async () => {
  for (const at of [now, new Date("2027-01-01T00:00:00Z"), new Date("2029-06-30T23:59:00Z")]) {
    const { rows, rejected } = imfWeo.parse(await imfWeo.fetch(sampleUpstream("imf-weo", () => at)), at);
    expect(rejected).toEqual([]);
    expect(checkRows(MacroValueSchema, rows).rejected).toEqual([]);
    const newest = at.getUTCFullYear();
    expect(new Set(rows.map(({ year }) => year))).toEqual(new Set([newest - 2, newest - 1, newest]));
    for (const { code } of everyMacroSeries)
      expect(new Set(rows.flatMap(({ series, country }) => (series === code ? [country] : []))).size).toBeGreaterThan(
        60,
      );
    expect(Math.max(...rows.map((row) => imfWeo.observedAt?.(row) ?? 0))).toBeLessThanOrEqual(at.getTime());
  }
});

test("the years after the current one are forecasts and no rows, though the answer holds them", async () => {
  const response = await sampleResponse();
  expect(JSON.stringify(response)).toContain('"2028":');
  const { rows } = imfWeo.parse(response, now);
  expect(Math.max(...rows.map(({ year = 0 }) => year))).toBe(2026);
});

test("a series that is gone is named, one of too few countries is missing; the others stay", async () => {
  const { responses } = await sampleResponse();
  const few = responses.map(({ series, answer: response }) =>
    series === "LUR" ? { series, answer: { values: { LUR: { NOR: { "2026": 4 } } } } } : { series, answer: response },
  );
  const reported = { responses: few.filter(({ series }) => series !== "BCA"), gone: ["BCA"] };
  const { rows, rejected, missing } = imfWeo.parse(reported, now);
  expect(rejected).toEqual([{ row: "BCA", reason: "there is no such series" }]);
  expect(missing).toEqual([{ part: "LUR", reason: "1 countries, and at least 90" }]);
  expect(new Set(rows.map(({ series }) => series)).size).toBe(everyMacroSeries.length - 2);
});

test("a country whose years have another format is rejected, a changed answer throws", async () => {
  const { responses, gone } = await sampleResponse();
  const [first, ...others] = responses;
  const values = { ...(first?.answer.values[first.series] as object), NOR: { "2026": "2.1 %" } };
  const one = { series: first?.series, answer: { values: { [first?.series ?? ""]: values } } };
  const { rejected } = imfWeo.parse({ responses: [one, ...others], gone }, now);
  expect(rejected.map(({ row }) => row)).toEqual(["PCPIPCH NOR"]);
  for (const response of [{}, null, { values: [] }, { values: { PCPIPCH: 3 } }])
    expect(() => imfWeo.parse({ responses: [{ series: "PCPIPCH", answer: response }], gone }, now)).toThrow(
      UpstreamError,
    );
  expect(() => imfWeo.parse([], now)).toThrow(UpstreamError);
});

test("the list of countries that an unknown series is answered with means that it is gone; when all are, that throws", async () => {
  const sample = sampleUpstream("imf-weo", () => now);
  const list = { countries: { NOR: { label: "Norway" } }, api: { version: "1" } };
  const without = (gone: RegExp): Upstream => ({
    ...sample,
    json: async (request) => (gone.test(request.url) ? list : sample.json(request)),
  });
  expect(await imfWeo.fetch(without(/\/LUR$/))).toMatchObject({ gone: ["LUR"] });
  await expect(imfWeo.fetch(without(/./))).rejects.toThrow(UpstreamError);
});

/** The sample, with what the site does to these calls by their number. */
function guarded(rejects: (call: number) => boolean) {
  const sample = sampleUpstream("imf-weo", () => now);
  const urls: string[] = [];
  const upstream: Upstream = {
    ...sample,
    json: async (request) => {
      urls.push(request.url);
      if (rejects(urls.length)) throw new UpstreamError("www.imf.org answered 403", { status: 403 });
      return sample.json(request);
    },
  };
  return { upstream, urls };
}

test("its calls are three seconds apart, and a 403 means that it was asked too often", async () => {
  const { upstream, urls } = guarded(() => false);
  await imfWeo.fetch(upstream);
  expect(new Set(urls).size).toBe(everyMacroSeries.length);
  expect(imfWeo.pace).toEqual({ spacingMs: 3_000, tooOften: [403] });
});

test("what was read before the site turns us away for good is kept, and every other series is missing", async () => {
  const { upstream, urls } = guarded((call) => call >= 7);
  const { rows, missing = [] } = imfWeo.parse(await imfWeo.fetch(upstream), now);
  const codes = everyMacroSeries.map(({ code }) => code);
  expect(new Set(rows.map(({ series }) => series))).toEqual(new Set(codes.slice(0, 6)));
  expect(missing.map(({ part, status }) => [part, status])).toEqual(codes.slice(6).map((code) => [code, 403]));
  // After three series the rest is left.
  expect(urls).toHaveLength(6 + 3);
  expect(imfWeo.partOf?.(rows[0]!)).toBe(codes[0]);
});

test("the first rejection is reported if no series arrives", async () => {
  await expect(imfWeo.fetch(guarded(() => true).upstream)).rejects.toMatchObject({ status: 403 });
});

test.runIf(existsSync(captured)).each([
  ["PCPIPCH", 185],
  ["BCA_NGDPD", 185],
  ["NGDP_RPCH", 185],
  ["NGDPDPC", 185],
  ["LUR", 105],
])("a captured response of %s passes whole, with at least %i countries, and Kosovo if it is listed", (series, min) => {
  const response = JSON.parse(readFileSync(new URL(`${series}.json`, captured), "utf8"));
  const { rows, rejected } = imfWeo.parse({ responses: [{ series, answer: response }], gone: [] }, now);
  expect(rejected).toEqual([]);
  expect(new Set(rows.map(({ country }) => country)).size).toBeGreaterThanOrEqual(min);
  const reported = response.values[series];
  const value = (code: string, at: number) => rows.find(({ country, year }) => country === code && year === at)?.value;
  expect(value("US", 2025)).toBe(reported.USA["2025"]);
  expect(value("XK", 2025)).toBe(reported.UVK?.["2025"]);
  expect(rows.some(({ year = 0 }) => year > 2026)).toBe(false);
});
