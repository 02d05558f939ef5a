import { randomBytes } from "node:crypto";
import type { Writable } from "node:stream";
import { newKey } from "../../src/access/keys/api-key.ts";
import { storeKey } from "../../src/access/keys/keys.ts";
import type { Secrets } from "../../src/access/secret.ts";
import { readConfig } from "../../src/config/config.ts";
import { catalog } from "../../src/contract/catalog.ts";
import type { Implemented } from "../../src/contract/implementation.ts";
import { type DatasetName, datasets } from "../../src/domains/index.ts";
import { createReverseGeocoder, type ReverseGeocoder } from "../../src/domains/infrastructure/reverse-geocoder.ts";
import type { Resolve } from "../../src/egress/resolver.ts";
import type { BatchLimits } from "../../src/http/batch/run-batch.ts";
import type { FairQueueLimits } from "../../src/http/load/fair-queue.ts";
import type { RefreshOutcome } from "../../src/ingest/refresh/refresh.ts";
import { storedBudget } from "../../src/ingest/request-limits.ts";
import { createUpstreams, type Outside } from "../../src/ingest/upstreams.ts";
import { createLog } from "../../src/log/log.ts";
import { createApp } from "../../src/runtime/app.ts";
import type { AppParts } from "../../src/runtime/app-parts.ts";
import type { Database } from "../../src/store/database.ts";
import { check } from "./described.ts";
import type { ListedDataset } from "./domains/catalog.ts";

/** A started app whose time, upstreams and store come from the test. */
export interface TestApp extends AsyncDisposable {
  readonly url: string;
  readonly metricsPort: number | undefined;
  /** A key of an account of its own on this plan; an operator's carries every scope. */
  readonly key: (plan: string) => Promise<string>;
  /** GET with the given key; `null` sends none, absent one of the operator. Fails when the answer is not as documented. */
  readonly get: (
    path: string,
    options?: {
      key?: string | null;
      headers?: Record<string, string>;
      method?: string;
      body?: string | Buffer<ArrayBuffer>;
    },
  ) => Promise<Response>;
  /** The body of a GET that must succeed. */
  readonly json: <Body>(path: string) => Promise<Body>;
  /** The names of the fields that a 400 complains about; fails on any other answer. */
  readonly rejected: (path: string) => Promise<string[]>;
  /** One refresh of a dataset, visible when it resolves. */
  readonly refresh: (dataset: DatasetName) => Promise<RefreshOutcome>;
  /** The catalog entry of a dataset. */
  readonly condition: (dataset: DatasetName) => Promise<ListedDataset>;
  /** Resolves when everything stored so far is visible, and everything counted so far stored. */
  readonly settled: () => Promise<void>;
  readonly setTime: (now: Date) => void;
}

export interface TestAppOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** In place of the samples. */
  readonly outside?: Outside;
  /** Shown on the pages as the key of the free plan. */
  readonly demoKey?: string;
  /** In place of that one. */
  readonly demoKeys?: NonNullable<AppParts["demoKeys"]>;
  readonly now?: Date;
  /** In place of a resolver by which every name leads to one public address. */
  readonly resolve?: Resolve;
  /** Services in addition to the contract's, such as `accessService`. */
  readonly services?: readonly Implemented[];
  /** In place of what one process does at the same time. */
  readonly queue?: Partial<FairQueueLimits>;
  /** In place of what one batch may take. */
  readonly batch?: Partial<BatchLimits>;
  /** In place of when streams are looked at. */
  readonly streamTimes?: NonNullable<AppParts["streamTimes"]>;
  /** In place of what the port takes upon itself. */
  readonly listener?: NonNullable<AppParts["listener"]>;
  /** In place of how many scenario jobs may be unfinished. */
  readonly scenarios?: NonNullable<AppParts["scenarios"]>;
  readonly stripeUrl?: AppParts["stripeUrl"];
  readonly clientsFolder?: AppParts["clientsFolder"];
  readonly tracing?: AppParts["tracing"];
  readonly replica?: AppParts["replica"];
  readonly maxLagMs?: AppParts["maxLagMs"];
  /** In place of the terminal. */
  readonly log?: Writable;
  /** Wraps the clock of the app. */
  readonly clockThrough?: (clock: () => Date) => () => Date;
}

const everywhere: Resolve = async () => [{ address: "8.8.8.8", family: 4 }];

/** All apps of a test file share it, because each would read the places again. */
let places: ReverseGeocoder | undefined;
const geocoder: ReverseGeocoder = (latitude, longitude) => {
  places ??= createReverseGeocoder();
  return places(latitude, longitude);
};

/** What every secret at rest is derived from. */
export const testSecrets: Secrets = [Buffer.alloc(32, 7)];

/** A Wednesday; the samples are moved to the week before. */
export const testTime = new Date("2026-11-18T12:00:00.000Z");

export async function startApp(database: Database, options: TestAppOptions = {}): Promise<TestApp> {
  let now = options.now ?? testTime;
  const { clockThrough = (own) => own } = options;
  const clock = clockThrough(() => new Date(now));
  const environment = {
    IDS_DATA: options.outside ? "live" : "sample",
    PORT: "0",
    IDS_LOG_LEVEL: "silent",
    IDS_DATA_DIR: "/nowhere",
    IDS_COMPANY_MONITORING: "on",
    ...options.environment,
  };
  const config = readConfig(environment);
  const log = createLog(config.logLevel, options.log ?? process.stderr, config.mask);
  const { services = [], queue = {}, batch = {}, streamTimes = {}, outside = {}, resolve = everywhere } = options;
  const { listener = {}, scenarios = {} } = options;
  const free = options.demoKey === undefined ? [] : [{ key: options.demoKey, tier: 0, scopes: [] }];
  const { demoKeys = free } = options;
  const random = () => 0.5;
  const app = await createApp({
    ...{
      config,
      database,
      clock,
      random,
      secrets: testSecrets,
      log,
      geocoder,
      outside,
      services,
      queue,
      batch,
      streamTimes,
      listener,
      scenarios,
      stripeUrl: options.stripeUrl,
      clientsFolder: options.clientsFolder,
      maxLagMs: options.maxLagMs,
      resolve,
      demoKeys,
      tracing: options.tracing,
      replica: options.replica,
    },
  });
  const upstreams = createUpstreams(config, clock, random, { takeRequest: storedBudget(database.kysely), ...outside });
  const key = async (plan: string) => {
    const made = newKey(randomBytes);
    const account = `test ${made.slice(4, 12)}`;
    await storeKey(database.kysely, made, { account, plan, name: "test" }, now);
    if (plan === "operator") await giveScopes(database, account);
    return made;
  };
  const operator = await key("operator");
  const get: TestApp["get"] = async (path, { key: presented = operator, headers = {}, method = "GET", body } = {}) => {
    const url = `${app.url}${path}`;
    const response = await fetch(url, {
      method,
      ...(body === undefined ? {} : { body }),
      headers: { ...(presented === null ? {} : { "X-Service-Key": presented }), ...headers },
    });
    await check(url, method, response);
    return response;
  };
  const json: TestApp["json"] = async (path) => {
    const response = await get(path);
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return response.json() as never;
  };
  return {
    url: app.url,
    metricsPort: app.metricsPort,
    key,
    get,
    json,
    async rejected(path) {
      const response = await get(path);
      const body = (await response.json()) as { violations?: { field: string; description: string }[] };
      if (response.status !== 400 || !body.violations)
        throw new Error(`${path} answered ${response.status}: ${JSON.stringify(body)}`);
      if (body.violations.some(({ description }) => description === "")) throw new Error(`${path} gives no reason`);
      return body.violations.map(({ field }) => field);
    },
    async refresh(name) {
      const dataset = datasets.find((known) => known.name === name);
      if (!dataset) throw new Error(`No dataset ${name}`);
      const outcome = await dataset.refresh({ database: database.kysely, upstreams });
      await app.settled();
      return outcome;
    },
    async condition(dataset) {
      const { datasets: listed } = await json<{ datasets: ListedDataset[] }>("/api/catalog/v1/list-datasets");
      const reported = listed.find(({ name }) => name === dataset);
      if (!reported) throw new Error(`The catalog says nothing of ${dataset}`);
      return reported;
    },
    settled: app.settled,
    setTime(next) {
      now = next;
    },
    [Symbol.asyncDispose]: app.close,
  };
}

const everyScope = [...new Set(catalog.map(({ access }) => access.scope))].filter((scope) => scope !== "");

async function giveScopes({ kysely }: Database, account: string): Promise<void> {
  await kysely.updateTable("account").set({ scopes: everyScope }).where("id", "=", account).execute();
  await kysely.updateTable("api_key").set({ scopes: everyScope }).where("account", "=", account).execute();
}

/** The time within which an eventual condition must become true. A loaded machine takes ten times as long as a quiet one. */
const timeoutMs = 30_000;

/** Waits until the condition holds; fails with what it last saw. */
export async function eventually<T>(read: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const value = await read();
    if (holds(value)) return value;
    if (performance.now() > deadline) throw new Error(`Still ${JSON.stringify(value)} after ${timeoutMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
