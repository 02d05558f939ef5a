import { LRUCache } from "lru-cache";
import type { Config } from "../config/config.ts";
import { deliveryBacklog } from "../delivery/backlog.ts";
import { unevaluatedChanges } from "../domains/alerts/evaluation/position.ts";
import { datasets, lookups } from "../domains/index.ts";
import { clientAddress } from "../http/client-address.ts";
import { listen } from "../http/listener.ts";
import { FairQueue } from "../http/load/fair-queue.ts";
import { createExportSpool } from "../http/rest/formats/export-spool.ts";
import { createResponseCache } from "../http/rest/response-cache.ts";
import { surrogateKey } from "../http/rest/surrogate-key.ts";
import { metricsListener } from "../http/routes/metrics-listener.ts";
import type { BackupReading, StoreReadings } from "../http/routes/store-metrics.ts";
import { createTelemetry } from "../http/routes/telemetry.ts";
import { spentBudgets } from "../ingest/request-limits.ts";
import { queueDepth } from "../jobs/queue-depth.ts";
import { libraries } from "../reference/libraries.ts";
import { programVersion } from "../reference/program-version.ts";
import { type Repeater, repeater } from "../store/served/repeater.ts";
import type { Store } from "../store/tables.ts";
import { openAccess } from "./access.ts";
import type { AppParts } from "./app-parts.ts";
import { watchParts } from "./changes.ts";
import { type Data, openData } from "./data.ts";
import { implementedServices } from "./implementations.ts";
import { pastResolver } from "./past-reads.ts";
import { requestHandler } from "./requests.ts";
import { freeBytesOf } from "./work/operator-alerts.ts";

interface Purge {
  /** Purges the dataset from the shared cache. Called when this process serves changed data of the dataset. */
  readonly changed: (dataset: string) => void;
  readonly close: () => Promise<void>;
}

const timeoutMs = 5_000;

/**
 * Each process of the service sends its own purge when it serves the new data. After the last purge, the shared cache
 * can no longer get older data from any process.
 */
function createPurge(url: Config["purgeUrl"], log: (message: string) => void): Purge {
  const repeaters = new Map<string, Repeater>();
  const send = async (address: string, dataset: string) => {
    const response = await libraries.undici().request(address, {
      method: "PURGE",
      headers: { [surrogateKey]: dataset, ...basicAuthentication(address) },
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.body.dump();
    if (response.statusCode >= 400) throw new Error(`IDS_PURGE_URL answered ${response.statusCode}`);
  };
  return {
    changed(dataset) {
      if (url === undefined) return;
      const what = `The shared cache cannot be purged of ${dataset}`;
      const known = repeaters.get(dataset) ?? repeater(() => send(url, dataset), { what, log });
      repeaters.set(dataset, known);
      known.request();
    },
    async close() {
      await Promise.all([...repeaters.values()].map((each) => each.close()));
    },
  };
}

/** Returns the header for credentials in a URL, because the HTTP client does not send them. */
function basicAuthentication(url: string): Readonly<Record<string, string>> {
  const { username, password } = new URL(url);
  if (username === "" && password === "") return {};
  const credentials = [username, password].map(decodeURIComponent).join(":");
  return { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` };
}

/** Each process reads the store for metrics at most once in this time. */
const ttlMs = 10_000;

function storeReadings(
  { database, config, clock }: Pick<AppParts, "database" | "config" | "clock">,
  { health, replica }: Pick<Data, "health" | "replica">,
): StoreReadings {
  const { kysely } = database;
  const sources = [...datasets.flatMap((dataset) => dataset.sources), ...lookups];
  return {
    datasets: health.statuses,
    replica,
    budgets: cachedReading(clock, () => spentBudgets(kysely, sources, { ...config, now: clock() })),
    jobs: cachedReading(clock, () => queueDepth(database)),
    webhooks: cachedReading(clock, () => deliveryBacklog(kysely, clock())),
    unevaluated: cachedReading(clock, () => unevaluatedChanges(kysely)),
    backup: () => lastBackup(kysely, clock()),
  };
}

async function lastBackup(kysely: Store, now: Date): Promise<BackupReading | undefined> {
  const run = await kysely.selectFrom("backup_run").selectAll().executeTakeFirst();
  return (
    run && { result: run.error === null ? "ok" : "failed", ageSeconds: (now.getTime() - run.at.getTime()) / 1_000 }
  );
}

/** Caches a reading and shares it among concurrent callers. A failed reading is not cached. */
function cachedReading<T extends NonNullable<unknown>>(clock: () => Date, read: () => Promise<T>): () => Promise<T> {
  const readings = new LRUCache<"last", T>({
    // The library treats an entry of exactly the maximum age as fresh, so the limit is one millisecond lower.
    ...{ max: 1, ttl: ttlMs - 1, ttlResolution: 0, ignoreFetchAbort: true },
    perf: { now: () => clock().getTime() },
    fetchMethod: () => read(),
  });
  return () => readings.forceFetch("last");
}

export interface App {
  /** URL of the service without a trailing slash. */
  readonly url: string;
  readonly metricsPort: number | undefined;
  /** Resolves when this process serves the data that was in the store at the time of the call. */
  readonly settled: () => Promise<void>;
  /** Closes each connection after its next response. */
  readonly drain: () => void;
  /** Waits for running requests, then cuts connections after the grace time. */
  readonly close: () => Promise<void>;
}

const graceMs = 5_000;

/** Creates all parts of the service in order. The caller migrates and closes the store. */
export async function createApp(parts: AppParts): Promise<App> {
  const { config, clock } = parts;
  // The stack closes parts that were created before another part fails.
  await using stack = new AsyncDisposableStack();
  const closing = new AbortController();
  const responseCache = createResponseCache(clock);
  const spool = createExportSpool(clock);
  stack.defer(() => spool.clear());
  const access = await openAccess(parts, stack);
  const purge = createPurge(config.purgeUrl, (message) => parts.log.warn(message));
  stack.defer(() => purge.close());
  const datasetChanged = (name: string) => {
    responseCache.clear();
    purge.changed(name);
  };
  const data = await openData(parts, { datasetChanged, keysChanged: () => access.forgetKeys() }, stack);
  const { health } = data;
  const queue = new FairQueue(parts.queue);
  stack.defer(() => queue.close());
  const telemetry = createTelemetry({
    readings: storeReadings(parts, data),
    queueCounts: () => queue.counts(),
    freeBytes: () => freeBytesOf(config.directory),
    version: programVersion(),
  });
  if (parts.tracing) stack.use(parts.tracing.exportMetrics(telemetry.registry));
  const watch = watchParts(parts, access, data);
  const resolvePast = pastResolver({ database: parts.database.kysely, clock, epoch: responseCache.epoch });
  const implemented = implementedServices(parts, { access, data, telemetry, watch, resolvePast }, stack);
  const addresses = clientAddress(config.trustedProxies, config.geoHeaders);
  const shutdown = closing.signal;
  const handle = requestHandler(parts, {
    access,
    health,
    telemetry,
    queue,
    responseCache,
    spool,
    resolvePast,
    addresses,
    implemented,
    watch,
    newestChange: () => data.feed.newest(),
    shutdown,
  });
  const listener = await listen(config.host, config.port, handle, {
    isProxy: addresses.isProxy,
    ...parts.listener,
  });
  stack.defer(() => listener.close(graceMs));
  const metrics =
    config.metricsPort === undefined ? undefined : await metricsListener(config.host, config.metricsPort, telemetry);
  stack.defer(() => metrics?.close(graceMs));

  const started = stack.move();
  return {
    url: `http://${config.host.includes(":") ? `[${config.host}]` : config.host}:${listener.port}`,
    metricsPort: metrics?.port,
    async settled() {
      await access.flush();
      await data.settled();
    },
    drain: listener.drain,
    async close() {
      access.streams.drain();
      closing.abort();
      await started.disposeAsync();
    },
  };
}
