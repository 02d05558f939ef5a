import { create } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ListInternetOutagesResponseSchema } from "../../../gen/es/ids/infrastructure/v1/infrastructure_pb.ts";
import { TimeEncoding } from "../../../gen/es/ids/options/v1/options_pb.ts";
import { SupplyBuffersSchema } from "../../../gen/es/ids/stored/v1/buffers_pb.ts";
import { LaborStatsSchema } from "../../../gen/es/ids/stored/v1/labor_stats_pb.ts";
import { ResilienceAssessmentSchema } from "../../../gen/es/ids/stored/v1/resilience_pb.ts";
import { TechEventsSchema } from "../../../gen/es/ids/stored/v1/tech_events_pb.ts";
import { GetMineralProductionResponseSchema } from "../../../gen/es/ids/supply_chain/v1/mineral_production_pb.ts";
import { maskOf } from "../../../src/config/masking.ts";
import { coverageReader, epochMs, messageRows } from "../../../src/domains/catalog/coverage.ts";
import { type DatasetName, datasets } from "../../../src/domains/index.ts";
import { type ScheduledDataset, scheduled } from "../../../src/ingest/schedule/scheduled.ts";
import { createUpstreams } from "../../../src/ingest/upstreams.ts";
import type { Database } from "../../../src/store/database.ts";
import { serveDatasets } from "../../../src/store/served/served-datasets.ts";
import { inventedDataset, inventedRows, inventedSource } from "../../ingest/invented-dataset.ts";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";
import type { DatasetResponse } from "../../support/domains/catalog.ts";
import { openLoaded } from "../../support/loaded.ts";

const path = "/api/catalog/v1/get-dataset";

describe("over a store with every sample", () => {
  let database: Database;
  let app: TestApp;
  beforeAll(async () => {
    database = await openLoaded();
    app = await startApp(database);
  }, 60_000);
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    await database.close();
  });

  const responseOf = (name: string) => app.json<DatasetResponse>(`${path}?name=${name}`);
  const sum = (counts: readonly { readonly rows: number }[]) => counts.reduce((total, { rows }) => total + rows, 0);

  test("the events of each country are as many, from the first to the last, as are listed", async () => {
    const { dataset, coverage } = await responseOf("conflict-events");
    expect(coverage?.countries.length).toBeGreaterThan(20);
    for (const { country, ...counted } of coverage?.countries ?? []) {
      const { events } = await app.json<{ events: { occurredAt: number }[] }>(
        `/api/conflict/v1/list-conflict-events?start=1&country=${country}`,
      );
      const times = events.map(({ occurredAt }) => occurredAt);
      expect({ country, ...counted }).toEqual({
        country,
        rows: events.length,
        firstAt: Math.min(...times),
        lastAt: Math.max(...times),
      });
    }
    expect(sum(coverage?.countries ?? []) + (coverage?.rowsWithoutCountry ?? 0)).toBe(dataset.rows);
    expect(sum(coverage?.sources ?? [])).toBe(dataset.rows);
  });

  test("the notices of a source are those that are listed of it", async () => {
    const { coverage } = await responseOf("global-tenders");
    const { sourceStatuses } = await app.json<{ sourceStatuses: { source: string; recordCount: number }[] }>(
      "/api/economic/v1/list-global-tenders",
    );
    expect(Object.fromEntries((coverage?.sources ?? []).map(({ source, rows }) => [source, rows]))).toEqual(
      Object.fromEntries(sourceStatuses.map(({ source, recordCount }) => [source, recordCount])),
    );
  });

  test("the rows of all countries and of none are those of the dataset", async () => {
    for (const { name } of datasets) {
      const { dataset, coverage } = await responseOf(name);
      const { countries = [], sources = [], rowsWithoutCountry = 0 } = coverage ?? {};
      const codes = countries.map(({ country }) => country);
      expect(codes, name).toEqual([...new Set(codes)].sort((a, b) => (a < b ? -1 : 1)));
      // The dataset counts minerals; each figure of a country is one here. Rows without a score have no value.
      if (!["mineral-production", "supply-vulnerability", "resilience-scores"].includes(name))
        expect([name, sum(countries) + rowsWithoutCountry]).toEqual([name, dataset.rows]);
      for (const { rows, firstAt, lastAt } of [...countries, ...sources]) {
        expect(rows, name).toBeGreaterThan(0);
        expect((lastAt ?? 0) - (firstAt ?? 0), name).toBeGreaterThanOrEqual(0);
      }
    }
  });

  test("every dataset has them by country and by source, but for those that have a reason", async () => {
    const without = { countries: new Set<string>(), sources: new Set<string>() };
    for (const { name } of datasets) {
      const { coverage } = await responseOf(name);
      for (const group of ["countries", "sources"] as const)
        if ((coverage?.[group] ?? []).length === 0) without[group].add(name);
    }
    expect(without.countries).toEqual(new Set(Object.keys(withoutCountry)));
    const computed: readonly ScheduledDataset[] = datasets.filter(({ sources }) => sources.length === 0);
    expect(without.sources).toEqual(new Set(computed.map(({ name }) => name)));
  });

  test("figures that are kept by country are those of its countries, and of no country where they are of several", async () => {
    const macro = await responseOf("country-macro");
    const { data } = await app.json<{ data: { macro: { countries: object } } }>("/api/economic/v1/get-country-macro");
    expect(macro.coverage?.countries.map(({ country }) => country)).toEqual(
      expect.arrayContaining(Object.keys(data.macro.countries)),
    );
    const housing = await responseOf("eu-housing-cycle");
    expect(housing.coverage?.countries).toHaveLength(27);
    expect(housing.coverage?.rowsWithoutCountry).toBe(2);
  });

  test("where there is one source all rows are its own, where rows do not name theirs they are what each brought", async () => {
    const outages = await responseOf("internet-outages");
    expect(outages.coverage?.sources).toMatchObject([{ source: "cloudflare-radar", rows: outages.dataset.rows }]);
    const bases = await responseOf("military-bases");
    expect(bases.coverage?.sources.map(({ source, rows }) => [source, rows])).toEqual(
      bases.dataset.sources.map(({ name, rowsOut }) => [name, rowsOut]).toSorted(),
    );
  });
});

/** Datasets whose rows are about no country, and why. */
const withoutCountry: Partial<Record<DatasetName, string>> = {
  "eu-gas-storage": "the Union as a whole",
  "labor-stats": "series of the United States",
  "economic-stress": "components of one index",
  "sec-tickers": "companies",
  "company-news": "companies",
  "news-topic-timelines": "topics",
  "metal-premiums": "metals",
  "chokepoint-status": "straits and canals",
  "shipping-stress": "carriers",
};

test("rows are counted once a generation, however often they are asked for, and again after a failure", async () => {
  await using stack = new AsyncDisposableStack();
  const database = await openOnce();
  stack.defer(() => database.close());
  const clock = () => testTime;
  const source = inventedSource("one");
  const counts: number[] = [];
  const failing = new Set<number>([2]);
  const dataset = scheduled({
    ...inventedDataset([source]),
    async countRows(_, generation) {
      counts.push(generation);
      if (failing.has(generation)) throw new Error("the store is away");
      return [{ source: null, country: "CH", rows: generation, first: null, last: null }];
    },
  });
  const served = serveDatasets(database, { datasets: [dataset], data: "live", clock, moved() {}, log() {} });
  stack.defer(() => served.close());
  const coverage = coverageReader(database.kysely, served);
  const upstreams = createUpstreams({ data: "live", variable: () => undefined, mask: maskOf({}) }, clock, () => 0);
  const refreshed = async (rows: number) => {
    source.answer = inventedRows("one", rows);
    await dataset.refresh({ database: database.kysely, upstreams });
    served.changed(dataset.name);
    await served.settled();
  };
  expect(await coverage(dataset)).toBeUndefined();
  await refreshed(1);
  await Promise.all([coverage(dataset), coverage(dataset)]);
  expect(await coverage(dataset)).toMatchObject({ countries: [{ country: "CH", rows: 1 }] });
  expect(counts).toEqual([1]);
  await refreshed(2);
  await expect(coverage(dataset)).rejects.toThrow("away");
  failing.clear();
  expect(await coverage(dataset)).toMatchObject({ countries: [{ rows: 2 }], sources: [{ source: "one", rows: 2 }] });
  await coverage(dataset);
  expect(counts).toEqual([1, 2, 2]);
});

describe("The rows of a message", () => {
  const countries = (schema: Parameters<typeof messageRows>[0], message: Parameters<typeof messageRows>[1]) =>
    messageRows(schema, message).map(({ country, first }) => [country, first]);

  test("are the elements of the list nearest to its top that name a country, with their times", () => {
    const outages = [
      { country: "SY", detectedAt: 5n },
      { country: "CH", detectedAt: 7n },
    ];
    const message = create(ListInternetOutagesResponseSchema, { outages });
    expect(countries(ListInternetOutagesResponseSchema, message)).toEqual([
      ["SY", 5],
      ["CH", 7],
    ]);
    const scores = [{ countryCode: "NO" }];
    const ranking = { items: [{ countryCode: "NO" }, { countryCode: "SE" }] };
    const assessment = create(ResilienceAssessmentSchema, { scores, ranking });
    expect(countries(ResilienceAssessmentSchema, assessment)).toEqual([["NO", null]]);
  });

  test("name it through messages of theirs, or name none", () => {
    const events = create(TechEventsSchema, {
      events: [{ coords: { country: "DE" }, startDate: "2026-03-01" }, { startDate: "" }],
    });
    expect(countries(TechEventsSchema, events)).toEqual([
      ["DE", Date.UTC(2026, 2, 1)],
      ["", null],
    ]);
    const buffers = create(SupplyBuffersSchema, { buffers: [{ reading: { iso2: "EG", asOf: "2026-02-28" } }] });
    expect(countries(SupplyBuffersSchema, buffers)).toEqual([["EG", Date.UTC(2026, 1, 28)]]);
  });

  test("are those of all lists as near, where the nearest hold none", () => {
    const figure = (iso2: string, year: number) => ({ iso2, year });
    const commodities = [{ mine: { countries: [figure("CD", 2024)] }, refinery: { countries: [figure("CN", 2025)] } }];
    const message = create(GetMineralProductionResponseSchema, { commodities });
    expect(countries(GetMineralProductionResponseSchema, message)).toEqual([
      ["CD", Date.UTC(2024)],
      ["CN", Date.UTC(2025)],
    ]);
  });

  test("are none where no list names a country, or none is filled", () => {
    const labor = create(LaborStatsSchema, { series: [{ observations: [{ year: "2026" }] }] });
    expect(countries(LaborStatsSchema, labor)).toEqual([]);
    expect(countries(ListInternetOutagesResponseSchema, create(ListInternetOutagesResponseSchema))).toEqual([]);
  });
});

test.each([
  [1_793_491_200_000n, TimeEncoding.EPOCH_MS, 1_793_491_200_000],
  [2026n, TimeEncoding.EPOCH_MS, 2026],
  ["2026-11-18T12:00:00.000Z", TimeEncoding.RFC3339, Date.UTC(2026, 10, 18, 12)],
  ["2026-11-18", TimeEncoding.DAY, Date.UTC(2026, 10, 18)],
  [2026, TimeEncoding.YEAR, Date.UTC(2026)],
  ["2026", TimeEncoding.PERIOD, Date.UTC(2026)],
  ["2026-Q3", TimeEncoding.PERIOD, Date.UTC(2026, 6)],
  ["2026-09", TimeEncoding.PERIOD, Date.UTC(2026, 8)],
  ["", TimeEncoding.DAY, null],
  ["soon", TimeEncoding.RFC3339, null],
] as const)("%s begins at its first moment", (value, encoding, instant) => {
  expect(epochMs(value, encoding)).toBe(instant);
});
