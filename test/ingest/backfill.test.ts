import { expect, test } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { type DatasetName, datasets } from "../../src/domains/index.ts";
import type { ScheduledDataset } from "../../src/ingest/schedule/scheduled.ts";
import { backfill } from "../../src/ingest/series/backfill.ts";
import { createUpstreams } from "../../src/ingest/upstreams.ts";
import { dayMs } from "../../src/reference/duration.ts";
import { freshFolder, ids } from "../cli/terminal.ts";
import { startApp, testTime } from "../support/app.ts";
import { describeEachDatabase } from "../support/databases.ts";
import { responding } from "../support/responding.ts";

const live = { IDS_DATA: "live", AGSI_API_KEY: "key" };
const today = testTime.toISOString().slice(0, 10);
const dayBefore = (days: number) => new Date(testTime.getTime() - days * dayMs).toISOString().slice(0, 10);

function datasetOf(name: DatasetName): ScheduledDataset {
  const all: readonly ScheduledDataset[] = datasets;
  const dataset = all.find((each) => each.name === name);
  if (!dataset) throw new Error(`No dataset ${name}`);
  return dataset;
}

/** An inventory as long as it is asked for, in which each day is as full as `fullOf` says. */
function inventory(fullOf: (day: string) => number, requested: URLSearchParams[] = []) {
  return responding(({ searchParams }) => {
    requested.push(searchParams);
    // It has no stores.
    if (searchParams.get("country") === "IE") return { last_page: 0, data: [] };
    const [size, page] = [Number(searchParams.get("size")), Number(searchParams.get("page") ?? 1)];
    const first = Date.parse(searchParams.get("from") ?? dayBefore(size));
    const last = Date.parse(searchParams.get("to") ?? dayBefore(1));
    const days = Array.from({ length: (last - first) / dayMs + 1 }, (_, back) =>
      new Date(last - back * dayMs).toISOString().slice(0, 10),
    );
    return {
      last_page: Math.ceil(days.length / size),
      data: days.slice((page - 1) * size, page * size).map((gasDayStart) => {
        const full = fullOf(gasDayStart);
        return { gasDayStart, full: String(full), gasInStorage: String(10 * full) };
      }),
    };
  });
}

describeEachDatabase("a backfill", (openFresh) => {
  test("adds the days of its source that are not stored, page by page, once, and without a break", async () => {
    const database = await openFresh();
    await using app = await startApp(database, { environment: live, outside: inventory(() => 80) });
    await app.refresh("eu-gas-storage");
    const requested: URLSearchParams[] = [];
    const outside = inventory((day) => Number(day.slice(5, 7)), requested);
    const upstreams = createUpstreams(
      readConfig(live),
      () => testTime,
      () => 0.5,
      outside,
    );
    const parts = { database: database.kysely, upstreams, from: dayBefore(700), to: today };
    const gas = datasetOf("eu-gas-storage");
    // The refresh stored five days, with two values each.
    expect(await backfill(gas, parts)).toEqual({ received: 2 * 701, added: 2 * (701 - 5) });
    expect(requested.map((query) => query.get("page"))).toEqual(["1", "2", "3"]);
    expect(await backfill(gas, parts)).toEqual({ received: 2 * 701, added: 0 });
    const { points } = await app.json<{ points: { at: number; value: number; isBreak: boolean }[] }>(
      `/api/history/v1/get-series?series=gas.fill&keys=EU&from=${dayBefore(700)}&to=${today}`,
    );
    expect(points).toHaveLength(701);
    expect(points.filter(({ value }) => value === 80)).toHaveLength(5);
    expect(points.filter(({ isBreak }) => isBreak)).toEqual([]);
    expect(points[0]).toMatchObject({ at: Date.parse(dayBefore(700)), value: Number(dayBefore(700).slice(5, 7)) });
    // They were not known earlier.
    const before = `/api/history/v1/get-series?series=gas.fill&keys=EU&from=${dayBefore(700)}&as_of=${dayBefore(1)}`;
    expect(await app.rejected(before)).toEqual(["as_of"]);
  });

  test("requests each country separately, and reports a wrong key", async () => {
    const database = await openFresh();
    const requested: URLSearchParams[] = [];
    const fill = (outside: ReturnType<typeof inventory>) =>
      backfill(datasetOf("supply-buffers"), {
        database: database.kysely,
        from: dayBefore(3),
        to: dayBefore(1),
        upstreams: createUpstreams(
          readConfig(live),
          () => testTime,
          () => 0.5,
          outside,
        ),
      });
    expect(await fill(inventory(() => 55, requested))).toEqual({ received: 21 * 3, added: 21 * 3 });
    expect(new Set(requested.map((query) => query.get("country"))).size).toBe(22);
    await using app = await startApp(database, { environment: live });
    const { points } = await app.json<{ points: { key: string; value: number }[] }>(
      `/api/history/v1/get-series?series=gas.country_fill&keys=DE,GB,IE&from=${dayBefore(9)}`,
    );
    expect(points.map(({ key }) => key)).toEqual(["DE", "DE", "DE", "GB", "GB", "GB"]);
    await expect(fill(responding(() => ({ last_page: 0, data: [] })))).rejects.toThrow("the key may be wrong");
  });

  test("takes the years that a refresh leaves from the answers of the IMF, and of each country", async () => {
    const database = await openFresh();
    const years = Object.fromEntries(Array.from({ length: 60 }, (_, place) => [String(1975 + place), place]));
    const outside = responding(({ pathname }) => {
      const code = pathname.split("/").at(-1) ?? "";
      return { values: { [code]: { DEU: years, UKR: { 2001: 9 }, EURO: years } } };
    });
    const upstreams = createUpstreams(
      readConfig(live),
      () => testTime,
      () => 0.5,
      outside,
    );
    const parts = { database: database.kysely, upstreams, from: "1990-06-01" };
    // 1991 to the current year of Germany, and one year of Ukraine, in five series. Future values are forecasts.
    expect(await backfill(datasetOf("country-macro"), parts)).toEqual({ received: 5 * 37, added: 5 * 37 });
    await using app = await startApp(database, { environment: live });
    const { points } = await app.json<{ points: object[] }>(
      "/api/history/v1/get-series?series=macro.inflation&keys=DE,UA&from=1980-01-01",
    );
    expect(points).toHaveLength(37);
  });

  test("requests the ships of each chokepoint since a day, and stores them by day", async () => {
    const database = await openFresh();
    const days = [3, 2, 1].map(dayBefore);
    const requested: string[] = [];
    const outside = responding(({ searchParams }) => {
      requested.push(searchParams.get("where") ?? "");
      const features = days.map((date, place) => ({ attributes: { date, n_total: 40 + place, n_tanker: 9 } }));
      return { features, exceededTransferLimit: false };
    });
    const upstreams = createUpstreams(
      readConfig(live),
      () => testTime,
      () => 0.5,
      outside,
    );
    const parts = { database: database.kysely, upstreams, from: dayBefore(500), to: today };
    expect(await backfill(datasetOf("chokepoint-status"), parts)).toEqual({ received: 13 * 3, added: 13 * 3 });
    expect(requested).toHaveLength(13);
    for (const where of requested) expect(where).toContain(`date >= timestamp '${dayBefore(500)} 00:00:00'`);
    await using app = await startApp(database, { environment: live });
    const { points } = await app.json<{ points: { at: number; value: number }[] }>(
      `/api/history/v1/get-series?series=chokepoint.transits&keys=suez&from=${dayBefore(9)}`,
    );
    expect(points.map(({ at, value }) => [new Date(at).toISOString().slice(0, 10), value])).toEqual(
      days.map((day, place) => [day, 40 + place]),
    );
  });
});

test("without a key, of samples, and of datasets that have none a backfill is refused in a sentence", async () => {
  const environment = { IDS_DATA: "live", IDS_DATA_DIR: freshFolder() };
  await ids(environment, "migrate");
  for (const [variables, words, status, message] of [
    [{}, ["eu-gas-storage"], 1, "eu-gas-storage: agsi cannot be read: set AGSI_API_KEY\n"],
    [
      { IDS_DATA: "sample" },
      ["country-macro"],
      1,
      "country-macro: Samples have a history of their own: a backfill is for live data (IDS_DATA=live)\n",
    ],
    [{}, ["risk-scores"], 2, ""],
    [{}, ["nothing"], 2, ""],
  ] as const) {
    const { out, status: ended } = await ids({ ...environment, ...variables }, "history", "backfill", ...words);
    expect([out, ended]).toEqual([message, status]);
  }
});
