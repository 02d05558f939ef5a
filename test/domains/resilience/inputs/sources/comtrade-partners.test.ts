import fc from "fast-check";
import { expect, test } from "vitest";
import {
  comtradePartners,
  readPartners,
} from "../../../../../src/domains/resilience/inputs/sources/comtrade-partners.ts";
import { UpstreamError } from "../../../../../src/egress/upstream-error.ts";
import type { Upstream } from "../../../../../src/upstream/upstream.ts";

const now = new Date("2026-11-18T12:00:00Z");

/** A record of all goods in the schema of Comtrade. */
const record = (
  reporterCode: number,
  refYear: number,
  partnerCode: number,
  primaryValue: number,
  over: object = {},
) => ({
  ...{ typeCode: "C", freqCode: "A", refYear, period: String(refYear), reporterCode, flowCode: "M", partnerCode },
  ...{ partner2Code: 0, classificationCode: "H6", cmdCode: "TOTAL", customsCode: "C00", motCode: 0, primaryValue },
  ...over,
});
const soldOn = { flowCode: "RX" };

test("the year with the most partners counts; the world, the country itself and empty partners are none", () => {
  const { countries, rejected } = readPartners(
    [579],
    [
      ...[
        record(579, 2024, 0, 300),
        record(579, 2024, 276, 100),
        record(579, 2024, 752, 60),
        record(579, 2024, 156, 40),
      ],
      ...[
        record(579, 2024, 579, 50),
        record(579, 2024, 842, 0),
        record(579, 2025, 276, 10),
        record(579, 2025, 752, 10),
      ],
    ],
  );
  expect(rejected).toEqual([]);
  expect(countries).toEqual([{ reporter: 579, year: 2024, hhi: 0.38 }]);
});

test("of years with as many partners the newest counts, re-exports are of the same one", () => {
  const { countries } = readPartners(
    [784, 591],
    [
      ...[record(784, 2023, 156, 80), record(784, 2024, 156, 100), record(784, 2024, 0, 100)],
      ...[record(784, 2023, 0, 72, soldOn), record(784, 2024, 0, 40, soldOn), record(784, 2024, 682, 15, soldOn)],
      ...[record(591, 2022, 842, 50), record(591, 2022, 156, 50), record(591, 2022, 170, 30, soldOn)],
    ],
  );
  expect(countries).toEqual([
    { reporter: 784, year: 2024, hhi: 1, reexports: 0.4 },
    { reporter: 591, year: 2022, hhi: 0.5, reexports: 0.3 },
  ]);
});

test("parts of the trade are passed over, what was not requested, occurs twice or has another format is rejected", () => {
  const { countries, rejected } = readPartners(
    [579],
    [
      ...[record(579, 2024, 276, 100), record(579, 2024, 276, 5, { motCode: 2100 })],
      ...[record(579, 2024, 752, 5, { customsCode: "C01" }), record(579, 2024, 752, 5, { partner2Code: 56 })],
      ...[record(579, 2024, 276, 99), record(752, 2024, 276, 10), record(579, 2024, 156, -1)],
      ...[record(579, 2024, 156, 1, { cmdCode: "2709" }), record(579, 2024, 156, 1, { flowCode: "X" }), null],
    ],
  );
  expect(countries).toEqual([{ reporter: 579, year: 2024, hhi: 1 }]);
  expect(rejected.map(({ row }) => row)).toEqual([
    ...["579 2024 M 276", "752 2024 M", "579 #6", "579 #7", "579 #8", "579 #9"],
  ]);
});

test("the index lies between one over the number of partners and one", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 1e12 }), { minLength: 1, maxLength: 60 }), (values) => {
      const { countries } = readPartners(
        [579],
        values.map((value, place) => record(579, 2024, 1_000 + place, value)),
      );
      const hhi = countries[0]?.hhi ?? 0;
      expect(hhi).toBeGreaterThanOrEqual(1 / values.length - 1e-9);
      expect(hhi).toBeLessThanOrEqual(1 + 1e-9);
    }),
  );
});

/** An upstream that reports only China for each reporter, or fails. */
function reporting(fails: (count: number) => UpstreamError | undefined = () => undefined, rows?: number) {
  const requested: URL[] = [];
  const upstream: Upstream = {
    ...{ origin: "live", now, variable: (name) => `${name} value`, text: async () => "", pause: async () => undefined },
    json: async ({ url, headers }) => {
      expect(headers).toEqual({ "Ocp-Apim-Subscription-Key": "COMTRADE_API_KEY value" });
      requested.push(new URL(url));
      const error = fails(requested.length);
      if (error) throw error;
      const codes = new URL(url).searchParams.get("reporterCode")?.split(",").map(Number) ?? [];
      const data = rows ? Array.from({ length: rows }) : codes.map((code) => record(code, 2024, 899, 100));
      return { count: data.length, data, error: "" };
    },
  };
  return { upstream, requested };
}

test("ten countries are asked for at a time, with all goods of the last four years, imports and re-exports", async () => {
  const { upstream, requested } = reporting();
  const { rows } = comtradePartners.parse(await comtradePartners.fetch(upstream), now);
  const { reporterCode, ...others } = Object.fromEntries(requested[0]?.searchParams ?? []);
  expect(reporterCode?.split(",")).toHaveLength(10);
  expect(others).toEqual({
    ...{ flowCode: "M,RX", cmdCode: "TOTAL", period: "2025,2024,2023,2022", partner2Code: "0", customsCode: "C00" },
    ...{ motCode: "0", includeDesc: "false", maxRecords: "250000" },
  });
  expect(requested.length).toBeLessThan(25);
  expect(rows.length).toBeGreaterThan(180);
  expect(rows[0]).toMatchObject({ input: "importHhi", value: 1, period: "2024", series: "M" });
});

test("a batch that fails or may be cut off is missing and leaves the others; a spent quota ends the run", async () => {
  const once = reporting((count) => (count === 2 ? new UpstreamError("answered 400", { status: 400 }) : undefined));
  const { rows, missing = [] } = comtradePartners.parse(await comtradePartners.fetch(once.upstream), now);
  expect(rows.length).toBeGreaterThan(170);
  expect(missing).toHaveLength(10);
  expect(new Set(missing.map(({ reason }) => reason))).toEqual(new Set(["answered 400"]));
  const cut = reporting((count) => (count > 15 ? new UpstreamError("answered 403", { status: 403 }) : undefined));
  const { missing: rest = [] } = comtradePartners.parse(await comtradePartners.fetch(cut.upstream), now);
  expect(cut.requested).toHaveLength(17);
  expect(rest.at(-1)?.reason).toBe("not requested because other requests had failed");
  const spent = reporting(() => new UpstreamError("answered 403", { status: 403 }));
  await expect(comtradePartners.fetch(spent.upstream)).rejects.toThrow("answered 403");
  expect(spent.requested).toHaveLength(2);
  await expect(comtradePartners.fetch(reporting(undefined, 100_000).upstream)).rejects.toThrow(
    "100000 rows, and more may be missing",
  );
});

test("a share of re-exports below a twentieth says nothing, one above 95 percent counts as that", () => {
  const country = (reporter: number, reexports: number) => ({ reporter, year: 2024, hhi: 0.1, reexports });
  const countries = [country(784, 0.4), country(591, 1.02), country(579, 0.049)];
  const { rows } = comtradePartners.parse([{ reporters: [784, 591, 579], countries, rejected: [] }], now);
  expect(rows.filter(({ input }) => input === "reexportShare").map(({ country, value }) => [country, value])).toEqual([
    ["AE", 0.4],
    ["PA", 0.95],
  ]);
});
