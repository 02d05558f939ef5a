import { create, type DescMessage, getOption } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ListInternetOutagesResponseSchema } from "../../../gen/es/ids/infrastructure/v1/infrastructure_pb.ts";
import { field as fieldOption, Role, TimeEncoding } from "../../../gen/es/ids/options/v1/options_pb.ts";
import { SupplyBuffersSchema } from "../../../gen/es/ids/stored/v1/buffers_pb.ts";
import { LaborStatsSchema } from "../../../gen/es/ids/stored/v1/labor_stats_pb.ts";
import { ResilienceAssessmentSchema } from "../../../gen/es/ids/stored/v1/resilience_pb.ts";
import { TechEventsSchema } from "../../../gen/es/ids/stored/v1/tech_events_pb.ts";
import { GetMineralProductionResponseSchema } from "../../../gen/es/ids/supply_chain/v1/mineral_production_pb.ts";
import { maskOf } from "../../../src/config/masking.ts";
import { coverageReader } from "../../../src/domains/catalog/coverage.ts";
import { messageRows } from "../../../src/domains/catalog/message-rows.ts";
import { epochMs } from "../../../src/domains/catalog/row-time.ts";
import { datasets } from "../../../src/domains/index.ts";
import { type ScheduledDataset, scheduled } from "../../../src/ingest/schedule/scheduled.ts";
import { createUpstreams } from "../../../src/ingest/upstreams.ts";
import type { Database } from "../../../src/store/database.ts";
import { serveDatasets } from "../../../src/store/served/served-datasets.ts";
import { inventedDataset, inventedRows, inventedSource } from "../../ingest/invented-dataset.ts";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";
import type { DatasetAnswer } from "../../support/domains/catalog.ts";
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

  const answerOf = (name: string) => app.json<DatasetAnswer>(`${path}?name=${name}`);
  const sum = (counts: readonly { readonly rows: number }[]) => counts.reduce((total, { rows }) => total + rows, 0);

  test("the events of each country are as many, from the first to the last, as are listed", async () => {
    const { dataset, coverage } = await answerOf("conflict-events");
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
    const { coverage } = await answerOf("global-tenders");
    const { sourceStatuses } = await app.json<{ sourceStatuses: { source: string; recordCount: number }[] }>(
      "/api/economic/v1/list-global-tenders",
    );
    expect(Object.fromEntries((coverage?.sources ?? []).map(({ source, rows }) => [source, rows]))).toEqual(
      Object.fromEntries(sourceStatuses.map(({ source, recordCount }) => [source, recordCount])),
    );
  });

  test("the rows of all countries and of none are those of the dataset", async () => {
    const covered: string[] = [];
    for (const { name } of datasets) {
      const { dataset, coverage } = await answerOf(name);
      if (!coverage) continue;
      covered.push(name);
      const codes = coverage.countries.map(({ country }) => country);
      expect(codes, name).toEqual([...new Set(codes)].sort((a, b) => (a < b ? -1 : 1)));
      // The dataset counts minerals; each figure of a country is one here.
      if (name !== "mineral-production")
        expect([name, sum(coverage.countries) + coverage.rowsWithoutCountry]).toEqual([name, dataset.rows]);
      for (const { rows, firstAt, lastAt } of [...coverage.countries, ...coverage.sources]) {
        expect(rows, name).toBeGreaterThan(0);
        expect((lastAt ?? 0) - (firstAt ?? 0), name).toBeGreaterThanOrEqual(0);
      }
    }
    expect(covered.length).toBeGreaterThan(15);
    const naming = datasets.filter(({ countRows, message, serves }: ScheduledDataset) => {
      const told = message ? [message] : serves.map(({ output }) => output);
      return countRows || told.some((desc) => namesCountry(desc));
    });
    expect(covered).toEqual(naming.map(({ name }) => name));
  });

  test("where there is one source all rows are its own, where rows do not name theirs there is none", async () => {
    const outages = await answerOf("internet-outages");
    expect(outages.coverage?.sources).toMatchObject([{ source: "cloudflare-radar", rows: outages.dataset.rows }]);
    expect((await answerOf("military-bases")).coverage?.sources).toEqual([]);
  });
});

/** At any depth. */
function namesCountry({ fields }: DescMessage, above: readonly DescMessage[] = []): boolean {
  return fields.some(
    (field) =>
      (field.fieldKind === "scalar" && getOption(field, fieldOption).role === Role.COUNTRY) ||
      (field.message && !above.includes(field.message) && namesCountry(field.message, [...above, field.message])),
  );
}

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
] as const)("%s begins at its first moment", (value, encoding, moment) => {
  expect(epochMs(value, encoding)).toBe(moment);
});
