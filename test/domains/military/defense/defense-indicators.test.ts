import { expect, test } from "vitest";
import { defenseIndicators, indicatorIds } from "../../../../src/domains/military/defense/defense-indicators.ts";
import { UpstreamError } from "../../../../src/egress/upstream-error.ts";
import { countries } from "../../../../src/reference/countries/countries.ts";
import { sampleUpstream } from "../../../../src/upstream/sample/sample.ts";

const now = new Date("2026-11-04T09:00:00Z");
const ids = Object.values(indicatorIds);
const codes = [...countries.values()].map(({ alpha3 }) => alpha3);

const pageOf = (id: string, reported: readonly string[]): unknown => [
  { pages: 1 },
  reported.map((code) => ({ indicator: { id }, countryiso3code: code, date: "2025", value: 1 })),
];
/** The first indicator of `first` countries, and the others of ten. */
const responses = (first: number) =>
  ids.map((id, place) => ({ series: id as string, answer: [pageOf(id, codes.slice(0, place === 0 ? first : 10))] }));

test.each(ids)("an answer in which %s has no values keeps its last ones, and names it", (id) => {
  const valueless = codes.map((code) => ({ indicator: { id }, countryiso3code: code, date: "2025", value: null }));
  for (const page of [
    [{ pages: 0 }, null],
    [{ pages: 1 }, []],
    [{ pages: 1 }, valueless],
  ]) {
    const without = responses(200).with(ids.indexOf(id), { series: id, answer: [page] });
    const { rows, missing } = defenseIndicators.parse({ responses: without }, now);
    expect(missing).toEqual([{ part: id, reason: "no values were returned" }]);
    expect(new Set(rows.map((row) => defenseIndicators.partOf?.(row)))).toEqual(
      new Set(ids.filter((other) => other !== id)),
    );
  }
});

test("fewer than 150 countries are rejected", () => {
  expect(() => defenseIndicators.parse({ responses: responses(149) }, now)).toThrow(UpstreamError);
  expect(defenseIndicators.parse({ responses: responses(150) }, now).rows).toHaveLength(150 + 4 * 10);
});

test("the five indicators are asked for with the last nine years", async () => {
  const requested: URL[] = [];
  const json = async ({ url }: { url: string }) => {
    requested.push(new URL(url));
    return [{ page: 1, pages: 1 }, []];
  };
  await defenseIndicators.fetch({ ...sampleUpstream("none", () => now), json });
  expect(requested.map(({ pathname }) => pathname.split("/").at(-1))).toEqual(Object.values(indicatorIds));
  expect(new Set(requested.map(({ searchParams }) => searchParams.get("date")))).toEqual(new Set(["2018:2026"]));
});
