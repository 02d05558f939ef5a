import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeEach, expect, test } from "vitest";
import { FlowSeriesSchema, TariffSeriesSchema } from "../../../gen/es/ids/stored/v1/trade_pb.ts";
import { readFlows, storeFlows } from "../../../src/domains/trade/flows/flow-table.ts";
import { readTariffs, storeTariffs } from "../../../src/domains/trade/tariffs/tariff-table.ts";
import { openOnce } from "../../support/databases.ts";

const now = new Date("2026-11-04T09:00:00Z");
const { kysely: database, close } = await openOnce();
beforeEach(() => sql`truncate trade_tariff, trade_flow`.execute(database));
afterAll(close);

interface Flow {
  readonly year: number;
  readonly exports: string;
  readonly imports: string;
}

async function retainTariffs(years: readonly number[], rate = "1", at = now, name = "Economy") {
  const points = years.map((year) => ({ year, rate }));
  const series = create(TariffSeriesSchema, { reporter: "840", name, responded: true, points });
  await database.transaction().execute((transaction) => storeTariffs(transaction, [series], at));
}

async function retainFlows(points: readonly Flow[]) {
  const series = create(FlowSeriesSchema, {
    reporter: "840",
    partner: "000",
    name: "Economy",
    responded: true,
    points: [...points],
  });
  await sql`truncate trade_flow`.execute(database);
  await database.transaction().execute((transaction) => storeFlows(transaction, [series], now));
}

const flows = async (years = 30) =>
  (await readFlows(database, { reporter: "840", partner: "000" }, years))?.years ?? [];
const everyYear = Array.from({ length: 30 }, (_, i) => 1996 + i);

test.each([
  [1, [2024, 2025]],
  [10, everyYear.slice(-11)],
  [29, everyYear],
  [30, everyYear],
])("of 1996 to 2025, %i years back are %j", async (years, expected) => {
  await retainTariffs(everyYear);
  expect((await readTariffs(database, "840", years))?.years.map(({ year }) => year)).toEqual(expected);
  await retainFlows(everyYear.map((year) => ({ year, exports: "1", imports: "1" })));
  expect((await flows(years)).map(({ year }) => year)).toEqual(expected);
});

test("the window ends with the newest year on record, whatever today is, and is ascending", async () => {
  const year = fc.integer({ min: 1950, max: 2100 });
  const given = fc.uniqueArray(year, { minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(given, fc.integer({ min: 1, max: 30 }), async (years, back) => {
      const expected = years.filter((one) => one >= Math.max(...years) - back).sort((a, b) => a - b);
      await sql`truncate trade_tariff`.execute(database);
      await retainTariffs(years);
      expect((await readTariffs(database, "840", back))?.years.map((one) => one.year)).toEqual(expected);
      await retainFlows(years.map((one) => ({ year: one, exports: "1", imports: "1" })));
      expect((await flows(back)).map((one) => one.year)).toEqual(expected);
    }),
    { numRuns: 60 },
  );
});

test.each([
  ["adjacent years", 2023, ["100", "200"], ["110", "100"], [10, -50]],
  ["years apart", 2020, ["100", "200"], ["110", "100"], [null, null]],
  ["from zero", 2023, ["0", "200"], ["110", "0"], [null, -100]],
  ["a half of the last digit", 2023, ["20000", "20000"], ["20001", "19999"], [0.01, -0.01]],
])("the change between %s", async (_title, year, before, after, expected) => {
  const point = (at: number, [exports = "", imports = ""]: readonly string[]) => ({ year: at, exports, imports });
  await retainFlows([point(year, before), point(2024, after)]);
  const [first, last] = await flows();
  expect([first?.exportChange, first?.importChange]).toEqual([null, null]);
  expect([last?.exportChange, last?.importChange]).toEqual(expected);
});

test("the first listed year has its change from the one before, which is not listed", async () => {
  const points = [2023, 2024, 2025].map((year, i) => ({ year, exports: String(100 + 10 * i), imports: "1" }));
  await retainFlows(points);
  expect(await flows(1)).toMatchObject([
    { year: 2024, exportChange: 10, importChange: 0 },
    { year: 2025, exportChange: 9.09 },
  ]);
});

test("changes are exact to the last decimal: half a hundredth is rounded away from zero", async () => {
  const cents = fc.integer({ min: 0, max: 10_000_000_000 });
  const year = fc.integer({ min: 2000, max: 2012 });
  const given = fc.uniqueArray(fc.tuple(year, cents, cents), { selector: ([at]) => at, minLength: 1, maxLength: 10 });
  const decimal = (hundredths: number) => (hundredths / 100).toFixed(2);
  await fc.assert(
    fc.asyncProperty(given, async (rows) => {
      await retainFlows(
        rows.map(([at, sold, bought]) => ({ year: at, exports: decimal(sold), imports: decimal(bought) })),
      );
      const known = new Map(rows.map(([at, sold, bought]) => [at, { sold, bought }]));
      for (const { year: at, exports, imports, exportChange, importChange } of await flows()) {
        const [one, before] = [known.get(at), known.get(at - 1)];
        expect([exports, imports]).toEqual([Number(decimal(one!.sold)), Number(decimal(one!.bought))]);
        expect(exportChange).toEqual(changeOf(before?.sold, one!.sold));
        expect(importChange).toEqual(changeOf(before?.bought, one!.bought));
      }
    }),
    { numRuns: 60 },
  );
});

/** Changes in whole numbers only. */
function changeOf(before: number | undefined, after: number): number | null {
  if (!before) return null;
  const tenThousandths = BigInt(after - before) * 20_000n;
  const sign = tenThousandths < 0n ? -1n : 1n;
  const rounded = (sign * tenThousandths + BigInt(before)) / (2n * BigInt(before));
  return Number(`${sign < 0n && rounded > 0n ? "-" : ""}${rounded / 100n}.${String(rounded % 100n).padStart(2, "0")}`);
}

test.each([
  ["5.532838991", 5.53],
  ["3.345", 3.35],
  ["0", 0],
  ["0.004", 0],
])("a rate of %s is served as %d", async (rate, expected) => {
  await retainTariffs([2024], rate);
  expect((await readTariffs(database, "840", 1))?.years).toMatchObject([{ rate: expected }]);
});

test("a corrected year changes, a missing year stays, and the newest name and reading count", async () => {
  const later = new Date("2026-11-05T09:00:00Z");
  await retainTariffs([2023, 2024], "1", now, "Turkey");
  await retainTariffs([2024, 2025], "2", later, "Türkiye");
  const read = await readTariffs(database, "840", 5);
  expect(read?.years.map(({ year, rate }) => [year, rate])).toEqual([
    [2023, 1],
    [2024, 2],
    [2025, 2],
  ]);
  expect(read).toMatchObject({ name: "Türkiye", fetchedAt: later });
});

test("what is not on record is not found", async () => {
  await retainTariffs([2024]);
  expect(await readTariffs(database, "156", 10)).toBeUndefined();
  expect(await readFlows(database, { reporter: "840", partner: "156" }, 10)).toBeUndefined();
});
