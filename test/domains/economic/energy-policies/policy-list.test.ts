import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  curatedPolicies,
  policyList,
  readPolicies,
} from "../../../../src/domains/economic/energy-policies/energy-crisis-policies.ts";
import { UpstreamError } from "../../../../src/egress/upstream-error.ts";

const file = new URL("../../../../src/domains/economic/energy-policies/energy-crisis-policies.csv", import.meta.url);
const ours = await readFile(file, "utf8");
const head = "country_code,category,sector,measure,date_announced,status,source,source_url,reviewed_on";
const line = (over: Readonly<Record<string, string>> = {}) =>
  Object.entries({
    country_code: "ES",
    category: "conservation",
    sector: "Cooling",
    measure: "No colder than 27 °C",
    date_announced: "2022-08-01",
    status: "ended",
    source: "Boletín Oficial del Estado",
    source_url: "https://www.boe.es",
    reviewed_on: "2026-11-21",
    ...over,
  })
    .map(([, value]) => `"${value.replaceAll('"', '""')}"`)
    .join(",");
const read = (...lines: readonly string[]) => readPolicies([head, ...lines].join("\n"));

test("our list has no bad row, at least thirty measures, both categories, and a source for each", () => {
  const { rows, rejected } = readPolicies(ours);
  expect(rejected).toEqual([]);
  expect(rows.length).toBeGreaterThanOrEqual(30);
  expect(curatedPolicies.rows.atLeast).toBeLessThanOrEqual(rows.length);
  expect(new Set(rows.map(({ category }) => category))).toEqual(new Set(["conservation", "consumer_support"]));
  for (const { dateAnnounced, reviewedOn } of rows) expect(dateAnnounced < reviewedOn).toBe(true);
});

test("addresses in our list are bare sites, for pages move", () => {
  const addresses = readPolicies(ours).rows.flatMap(({ sourceUrl }) => sourceUrl || []);
  for (const address of addresses) expect(new URL(address).pathname).toBe("/");
});

test("a row becomes a policy with the name of its country", () => {
  expect(read(line({ country_code: " es ", source_url: "" })).rows).toMatchObject([
    { country: "Spain", countryCode: "ES", sector: "Cooling", measure: "No colder than 27 °C", sourceUrl: "" },
  ]);
});

test.each([
  ["an unknown country", { country_code: "ZZ" }, /country_code: is not a country/],
  ["no country", { country_code: "" }, /country_code/],
  ["an unknown category", { category: "other" }, /category.*conservation.*consumer_support/],
  ["an unknown sector", { sector: "Space" }, /sector/],
  ["an unknown status", { status: "maybe" }, /status.*active.*planned.*ended/],
  ["no measure", { measure: "" }, /measure/],
  ["a measure beyond 500 letters", { measure: "x".repeat(501) }, /measure/],
  ["no day", { date_announced: "August 2022" }, /date_announced/],
  ["a day that does not exist", { reviewed_on: "2026-02-30" }, /reviewed_on/],
  ["no source", { source: "" }, /source/],
  ["an address of another kind", { source_url: "ftp://boe.es" }, /source_url/],
])("a row with %s is rejected by its place", (_title, over, reason) => {
  const { rows, rejected } = read(line({ measure: "another" }), line(over));
  expect(rows).toHaveLength(1);
  expect(rejected).toEqual([{ row: "line 3", reason: expect.stringMatching(reason) }]);
});

test("the same measure twice is rejected the second time", () => {
  const { rows, rejected } = read(line(), line({ status: "active" }), line({ date_announced: "2022-08-02" }));
  expect(rows.map(({ status }) => status)).toEqual(["ended", "ended"]);
  expect(rejected).toEqual([{ row: "line 3", reason: "has the same measure as a row above" }]);
});

test.each([
  ["without a column", "country_code,category\nES,conservation", /no column sector, measure/],
  ["that is empty", "", /no column country_code/],
  ["with an open quote", `${head}\n"ES`, /is not CSV/],
])("a file %s is refused whole", (_title, text, message) => {
  expect(() => readPolicies(text)).toThrow(UpstreamError);
  expect(() => readPolicies(text)).toThrow(message);
});

test("columns may have another order, with other columns among them, after a byte order mark", () => {
  const text = `\ufeffremark,${head}\r\nmine,${line()}\r\n\r\n`;
  expect(readPolicies(text)).toMatchObject({ rows: [{ countryCode: "ES" }], rejected: [] });
});

test("policies are listed by country, category, newest, and measure, whatever the order of the file", () => {
  const { rows } = read(
    line({ country_code: "AT", category: "consumer_support" }),
    line({ date_announced: "2022-09-01" }),
    line({ measure: "A" }),
    line({ measure: "B" }),
    line({ category: "consumer_support", date_announced: "2023-01-01" }),
    line({ country_code: "TR" }),
  );
  const named = ({ country = "", category = "", dateAnnounced = "", measure = "" }) =>
    [country, category, dateAnnounced, measure].join("|");
  const expected = [
    "Austria|consumer_support|2022-08-01|No colder than 27 °C",
    "Spain|conservation|2022-09-01|No colder than 27 °C",
    "Spain|conservation|2022-08-01|A",
    "Spain|conservation|2022-08-01|B",
    "Spain|consumer_support|2023-01-01|No colder than 27 °C",
    "Türkiye|conservation|2022-08-01|No colder than 27 °C",
  ];
  fc.assert(
    fc.property(fc.shuffledSubarray([...rows], { minLength: rows.length }), (shuffled) => {
      const list = policyList(shuffled, { source: "us", sourceUrl: "" });
      expect(list.policies?.map(named)).toEqual(expected);
    }),
    { numRuns: 20 },
  );
});

test("the list is as old as its last review, and not as its reading", () => {
  const { rows } = read(line({ reviewed_on: "2025-03-01" }), line({ measure: "B", reviewed_on: "2025-02-01" }));
  expect(policyList(rows, { source: "us", sourceUrl: "" }).updatedAt).toBe("2025-03-01T00:00:00.000Z");
});

test("a list without policies is rejected", () => {
  expect(policyList([], { source: "us", sourceUrl: "" })).toEqual({ unavailable: true });
});

test("a row with an extra cell or a misplaced quotation mark is rejected with its line, and a row of empty cells is skipped", () => {
  const bad = [`${line()},x`, line({ measure: "Free buses" }).replace("Free", '"Free "')];
  const { rows, rejected } = read(line(), ",,,,,,,,", ...bad, line({ measure: "another" }), ",,,,,,,,");
  expect([rows.length, rejected.map(({ row }) => row)]).toEqual([2, ["line 5", "line 4"]]);
});
