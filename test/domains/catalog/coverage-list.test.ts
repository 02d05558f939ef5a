import { afterAll, beforeAll, expect, test } from "vitest";
import { datasets } from "../../../src/domains/index.ts";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";
import type { DatasetResponse } from "../../support/domains/catalog.ts";
import { openLoaded } from "../../support/loaded.ts";

const path = "/api/catalog/v1/list-coverage";

interface Row {
  readonly dataset: string;
  readonly country: string;
  readonly rows: number;
  readonly firstAt?: number;
  readonly lastAt?: number;
  readonly reason: string;
}

let database: Database;
let app: TestApp;
beforeAll(async () => {
  database = await openLoaded();
  app = await startApp(database);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

const coverageIn = async (from: TestApp, query: string) =>
  (await from.json<{ coverage: Row[] }>(`${path}?${query}`)).coverage;
const covered = (query: string) => coverageIn(app, query);

/** The rows of a list by country, with the first and the last time of each. */
function summed(rows: readonly (readonly [country: string, at: number])[]) {
  const byCountry = [...Map.groupBy(rows, ([country]) => country)].sort(([a], [b]) => (a < b ? -1 : 1));
  return byCountry.map(([country, group]) => {
    const times = group.map(([, at]) => at);
    return { country, rows: group.length, firstAt: Math.min(...times), lastAt: Math.max(...times) };
  });
}

const withoutDataset = ({ dataset: _, reason, ...row }: Row) => {
  expect(reason).toBe("");
  return row;
};

test("the outages of each country are as many, from the first to the last, as are listed", async () => {
  const { outages } = await app.json<{ outages: { country: string; detectedAt: number }[] }>(
    "/api/infrastructure/v1/list-internet-outages?page_size=1000",
  );
  const listed = await covered("dataset=internet-outages");
  expect(listed.length).toBeGreaterThan(5);
  expect(listed.map(withoutDataset)).toEqual(summed(outages.map(({ country, detectedAt }) => [country, detectedAt])));
});

test("the events of a country are as many, from the first to the last, as are listed", async () => {
  for (const country of ["SD", "UA", "Myanmar"]) {
    const { events } = await app.json<{ events: { country: string; occurredAt: number }[] }>(
      `/api/conflict/v1/list-conflict-events?start=1&country=${country}`,
    );
    const [row] = await covered(`dataset=conflict-events&country=${country}`);
    expect(row && [withoutDataset(row)]).toEqual(summed(events.map((event) => [event.country, event.occurredAt])));
  }
});

test("a country without a score has no row, which does not mean 0", async () => {
  type Ranked = { countryCode: string; overallScore: number };
  const { items, greyedOut } = await app.json<{ items: Ranked[]; greyedOut: Ranked[] }>(
    "/api/resilience/v1/get-resilience-ranking",
  );
  const scored = [...items, ...greyedOut].filter(({ overallScore }) => overallScore >= 0);
  // Scores of territories that are not ranked.
  const others = ["PR", "PS", "XK"];
  expect((await covered("dataset=resilience-scores")).map(({ country }) => country)).toEqual(
    [...scored.map(({ countryCode }) => countryCode), ...others].sort((a, b) => (a < b ? -1 : 1)),
  );
  expect(await covered("dataset=resilience-scores&country=AQ")).toMatchObject([{ rows: 0, reason: "unknown" }]);
});

test("the rows of all datasets are those that GetDataset counts, in the order of ListDatasets", async () => {
  const listed = await covered("");
  expect([...new Set(listed.map(({ dataset }) => dataset))]).toEqual(datasets.map(({ name }) => name));
  const byDataset = Map.groupBy(listed, ({ dataset }) => dataset);
  for (const { name } of datasets) {
    const { coverage } = await app.json<DatasetResponse>(`/api/catalog/v1/get-dataset?name=${name}`);
    const [without, located] = [
      byDataset.get(name)?.filter(({ country }) => country === "") ?? [],
      byDataset.get(name),
    ];
    expect(
      without.reduce((sum, { rows }) => sum + rows, 0),
      name,
    ).toBe(coverage?.rowsWithoutCountry ?? 0);
    expect(located?.filter(({ country }) => country !== "").map(withoutDataset), name).toEqual(coverage?.countries);
  }
});

test("a country lists the datasets that have rows of it, and no others", async () => {
  const all = await covered("");
  expect(await covered("country=Sudan")).toEqual(all.filter(({ country }) => country === "SD"));
});

test.each([
  ["of events that are recorded of other countries", "dataset=internet-outages&country=TV", "TV", "no_rows"],
  ["of a value that may exist", "dataset=country-macro&country=KP", "KP", "unknown"],
  ["of a dataset whose rows name no country", "dataset=labor-stats&country=SD", "SD", "not_covered"],
  ["of a dataset that is about other countries", "dataset=eu-housing-cycle&country=SD", "SD", "not_covered"],
  ["of a country that is not on a dataset's list", "dataset=risk-scores&country=SD", "SD", "not_covered"],
])("the absence %s has a reason", async (_title, query, country, reason) => {
  expect(await covered(query)).toEqual([{ dataset: expect.any(String), country, rows: 0, reason }]);
});

test("a dataset that was never loaded is listed as such, and samples are marked", async () => {
  await using stack = new AsyncDisposableStack();
  const empty = await openOnce();
  stack.defer(() => empty.close());
  await using fresh = await startApp(empty);
  const unloaded = { dataset: "conflict-events", rows: 0, reason: "not_loaded" };
  expect(await coverageIn(fresh, "dataset=conflict-events")).toEqual([{ ...unloaded, country: "" }]);
  expect(await coverageIn(fresh, "dataset=conflict-events&country=SD")).toEqual([{ ...unloaded, country: "SD" }]);
  expect(await coverageIn(fresh, "country=SD")).toEqual([]);
  expect((await coverageIn(fresh, "")).every(({ reason }) => reason === "not_loaded")).toBe(true);
  const origin = async (query: string) => (await app.get(`${path}?${query}`)).headers.get("X-Data-Origin");
  expect([await origin("dataset=conflict-events"), await origin("dataset=energy-crisis-policies")]).toEqual([
    ...["sample", null],
  ]);
});

test("an unknown dataset or country is rejected", async () => {
  expect(await app.rejected(`${path}?dataset=conflict`)).toEqual(["dataset"]);
  expect(await app.rejected(`${path}?country=Nowhere`)).toEqual(["country"]);
});
