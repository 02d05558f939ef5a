import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { catalog } from "../../../src/contract/catalog.ts";
import { datasets, lookups } from "../../../src/domains/index.ts";
import { countries } from "../../../src/reference/countries/countries.ts";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { describeEachDatabase, describeOnce } from "../../support/databases.ts";
import { openLoaded } from "../../support/loaded.ts";

const list = "/api/catalog/v1/list-datasets";
const one = "/api/catalog/v1/get-dataset";
const sourceList = "/api/catalog/v1/list-sources";

interface Entry {
  readonly name: string;
  readonly subject: string;
  readonly state: string;
  readonly reason: string;
  readonly origin: string;
  readonly rows?: number;
  readonly readAt?: number;
  readonly operations: readonly { readonly name: string; readonly path: string }[];
  readonly sources: readonly { readonly name: string; readonly state: string; readonly missingSettings: string[] }[];
}

interface Counted {
  readonly dataset: Entry;
  readonly counted: boolean;
  readonly countries: readonly {
    readonly country: string;
    readonly source: string;
    readonly rows: number;
    readonly firstAt?: number;
    readonly lastAt?: number;
  }[];
}

const entriesOf = async (app: TestApp) => (await app.json<{ datasets: readonly Entry[] }>(list)).datasets;

describe("The catalog of loaded data", () => {
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

  test("lists every dataset with its rows, age and operations, and says that they are samples", async () => {
    const response = await app.get(list, { key: null });
    expect([response.status, response.headers.get("x-data-origin")]).toEqual([200, "sample"]);
    const entries = await entriesOf(app);
    expect(entries.map(({ name }) => name)).toEqual(datasets.map(({ name }) => name));
    const paths = new Map(catalog.map(({ name, path }) => [name, path]));
    for (const entry of entries) {
      expect(entry.rows, entry.name).toBeGreaterThan(0);
      expect(entry.readAt, entry.name).toBeGreaterThan(0);
      expect(entry.subject, entry.name).toMatch(/^[A-Z].{10,70}$/);
      for (const { name, path } of entry.operations) expect(path).toBe(paths.get(name));
    }
    expect(new Set(entries.map(({ subject }) => subject)).size).toBe(entries.length);
  });

  test("counts conflict events by country and source, with the span of their days", async () => {
    const { counted, countries: counts } = await app.json<Counted>(`${one}?name=conflict-events`);
    expect(counted).toBe(true);
    const { rows } = await sql<Record<"source" | "country" | "n" | "first" | "last", string>>`
      select source_key as source, country, count(*) as n, min(occurred_at) as first, max(occurred_at) as last
      from conflict_event group by 1, 2 order by 2, 1`.execute(database.kysely);
    expect(counts).toEqual(
      rows.map(({ source, country, n, first, last }) => ({
        country,
        source,
        rows: Number(n),
        firstAt: Number(first),
        lastAt: Number(last),
      })),
    );
  });

  test("counts the outages of a dataset that is one message as they are listed", async () => {
    const { countries: counts } = await app.json<Counted>(`${one}?name=internet-outages`);
    const { outages } = await app.json<{ outages: readonly { country: string; detectedAt: number }[] }>(
      "/api/infrastructure/v1/list-internet-outages",
    );
    expect(new Map(counts.map(({ country, rows }) => [country, rows]))).toEqual(
      new Map([...Map.groupBy(outages, ({ country }) => country)].map(([country, some]) => [country, some.length])),
    );
  });

  test("has countries alone where it counts by country, and no count where rows are of none", async () => {
    let countedDatasets = 0;
    for (const { name } of datasets) {
      const { counted, countries: counts } = await app.json<Counted>(`${one}?name=${name}`);
      expect(counted).toBe(counts.length > 0);
      if (counted) countedDatasets += 1;
      for (const { country, rows } of counts) {
        expect(country === "" || countries.has(country), `${name} ${country}`).toBe(true);
        expect(rows).toBeGreaterThan(0);
      }
    }
    expect(countedDatasets).toBeGreaterThan(10);
    expect((await app.json<Counted>(`${one}?name=economic-stress`)).counted).toBe(false);
  });

  test("lists every source and look-up once, with its terms and what is made from it", async () => {
    interface Source {
      readonly name: string;
      readonly license: string;
      readonly terms: string;
      readonly states: Readonly<Record<string, string>>;
      readonly operations: readonly string[];
    }
    const { sources } = await app.json<{ sources: readonly Source[] }>(sourceList);
    const known = new Set([...datasets.flatMap((dataset) => dataset.sources), ...lookups].map(({ name }) => name));
    expect(sources.map(({ name }) => name)).toEqual([...known].sort((a, b) => (a < b ? -1 : 1)));
    for (const { name, license, terms, states } of sources) {
      expect(license, name).toMatch(/^(open|attribution|non-commercial|restricted)$/);
      expect(terms, name).not.toBe("");
      expect(Object.keys(states).length, name).toBeGreaterThan(0);
    }
    const acled = sources.find(({ name }) => name === "acled");
    expect(acled?.operations).toEqual(
      expect.arrayContaining(["ListConflictEvents", "GetRiskScores", "GetCountryBrief"]),
    );
  });

  test("is a table in files too", async () => {
    const csv = await (await app.get(`${one}?name=conflict-events&format=csv`)).text();
    expect(csv.split("\r\n")[0]).toBe("name,country,source,rows,firstAt,firstAt.iso,lastAt,lastAt.iso");
    const sources = await (await app.get(`${list}?format=csv&rows=datasets.sources`)).text();
    expect(sources).toContain("conflict-events");
  });

  test("refuses a name that is no dataset and says which are", async () => {
    const response = await app.get(`${one}?name=nothing`);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("conflict-events");
    expect(await app.refused(one)).toEqual(["name"]);
  });
});

describeEachDatabase("The catalog before anything was loaded", (openFresh) => {
  test("has every dataset without rows, time, origin or counts, and fills with the first refresh", async () => {
    await using app = await startApp(await openFresh());
    for (const entry of await entriesOf(app)) {
      expect(entry).toMatchObject({ state: "empty", origin: "" });
      expect(entry).not.toHaveProperty("rows");
      expect(entry).not.toHaveProperty("readAt");
      expect(entry).not.toHaveProperty("ageSeconds");
    }
    expect(await app.json<Counted>(`${one}?name=internet-outages`)).toMatchObject({ counted: false, countries: [] });
    await app.refresh("internet-outages");
    app.setTime(new Date(Date.parse("2026-11-18T12:00:00.000Z") + 2_000));
    const { dataset, counted } = await app.json<Counted>(`${one}?name=internet-outages`);
    expect([dataset.state, counted]).toEqual(["ok", true]);
    expect(dataset.rows).toBeGreaterThan(0);
  });
});

describeOnce("The catalog of a service with secrets", (openFresh) => {
  test("names the settings of sources and never shows a value", async () => {
    const secret = "do-not-show-this-value";
    const environment = { IDS_DATA: "live", UCDP_ACCESS_TOKEN: secret, FRED_API_KEY: secret };
    await using app = await startApp(await openFresh(), { environment });
    for (const path of [list, sourceList, `${one}?name=conflict-events`])
      expect(await (await app.get(path)).text()).not.toContain(secret);
    const entries = await entriesOf(app);
    const conflict = entries.find(({ name }) => name === "conflict-events");
    const [acled, ucdp] = conflict?.sources ?? [];
    expect(acled).toMatchObject({ name: "acled", state: "unconfigured" });
    expect(acled?.missingSettings.length).toBeGreaterThan(0);
    expect(ucdp).toMatchObject({ name: "ucdp", state: "waiting", missingSettings: [] });
    const { sources } = await app.json<{ sources: readonly { name: string; configured: boolean }[] }>(sourceList);
    const configured = new Map(sources.map((source) => [source.name, source.configured]));
    expect([configured.get("acled"), configured.get("ucdp")]).toEqual([false, true]);
  });
});
