import { expect, test } from "vitest";
import { bisBanking, bisDebtService, lastDayOf } from "../../../../../src/domains/resilience/inputs/sources/bis.ts";
import { UpstreamError } from "../../../../../src/egress/upstream-error.ts";
import type { Upstream } from "../../../../../src/upstream/upstream.ts";

const now = new Date("2026-11-18T12:00:00Z");
const homes = "US GB DE FR IT NL ES BE AT IE LU CH JP CA AU SG".split(" ");
const values = (...ids: string[]) => ids.map((id) => ({ id, name: id }));

/** A whole message, with the claims of a home country by counterparty and quarter. */
const message = (home: string, claims: Readonly<Record<string, Readonly<Record<string, unknown>>>>) => {
  const quarters = ["2026-Q2", "2026-Q1", "2025-Q4", "2027-Q1", "2026"];
  const fixed = Object.entries({ FREQ: "Q", L_MEASURE: "S", L_REP_CTY: home, CBS_BANK_TYPE: "4B", L_CP_SECTOR: "A" });
  return {
    meta: { id: "IREF", test: false },
    data: {
      structure: {
        dimensions: {
          series: [
            ...fixed.map(([id, code]) => ({ id, values: values(code) })),
            { id: "L_CP_COUNTRY", values: values(...Object.keys(claims)) },
          ],
          observation: [{ id: "TIME_PERIOD", values: values(...quarters) }],
        },
      },
      dataSets: [
        {
          action: "Replace",
          series: Object.fromEntries(
            Object.values(claims).map((reported, place) => [
              `0:0:0:0:0:${place}`,
              {
                attributes: [0],
                observations: Object.fromEntries(
                  Object.entries(reported).map(([quarter, value]) => [quarters.indexOf(quarter), [value, 0]]),
                ),
              },
            ]),
          ),
        },
      ],
    },
  };
};
const whole = homes.slice(1).map((home) => ({ home, answer: message(home, { NO: { "2026-Q1": "7" } }) }));
const parse = (claims: Parameters<typeof message>[1], others = whole) =>
  bisBanking.parse([{ home: "US", answer: message("US", claims) }, ...others], now);

test("claims are in dollars by home country, of the newest quarter that has ended and has a value", () => {
  const { rows, rejected } = parse({
    NO: { "2025-Q4": "100.5", "2026-Q1": 120.25, "2026-Q2": "NaN", "2027-Q1": "999" },
    SE: { "2026-Q2": "0", "2026-Q1": "3" },
    BR: { "2026-Q2": null },
    CL: { "2026-Q2": "-4" },
    US: { "2026-Q2": "5000" },
    "5J": { "2026-Q2": "99000" },
  });
  expect(rejected).toEqual([]);
  expect(rows.slice(0, 2)).toEqual([
    { country: "NO", input: "bankClaims", value: 120_250_000, period: "2026-03-31", series: "WS_CBS_PUB US" },
    { country: "SE", input: "bankClaims", value: 0, period: "2026-06-30", series: "WS_CBS_PUB US" },
  ]);
  expect(new Set(rows.map(({ series }) => series)).size).toBe(16);
  expect(rows).toHaveLength(17);
});

test("what is of another home country or of no quarter is rejected, codes out of place and other formats throw", () => {
  const response = message("GB", { NO: { "2026-Q1": "1" }, SE: { "2026-Q2": "1" } });
  const { rejected, missing } = bisBanking.parse([{ home: "US", answer: response }, ...whole], now);
  expect(rejected.map(({ row }) => row)).toEqual(["US NO 2026-Q1", "US SE 2026-Q2"]);
  expect(missing?.map(({ part }) => part)).toEqual(["WS_CBS_PUB US"]);
  expect(parse({ NO: { "2026": "1" } }).rejected.map(({ row }) => row)).toContain("US NO 2026");
  const { data } = message("US", { NO: { "2026-Q1": "1" } });
  const [set] = data.dataSets;
  const broken = { ...set, series: { "0:0:0:0:0:9": { observations: { "0": ["1"] } } } };
  for (const response of [
    {},
    null,
    { data: {} },
    { data: { ...data, dataSets: [broken] } },
    { data: { ...data, dataSets: [] } },
  ])
    expect(() => bisBanking.parse([{ home: "US", answer: response }, ...whole], now)).toThrow(UpstreamError);
  expect(bisBanking.parse([{ home: "US", answer: data }, ...whole], now).rows).toHaveLength(16);
});

test("up to four home countries may be missing, and are named; with five nothing is said", async () => {
  const upstream = (down: readonly string[]): Upstream => ({
    ...{ origin: "live", now, variable: () => "", text: async () => "", pause: async () => undefined },
    json: async ({ url, headers }) => {
      expect(headers).toEqual({ accept: "application/vnd.sdmx.data+json;version=1.0.0" });
      const [, home = ""] = /WS_CBS_PUB\/Q\.S\.([A-Z]{2})\.4B\./.exec(url) ?? [];
      if (down.includes(home)) throw new UpstreamError("stats.bis.org answered 500", { status: 500 });
      return message(home, { NO: { "2026-Q1": "7" } });
    },
  });
  const reported = await bisBanking.fetch(upstream(["AT", "LU", "SG", "IE"]));
  const { rows, missing } = bisBanking.parse(reported, now);
  expect(rows).toHaveLength(12);
  expect(missing).toContainEqual({ part: "WS_CBS_PUB LU", reason: "stats.bis.org answered 500", status: 500 });
  const less = bisBanking.fetch(upstream(["AT", "LU", "SG", "IE", "US"]));
  await expect(less).rejects.toMatchObject({ message: "stats.bis.org answered 500", status: 500 });
});

const head = "FREQ,BORROWERS_CTY,DSR_BORROWERS,DSR_ADJUST,TIME_PERIOD,OBS_VALUE";
const ratios = (...lines: string[]) =>
  bisDebtService.parse({ responses: [{ series: "WS_DSR", answer: lines.join("\n") }], gone: [] }, now);
const others = "AU BE CA DE DK ES FI FR GB IT JP".split(" ").map((code) => `Q,${code},H,A,2025-Q4,8.1`);

test("of debt service ratios those of households count, the newest quarter of each country", () => {
  const { rows, rejected } = ratios(
    ...[
      head,
      ...others,
      "Q,NO,H,A,2026-Q1,15.9",
      "Q,NO,H,A,2025-Q4,16.2",
      "Q,NO,H,A,2026-Q2,NaN",
      "Q,NO,P,A,2026-Q1,24.1",
    ],
    ...["Q,5R,H,A,2026-Q1,9", "Q,SE,H,A,2026,9", "Q,US,H,A,2026-Q1,low"],
  );
  expect(rows.at(-1)).toEqual({
    ...{ country: "NO", input: "householdDebtService", value: 15.9, period: "2026-03-31", series: "WS_DSR" },
  });
  expect(rows).toHaveLength(12);
  expect(rejected.map(({ row }) => row)).toEqual(["WS_DSR line 18", "WS_DSR line 19"]);
});

test("ratios of too few countries are missing, a table without its columns throws", () => {
  expect(ratios(head, ...others).missing).toEqual([{ part: "WS_DSR", reason: "11 countries, and at least 12" }]);
  for (const text of ["FREQ,TIME_PERIOD\nQ,2026-Q1", "<html>", ""]) expect(() => ratios(text)).toThrow(UpstreamError);
});

test.each([
  ["2026-Q1", "2026-03-31"],
  ["2024-Q4", "2024-12-31"],
  ["2026-Q5", undefined],
  ["2026", undefined],
])("the last day of %s is %s", (quarter, day) => {
  expect(lastDayOf(quarter)).toBe(day);
});
