import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dayMs } from "../../../src/reference/duration.ts";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";
import { openLoaded } from "../../support/loaded.ts";
import { storePoints } from "../../support/points.ts";

interface Row {
  readonly key: string;
  readonly at: number;
  readonly value?: number;
  readonly min?: number;
  readonly mean?: number;
  readonly max?: number;
  readonly oneYearBefore?: number;
  readonly twoYearsBefore?: number;
  readonly threeYearsBefore?: number;
  readonly fourYearsBefore?: number;
  readonly fiveYearsBefore?: number;
  readonly years: number;
  readonly yearsLeftOut: number;
  readonly isPartial: boolean;
}

interface Answer {
  readonly rows: readonly Row[];
  readonly unknownKeys: readonly string[];
  readonly emptyReason: string;
}

interface Point {
  readonly key: string;
  readonly at: number;
  readonly value: number;
  readonly method: string;
}

const path = "/api/history/v1/get-seasonal-band";
const now = testTime.getTime();
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

let database: Database;
let app: TestApp;
let points: readonly Point[];
beforeAll(async () => {
  database = await openOnce();
  app = await startApp(database, { environment: { IDS_DATA: "live" } });
  points = drawnPoints();
  await storePoints(database, "gas.country_fill", points);
}, 120_000);
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

const band = (query: string) => app.json<Answer>(`${path}?${query}`);

/** Eight years of days of two keys, some without a value, and two changes of the method of the second. */
function drawnPoints(): Point[] {
  const first = Date.UTC(2018, 10, 1);
  const days = Math.floor((now - first) / dayMs) + 1;
  const value = fc.option(
    fc.integer({ min: 0, max: 1000 }).map((each) => each / 10),
    { freq: 6, nil: undefined },
  );
  const [drawn = []] = fc.sample(fc.array(value, { minLength: 2 * days, maxLength: 2 * days, size: "max" }), {
    numRuns: 1,
    seed: 11,
  });
  const methodOf = (key: string, day: string) => {
    if (key === "DE") return "a";
    return day < "2022-03-10" ? "a" : day < "2024-07-01" ? "b" : "c";
  };
  return drawn.flatMap((each, place) => {
    const key = place < days ? "DE" : "FR";
    const at = first + (place % days) * dayMs;
    return each === undefined ? [] : [{ key, at, value: each, method: methodOf(key, dayOf(at)) }];
  });
}

const aggregations: Readonly<Record<string, (values: readonly number[]) => number>> = {
  last: (values) => values.at(-1) ?? Number.NaN,
  mean: (values) => values.reduce((sum, each) => sum + each, 0) / values.length,
  min: (values) => Math.min(...values),
  max: (values) => Math.max(...values),
  sum: (values) => values.reduce((sum, each) => sum + each, 0),
};

const yearFields = [
  "oneYearBefore",
  "twoYearsBefore",
  "threeYearsBefore",
  "fourYearsBefore",
  "fiveYearsBefore",
] as const;

/** The values and the breaks of a key by the text of their day or month. */
interface ByLabel {
  readonly values: ReadonlyMap<string, readonly number[]>;
  readonly breaks: readonly string[];
}

function byLabel(key: string, length: number): ByLabel {
  const own = points.filter((point) => point.key === key);
  const labelOf = ({ at }: Point) => dayOf(at).slice(0, length);
  const grouped = [...Map.groupBy(own, labelOf)];
  return {
    values: new Map(grouped.map(([label, some]) => [label, some.map(({ value }) => value)])),
    breaks: own.filter(({ method }, place) => place > 0 && own[place - 1]?.method !== method).map(labelOf),
  };
}

/** Computes a row by the words of the contract. */
function rowOf({ values: all, breaks }: ByLabel, label: string, aggregation: string) {
  const aggregated = (wanted: string) => {
    const values = all.get(wanted);
    return values && aggregations[aggregation]?.(values);
  };
  const [year = "", ...rest] = label.split("-");
  const before = [1, 2, 3, 4, 5].flatMap((ago) => {
    const isLeap = (Number(year) - ago) % 4 === 0;
    const wanted = [Number(year) - ago, ...(rest.join("-") === "02-29" && !isLeap ? ["02", "28"] : rest)].join("-");
    const value = aggregated(wanted);
    const isAcross = breaks.some((each) => each >= wanted && each <= label);
    return value === undefined ? [] : [{ ago, value, isAcross }];
  });
  const compared = before.filter(({ isAcross }) => !isAcross);
  const values = compared.map(({ value }) => value);
  return {
    value: aggregated(label),
    ...Object.fromEntries(compared.map(({ ago, value: own }) => [yearFields[ago - 1], own])),
    years: values.length,
    yearsLeftOut: before.length - values.length,
    ...(values.length >= 2 && {
      min: Math.min(...values),
      mean: values.reduce((sum, each) => sum + each, 0) / values.length,
      max: Math.max(...values),
    }),
  };
}

function expectRows(rows: readonly Row[], { length, aggregation }: { length: number; aggregation: string }): void {
  for (const [key, own] of Map.groupBy(rows, (row) => row.key)) {
    const index = byLabel(key, length);
    for (const { at, key: _key, isPartial: _isPartial, ...row } of own) {
      const label = dayOf(at).slice(0, length);
      const expected = rowOf(index, label, aggregation);
      const about = `${key} ${label} ${aggregation}`;
      expect([row.years, row.yearsLeftOut], about).toEqual([expected.years, expected.yearsLeftOut]);
      for (const name of ["value", "min", "mean", "max", ...yearFields] as const) {
        const figure = (expected as Partial<Row>)[name];
        if (figure === undefined) expect(row[name], about).toBeUndefined();
        else expect(row[name], about).toBeCloseTo(figure, 8);
      }
    }
  }
}

test("each day has the range of the same day in the five years before, by an independent computation", async () => {
  const { rows } = await band("series=gas.country_fill&keys=DE,FR&from=2023-06-01");
  const days = Math.floor((now - Date.UTC(2023, 5, 1)) / dayMs) + 1;
  expect(rows).toHaveLength(2 * days);
  expectRows(rows, { length: 10, aggregation: "last" });
  expect(new Set(rows.map(({ years }) => years)).size).toBeGreaterThan(4);
  expect(rows.some(({ yearsLeftOut }) => yearsLeftOut > 0)).toBe(true);
  expect(rows.some(({ value }) => value === undefined)).toBe(true);
  expect(rows.filter(({ isPartial }) => isPartial).map(({ at }) => dayOf(at))).toEqual(["2026-11-18", "2026-11-18"]);
  const leapDay = rows.find(({ key, at }) => key === "DE" && dayOf(at) === "2024-02-29");
  expect(leapDay?.years).toBeGreaterThan(2);
});

test("each month has the range of its aggregated values, and the default span is a year", async () => {
  for (const aggregation of Object.keys(aggregations)) {
    const { rows } = await band(`series=gas.country_fill&keys=DE,FR&interval=month&aggregation=${aggregation}`);
    expect(rows.map(({ at }) => dayOf(at)).slice(0, 13)).toEqual([
      ...["2025-11-01", "2025-12-01", "2026-01-01", "2026-02-01", "2026-03-01", "2026-04-01", "2026-05-01"],
      ...["2026-06-01", "2026-07-01", "2026-08-01", "2026-09-01", "2026-10-01", "2026-11-01"],
    ]);
    expectRows(rows, { length: 7, aggregation });
  }
});

test("a band with as_of has the values known then", async () => {
  const stored = (value: number, recordedAt: number) =>
    storePoints(
      database,
      "gas.fill",
      [2023, 2024, 2025, 2026].map((year) => ({ key: "EU", at: Date.UTC(year, 9, 31), value: value + year })),
      recordedAt,
    );
  await stored(0, now - 3 * dayMs);
  await stored(10, now - dayMs);
  const october = async (query: string) =>
    (await band(`series=gas.fill&keys=EU&interval=month&from=2026-10-01&to=2026-10-31${query}`)).rows;
  const at = Date.UTC(2026, 9, 1);
  const rest = { key: "EU", at, years: 3, yearsLeftOut: 0, isPartial: false };
  expect(await october("")).toEqual([
    {
      ...rest,
      value: 2036,
      min: 2033,
      mean: 2034,
      max: 2035,
      ...{ oneYearBefore: 2035, twoYearsBefore: 2034 },
      threeYearsBefore: 2033,
    },
  ]);
  const asOf = new Date(now - 2 * dayMs).toISOString();
  expect(await october(`&as_of=${asOf}`)).toEqual([
    {
      ...rest,
      value: 2026,
      min: 2023,
      mean: 2024,
      max: 2025,
      ...{ oneYearBefore: 2025, twoYearsBefore: 2024 },
      threeYearsBefore: 2023,
    },
  ]);
  const early = await app.get(`${path}?series=gas.fill&keys=EU&as_of=2026-11-01`);
  expect([early.status, await early.text()]).toEqual([400, expect.stringContaining("or later: no points of gas.fill")]);
});

test("a month that has ended is partial until its last day has a value", async () => {
  const store = (year: number, day: number, value: number) =>
    storePoints(database, "gas.stored", [{ key: "EU", at: Date.UTC(year, 9, day), value }]);
  const october = async () =>
    (await band("series=gas.stored&keys=EU&interval=month&from=2026-10-01")).rows.map(({ value, isPartial }) => [
      value,
      isPartial,
    ]);
  for (const year of [2024, 2025]) await store(year, 31, 80);
  await store(2026, 30, 70);
  expect((await october())[0]).toEqual([70, true]);
  await store(2026, 31, 69);
  expect((await october())[0]).toEqual([69, false]);
});

test("a request is rejected as its series is, beyond the plan, and if a parameter does not suit the series", async () => {
  const key = await app.key("pro_monthly");
  const rejected = await app.get(`${path}?series=risk.score&keys=UA`, { key });
  expect([rejected.status, await rejected.json()]).toEqual([
    403,
    { error: "five years before `from`: the plan pro_monthly goes back 400 days" },
  ]);
  expect((await app.get(`${path}?series=gas.fill&keys=EU`, { key })).status).toBe(200);
  for (const [query, field] of [
    ["series=gas.fill", "keys"],
    [`series=gas.fill&keys=${Array.from({ length: 11 }, (_, place) => `K${place}`)}`, "keys"],
    ["series=gas&keys=EU", "series"],
    ["series=gas.fill&keys=EU&interval=week", "interval"],
    ["series=macro.growth&keys=DE&interval=day", "interval"],
    ["series=risk.score&keys=UA&aggregation=sum", "aggregation"],
    ["series=gas.fill&keys=EU&from=2026-12-01", "from"],
    ["series=gas.country_fill&keys=DE,FR&from=1970-01-01", "interval"],
    // A long span is rejected before its rows are created.
    ["series=gas.fill&keys=EU&from=0001-01-01", "interval"],
  ] as const)
    expect(await app.rejected(`${path}?${query}`), query).toEqual([field]);
  await using withheld = await startApp(database, { environment: { IDS_DATA: "live", IDS_SGE: "on" } });
  expect((await withheld.get(`${path}?series=premium.usd&keys=gold`)).status).toBe(403);
});

test("a series without points says why, and an unknown key is listed", async () => {
  expect(await band("series=gas.country_fill&keys=JP")).toMatchObject({
    ...{ rows: [], unknownKeys: ["JP"], emptyReason: "not_covered" },
  });
  // The source can report this country, but has not yet.
  expect(await band("series=gas.country_fill&keys=IT")).toMatchObject({
    ...{ rows: [], unknownKeys: [], emptyReason: "no_points" },
  });
  expect(await band("series=macro.growth&keys=DE")).toMatchObject({ rows: [], emptyReason: "not_loaded" });
  expect(await band("series=gas.country_fill&keys=DE&to=1999-12-31")).toMatchObject({
    ...{ rows: [], emptyReason: "no_points", note: "No points of gas.country_fill from 1993-12-31 to 1999-12-31." },
  });
});

test("samples of gas storage have a band, scores of a year have none, and rows come as tables", async () => {
  const loaded = await openLoaded();
  await using stack = new AsyncDisposableStack();
  stack.defer(() => loaded.close());
  const sample = stack.use(await startApp(loaded));
  const read = (query: string) => sample.json<Answer>(`${path}?${query}`);
  const gas = await read("series=gas.fill&keys=EU&interval=month");
  expect(gas.rows.every(({ years, min = 0, max = 0 }) => years === 5 && min < max)).toBe(true);
  const risk = await read("series=risk.score&keys=UA");
  expect(risk.rows).toHaveLength(366);
  expect(risk.rows.every(({ years, min }) => years < 2 && min === undefined)).toBe(true);
  const file = await sample.get(`${path}?series=gas.fill&keys=EU,QQ&interval=month&format=csv`);
  const [head, first = ""] = (await file.text()).split("\r\n");
  expect(head).toBe(
    `series,unit,scale,key,at,at.iso,value,min,mean,max,years,yearsLeftOut,isPartial,${yearFields.join(",")}`,
  );
  expect(first).toMatch(
    /^gas\.fill,%,1,EU,\d+,2025-11-01T00:00:00\.000Z,[\d.]+,[\d.]+,[\d.]+,[\d.]+,5,0,false(?:,[\d.]+){5}$/,
  );
  expect(file.headers.get("X-Unknown-Keys")).toBe("QQ");
});
