import { appendFileSync } from "node:fs";
import type { DescMethod } from "@bufbuild/protobuf";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { services } from "../../gen/es/services.ts";
import { catalog } from "../../src/contract/catalog.ts";
import { tablesOf } from "../../src/contract/tables.ts";
import { type DatasetName, datasets, operationOrigins } from "../../src/domains/index.ts";
import { isOwn } from "../../src/ingest/dataset.ts";
import type { Database } from "../../src/store/database.ts";
import { raiseGeneration } from "../../src/store/served/generations.ts";
import { startApp, type TestApp, testTime } from "../support/app.ts";
import { openOnce } from "../support/databases.ts";
import type { ListedDataset } from "../support/domains/catalog.ts";
import {
  cachedSeconds,
  limitsOf,
  lineOf,
  type Reported,
  type ServedRead,
  sendRequest,
  servedReads,
} from "../support/domains/data-status-walk.ts";
import { openLoaded, relabelAsLive } from "../support/loaded.ts";

const reads = servedReads.map((read) => [read.operation.name, read] as const);
/** Data from the built-in lists is real in either mode, and read again whatever the outside does. */
const fromOutside = reads.filter(([, { behind }]) => !behind.every(isOwn));
/** Reads of the account, metadata of datasets, tables of the program, and the caller's address use no dataset. */
const { account, alerts, batch, catalog: listed, changes, companyMonitoring, history, scenario, shipping } = services;
const madeFromNoDataset: readonly DescMethod[] = [
  ...[account, alerts, batch, listed, changes, companyMonitoring, history, scenario, shipping].flatMap(
    ({ methods }) => methods,
  ),
  services.infrastructure.method.getIpGeo,
  services.infrastructure.method.resolvePlace,
];
const hour = 3_600;
const day = 24 * hour;
/** With this set, a table of all answers goes into the file that it names. */
const table = process.env.IDS_STATUS_TABLE;

const live = {
  environment: { IDS_DATA: "live" },
  outside: {
    transport: () => Promise.reject(new TypeError("nothing is reachable")),
    wait: async () => undefined,
  },
};

/** Sends a request some seconds after the samples were read, and records the response. */
async function requestAt(app: TestApp, read: ServedRead, state: string, seconds: number): Promise<Reported> {
  app.setTime(new Date(testTime.getTime() + seconds * 1000));
  const reported = await sendRequest(app, read);
  if (table) appendFileSync(table, `${lineOf(state, read, reported)}\n`);
  return reported;
}

/** Expects a response that is marked as unconfirmed, or an error. Neither is cached. */
function expectUnconfirmed({ status, flags, cache, network, body, retryAfter, origin }: Reported): void {
  expect([cache, network, origin]).toEqual(["no-store", null, null]);
  if (status === 200) {
    expect(flags, JSON.stringify(body).slice(0, 500)).not.toEqual([]);
    return;
  }
  expect([status, Object.keys(body)]).toEqual([503, ["message"]]);
  expect(Number(retryAfter)).toBeGreaterThan(0);
}

/** By decision 92: cached for a minute at most, or not at all, and marked as stale. */
function expectStale({ status, cache, network, stale, ageSeconds, origin }: Reported, minSeconds: number): void {
  expect([status, stale, network, origin]).toEqual([200, true, null, null]);
  expect(ageSeconds).toBeGreaterThanOrEqual(minSeconds);
  expect(cache).not.toContain("stale-if-error");
  if (cache !== "no-store") expect(cachedSeconds({ cache, network }).stored).toBeLessThanOrEqual(60);
}

/** What holds whatever the clock is. */
function expectHonest(reported: Reported, read: ServedRead, seconds: number): void {
  const { fresh, servable, gone } = limitsOf(read);
  if (seconds <= fresh) {
    expect([reported.status, reported.stale, reported.origin]).toEqual([200, false, null]);
    expect(cachedSeconds(reported).inAll).toBeLessThanOrEqual(servable - seconds);
  } else if (seconds > gone) expectUnconfirmed(reported);
  else if (seconds <= servable) expectStale(reported, fresh);
  // Several datasets are behind it: one is unavailable and another is not.
  else if (reported.stale && reported.status === 200 && reported.flags.length === 0) expectStale(reported, fresh);
  else expectUnconfirmed(reported);
}

test("every public read is served by a dataset or a look-up, or is made from none, and none is both", () => {
  const served = new Set(operationOrigins.map(({ method }) => method));
  const names = (some: readonly { readonly name: string }[]) => some.map(({ name }) => name).sort();
  const unreported = catalog.filter(
    ({ read, method }) => read && !served.has(method) && !madeFromNoDataset.includes(method),
  );
  expect(names(unreported)).toEqual([]);
  expect(
    names(catalog.filter(({ read, method }) => read && served.has(method) && madeFromNoDataset.includes(method))),
  ).toEqual([]);
});

describe("in live mode, with nothing reachable", () => {
  let database: Database;
  let app: TestApp;
  let empty: TestApp;
  let emptyDatabase: Database;
  beforeAll(async () => {
    [database, emptyDatabase] = await Promise.all([openLoaded(), openOnce()]);
    [app, empty] = await Promise.all([startApp(database, live), startApp(emptyDatabase, live)]);
  });
  afterAll(async () => {
    await Promise.all([app[Symbol.asyncDispose](), empty[Symbol.asyncDispose]()]);
    await Promise.all([database.close(), emptyDatabase.close()]);
  });
  const conditions = async (): Promise<readonly ListedDataset[]> =>
    (await app.json<{ datasets: ListedDataset[] }>("/api/catalog/v1/list-datasets")).datasets;

  test.each(fromOutside)("%s over a store of samples answers as over an empty one, at every clock", async (_, read) => {
    for (const seconds of [0, hour, day, 40 * day]) {
      const [hidden, never] = [
        await requestAt(app, read, `samples +${seconds / hour} h`, seconds),
        await requestAt(empty, read, "never", seconds),
      ];
      expectUnconfirmed(hidden);
      expect(hidden).toEqual(never);
    }
  });

  test("the catalog calls datasets that hold samples empty, and says why", async () => {
    for (const { name, state, reason, origin } of await conditions())
      if (name !== "energy-crisis-policies")
        expect([name, state, reason, origin]).toEqual([
          name,
          "empty",
          ["supply-vulnerability", "resilience-scores"].includes(name)
            ? undefined
            : expect.stringMatching(/not set|read yet|failed|reached|answer/),
          undefined,
        ]);
  });

  describe("over a store of live answers", () => {
    beforeAll(async () => {
      await relabelAsLive(database);
      await app.settled();
    });

    test.each(reads)("%s is fresh, then stale, then no answer: at every clock as its datasets say", async (_, read) => {
      const { fresh, servable, gone } = limitsOf(read);
      const clocks = {
        "+0": 0,
        "+1 h": hour,
        "+1 day": day,
        "+40 days": 40 * day,
        stale: fresh + 60,
        servable,
        "beyond servable": gone + 60,
      };
      for (const [state, seconds] of Object.entries(clocks).sort(([, a], [, b]) => a - b))
        expectHonest(await requestAt(app, read, state, seconds), read, seconds);
    });

    test("no read writes a file of data that JSON returns only with a flag of expired data", async () => {
      app.setTime(new Date(testTime.getTime() + 40 * day * 1000));
      let files = 0;
      for (const [name, { operation, path, behind }] of reads) {
        if (tablesOf(operation).length === 0 || limitsOf({ operation, path, behind }).gone > 40 * day) continue;
        const response = await app.get(`${path}${path.includes("?") ? "&" : "?"}format=csv`);
        expect([name, response.status]).toEqual([name, 503]);
        files += 1;
      }
      expect(files).toBeGreaterThan(10);
    });

    test("a refresh that brings nothing leaves every answer as old as it was", async () => {
      app.setTime(new Date(testTime.getTime() + 40 * day * 1000));
      for (const { name } of datasets) await app.refresh(name).catch(() => undefined);
      for (const [, read] of fromOutside)
        expectHonest(await requestAt(app, read, "source down", 40 * day + 1), read, 40 * day);
      const all = await conditions();
      const stateOf = (dataset: DatasetName) => all.find(({ name }) => name === dataset)?.state;
      expect(stateOf("conflict-events")).toBe("expired");
      expect(stateOf("trade-flows")).toBe("stale");
    });

    test("without a main part every answer says so", async () => {
      await database.kysely.transaction().execute(async (transaction) => {
        await sql`update source set good_origin = null`.execute(transaction);
        for (const { name } of datasets) await raiseGeneration(transaction, name);
      });
      await app.settled();
      for (const [, read] of fromOutside) expectUnconfirmed(await requestAt(app, read, "main part missing", 2));
      // How they stand is kept for a second.
      app.setTime(new Date(testTime.getTime() + 41 * day * 1000));
      const bases: DatasetName = "military-bases";
      const incomplete = (await conditions()).filter(({ state }) => state === "incomplete");
      expect(incomplete.find(({ name }) => name === bases)?.missingParts).toEqual(["overpass", "mirta"]);
    });
  });
});
