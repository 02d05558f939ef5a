import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { catalog } from "../../../src/contract/catalog.ts";
import { datasets, lookups, operationOrigins } from "../../../src/domains/index.ts";
import { variablesOf } from "../../../src/ingest/upstreams.ts";
import type { Database } from "../../../src/store/database.ts";
import { servableMinutes } from "../../../src/store/served/dataset-age.ts";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { describeOnce, openOnce } from "../../support/databases.ts";
import type { DatasetResponse, ListedDataset, ListedSource } from "../../support/domains/catalog.ts";
import { openLoaded } from "../../support/loaded.ts";
import { responding } from "../../support/responding.ts";

const listDatasets = "/api/catalog/v1/list-datasets";
const listSources = "/api/catalog/v1/list-sources";
const getDataset = "/api/catalog/v1/get-dataset";

const datasetsOf = async (app: TestApp) => (await app.json<{ datasets: ListedDataset[] }>(listDatasets)).datasets;
const sourcesOf = async (app: TestApp) => (await app.json<{ sources: ListedSource[] }>(listSources)).sources;
const namesOf = (some: readonly { readonly name: string }[]) => some.map(({ name }) => name);

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

  test("every dataset is listed with what it is made from and what it serves", async () => {
    const listed = await datasetsOf(app);
    expect(listed).toMatchObject(
      datasets.map((dataset) => ({
        name: dataset.name,
        subject: dataset.subject,
        schedule: dataset.schedule,
        state: "ok",
        origin: dataset.name === "energy-crisis-policies" ? "live" : "sample",
        storedAt: testTime.getTime(),
        ageSeconds: expect.any(Number),
        freshForSeconds: 60 * dataset.freshForMinutes,
        servableForSeconds: 60 * servableMinutes(dataset),
        operations: dataset.serves.map((method) => ({
          name: method.name,
          path: catalog.find((operation) => operation.method === method)?.path,
        })),
        reads: namesOf(dataset.reads ?? []),
        sources: dataset.sources.map(({ name, license }) => ({ name, state: "ok", license: license })),
        tables: dataset.tables ?? [],
      })),
    );
    for (const { name, subject, rows } of listed) {
      expect(subject, name).toMatch(/^[A-Z][^.]*(\d\.\d[^.]*)?\.$/);
      expect(rows, name).toBeGreaterThan(0);
    }
  });

  test("the series of each and what is kept of its past are listed, and the past is answered from where it begins", async () => {
    const { series } = await app.json<{ series: { id: string; dataset: string }[] }>("/api/history/v1/list-series");
    for (const { name, series: ids, historyFrom = 0 } of await datasetsOf(app)) {
      expect(ids.toSorted(), name).toEqual(series.filter(({ dataset }) => dataset === name).map(({ id }) => id));
      // Some datasets store states of earlier days from the start, because they report movements.
      expect(historyFrom, name).toBeGreaterThan(0);
      expect(historyFrom, name).toBeLessThanOrEqual(testTime.getTime());
    }
    const events = "/api/conflict/v1/list-conflict-events?country=SD";
    const [past, before] = await Promise.all(
      [testTime.getTime(), testTime.getTime() - 1].map((at) =>
        app.get(`${events}&as_of=${new Date(at).toISOString()}`),
      ),
    );
    expect([past?.status, before?.status]).toEqual([200, 400]);
  });

  test("a single dataset equals its entry in the list", async () => {
    for (const listed of await datasetsOf(app)) {
      const { dataset } = await app.json<DatasetResponse>(`${getDataset}?name=${listed.name}`);
      expect(dataset).toEqual(listed);
    }
  });

  test("every source and look-up is listed once, with all that uses it", async () => {
    const listed = await sourcesOf(app);
    const all = [...datasets.flatMap((dataset) => dataset.sources), ...lookups];
    expect(namesOf(listed)).toEqual([...new Set(namesOf(all))]);
    const inputs = operationOrigins;
    for (const { name, variables, ...source } of listed) {
      const isIt = (other: { readonly name: string }) => other.name === name;
      const own = all.filter(isIt);
      expect(source.datasets).toEqual(namesOf(datasets.filter(({ sources }) => sources.some(isIt))));
      expect(source.askedBy).toEqual(lookups.filter(isIt).flatMap(({ serves }) => namesOf(serves)));
      expect(source.operations).toEqual(
        inputs
          .filter((each) => each.lookups.some(isIt) || each.datasets.some(({ sources }) => sources.some(isIt)))
          .map(({ method }) => method.name),
      );
      expect(own.map(({ license }) => license)).toContainEqual(source.license);
      expect(variables).toEqual(expect.arrayContaining(own.flatMap((each) => [...variablesOf(each)])));
      expect([name, source.state]).toEqual([name, source.datasets.length > 0 ? "ok" : "ready"]);
    }
    expect(listed.find(({ name }) => name === "acled")?.access).toMatchObject({
      signUp: expect.stringContaining("acleddata.com"),
      terms: expect.stringContaining("acleddata.com"),
    });
  });

  test("no key is required, and no cache may store the response", async () => {
    for (const path of [listDatasets, listSources, `${getDataset}?name=sec-tickers`]) {
      const response = await app.get(path, { key: null });
      expect([response.status, response.headers.get("Cache-Control")], path).toEqual([200, "no-store"]);
    }
  });

  test("responses about samples are marked as samples, and those about real data are not", async () => {
    const originOf = async (path: string) => (await app.get(path)).headers.get("X-Data-Origin");
    expect(await originOf(listDatasets)).toBe("sample");
    expect(await originOf(`${getDataset}?name=conflict-events`)).toBe("sample");
    expect(await originOf(`${getDataset}?name=energy-crisis-policies`)).toBeNull();
    expect(await originOf(listSources)).toBeNull();
  });

  test("an unknown dataset name is rejected with the known names", async () => {
    expect(await app.rejected(getDataset)).toEqual(["name"]);
    const rejected = await app.get(`${getDataset}?name=conflict`);
    expect(rejected.status).toBe(400);
    expect(await rejected.json()).toEqual({
      violations: [{ field: "name", description: expect.stringContaining(namesOf(datasets).join(", ")) }],
    });
  });

  test("as CSV there is a line for each dataset, source, and country of a dataset", async () => {
    const lines = async (path: string): Promise<Record<string, string>[]> => {
      const response = await app.get(path);
      expect(response.headers.get("Content-Type")).toMatch(/^text\/csv/);
      return parse(await response.text(), { columns: true, bom: true });
    };
    const listed = await lines(`${listDatasets}?format=csv`);
    expect(listed.map(({ name, state }) => [name, state])).toEqual(datasets.map(({ name }) => [name, "ok"]));
    const sources = await lines(`${listDatasets}?format=csv&rows=datasets.sources`);
    expect(sources.map((line) => [line["datasets.name"], line.name])).toEqual(
      datasets.flatMap((dataset) => dataset.sources.map(({ name }) => [dataset.name, name])),
    );
    expect((await lines(`${listSources}?format=csv`)).length).toBe((await sourcesOf(app)).length);
    const { coverage } = await app.json<DatasetResponse>(`${getDataset}?name=conflict-events`);
    const countries = await lines(`${getDataset}?name=conflict-events&format=csv`);
    expect(countries.map((line) => [line["dataset.name"], line.country, Number(line.rows)])).toEqual(
      coverage?.countries.map(({ country, rows }) => ["conflict-events", country, rows]),
    );
  });

  test("stale data is reported with its state and its reason, and keeps its content", async () => {
    await using later = await startApp(database, { now: new Date(testTime.getTime() + 40 * 86_400_000) });
    const { dataset, coverage } = await later.json<DatasetResponse>(`${getDataset}?name=conflict-events`);
    expect(dataset).toMatchObject({
      state: "expired",
      reason: expect.stringContaining("too old"),
      ageSeconds: 40 * 86_400,
      rows: expect.any(Number),
    });
    expect(coverage?.countries.length).toBeGreaterThan(0);
  });
});

describeOnce("in live mode", (openFresh) => {
  /** A value of its own for every variable of every source; those that let one run are on. */
  const values = new Map(
    [...datasets.flatMap(({ sources }) => [...sources]), ...lookups]
      .flatMap((source) => [...variablesOf(source)])
      .map(({ name, kind }) => [
        name,
        kind === "permission" ? "on" : `https://${name.toLowerCase()}.invented.example/v`,
      ]),
  );
  const down = responding(() => undefined);

  test("what was never loaded has no rows, times and generation, and no coverage", async () => {
    await using app = await startApp(await openFresh(), { environment: { IDS_DATA: "live" } });
    for (const dataset of await datasetsOf(app)) {
      expect(dataset.state, dataset.name).toBe("empty");
      for (const unknown of ["rows", "storedAt", "readAt", "ageSeconds", "generation", "origin", "failure"])
        expect(dataset, dataset.name).not.toHaveProperty(unknown);
      for (const source of dataset.sources)
        for (const unknown of ["rowsIn", "rowsOut", "rejected", "available", "lastGoodAt", "lastRunAt", "failure"])
          expect(source, dataset.name).not.toHaveProperty(unknown);
      expect(await app.json<DatasetResponse>(`${getDataset}?name=${dataset.name}`)).toEqual({ dataset });
    }
  });

  test("what is missing is named without the value that it needs", async () => {
    await using app = await startApp(await openFresh(), { environment: { IDS_DATA: "live" } });
    const listed = await sourcesOf(app);
    const unconfigured = listed.filter(({ configured }) => !configured);
    expect(unconfigured.length).toBeGreaterThan(10);
    for (const { name, state } of listed)
      expect([name, state]).toEqual([
        name,
        unconfigured.some((source) => source.name === name)
          ? "unconfigured"
          : expect.stringMatching(/^(waiting|ready)$/),
      ]);
    const missing = (await datasetsOf(app)).flatMap(({ sources }) => sources.map((each) => each.missingVariables));
    expect(missing.flat()).toContain("IDS_SOURCE_BGS");
    for (const variable of missing.flat()) expect(variable).toMatch(/^[A-Z][A-Z0-9_]+$/);
    expect(listed.find(({ name }) => name === "opensky")?.variables).toContainEqual({
      name: "IDS_FLIGHT_PROVIDER",
      kind: "choice",
    });
  });

  test("no value of a variable and no message of an upstream is returned, whatever fails", async () => {
    const contact = { IDS_OPERATOR_CONTACT: "ops@invented.example" };
    const environment = { IDS_DATA: "live", ...contact, ...Object.fromEntries(values) };
    const outside = responding((url) => ({ "words of the upstream": url.href }));
    await using app = await startApp(await openFresh(), { environment, outside });
    for (const name of ["conflict-events", "internet-outages", "labor-stats", "economic-stress"] as const)
      await app.refresh(name);
    const bodies = await Promise.all(
      [listDatasets, listSources, `${getDataset}?name=conflict-events`].map(async (path) =>
        (await app.get(path)).text(),
      ),
    );
    for (const body of bodies) {
      expect(body).not.toContain("invented.example");
      expect(body).not.toContain("words of the upstream");
    }
    const failed = (await datasetsOf(app)).flatMap(({ sources }) => sources.filter(({ state }) => state === "failed"));
    expect(failed.length).toBeGreaterThan(3);
    for (const { failure, failures } of failed)
      expect([failures, failure]).toEqual([1, expect.stringMatching(/^The /)]);
    expect((await sourcesOf(app)).filter(({ configured }) => !configured).map(({ name }) => name)).toEqual(["opensky"]);
  });

  test("samples that live mode does not serve are reported as empty, without coverage", async () => {
    const database = await openFresh();
    await using sample = await startApp(database);
    await sample.refresh("internet-outages");
    await using app = await startApp(database, { outside: down });
    const response = await app.json<DatasetResponse>(`${getDataset}?name=internet-outages`);
    expect(response.dataset).toMatchObject({
      state: "empty",
      reason: "cloudflare-radar: CLOUDFLARE_API_TOKEN is not set",
    });
    expect(response).not.toHaveProperty("coverage");
  });
});

test("while the store cannot be read the catalog says so, and names no dataset as empty", async () => {
  const database = await openOnce();
  const app = await startApp(database);
  await database.query("alter table dataset rename to dataset_away");
  const rejected = await app.get(listDatasets);
  expect(rejected.status).toBeGreaterThanOrEqual(500);
  await app[Symbol.asyncDispose]();
  await database.close();
});
