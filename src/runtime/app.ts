import type { Config } from "../config/config.ts";
import { datasets, deliveryBacklog, lookups, unevaluatedChanges } from "../domains/index.ts";
import { clientAddress } from "../http/client-address.ts";
import { listen } from "../http/listener.ts";
import { createAdmission } from "../http/load/admission.ts";
import { createResponseCache } from "../http/rest/response-cache.ts";
import { surrogateKey } from "../http/rest/surrogate-key.ts";
import { metricsListener } from "../http/routes/metrics-listener.ts";
import type { StoreReadings } from "../http/routes/store-metrics.ts";
import { createTelemetry } from "../http/routes/telemetry.ts";
import { spentBudgets } from "../ingest/request-budget.ts";
import { queueDepth } from "../jobs/queue-depth.ts";
import { libraries } from "../reference/libraries.ts";
import { type Repeater, repeater } from "../store/served/repeater.ts";
import { openAccess } from "./access.ts";
import type { AppParts } from "./app-parts.ts";
import { watchParts } from "./changes.ts";
import type { Data } from "./data.ts";
import { openData } from "./data.ts";
import { implementedServices } from "./implementations.ts";
import { requestHandler } from "./requests.ts";

/** Makes a shared cache in front forget. */
interface Purge {
  /** What is made from this dataset is not as before here. */
  readonly changed: (dataset: string) => void;
  readonly close: () => Promise<void>;
}

const timeoutMs = 5_000;

/** Each replica tells for itself, once it serves what is new: the cache then finds nothing older at the last of them. */
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
      const what = `The shared cache is not told that ${dataset} changed`;
      const known = repeaters.get(dataset) ?? repeater(() => send(url, dataset), { what, log });
      repeaters.set(dataset, known);
      known.request();
    },
    async close() {
      await Promise.all([...repeaters.values()].map((each) => each.close()));
    },
  };
}

/** A request does not send the credentials of its URL by itself. */
function basicAuthentication(url: string): Readonly<Record<string, string>> {
  const { username, password } = new URL(url);
  if (username === "" && password === "") return {};
  const credentials = [username, password].map(decodeURIComponent).join(":");
  return { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` };
}

/** However often and by how many the metrics are asked for, each process reads the store once in this time. */
const ttlMs = 10_000;

/** What the metrics tell of the store. */
function storeReadings(
  { database, config, clock }: Pick<AppParts, "database" | "config" | "clock">,
  { health, replica }: Pick<Data, "health" | "replica">,
): StoreReadings {
  const { kysely } = database;
  const sources = [...datasets.flatMap((dataset) => dataset.sources), ...lookups];
  return {
    datasets: health.statuses,
    replica,
    budgets: stored(clock, () => spentBudgets(kysely, sources, { ...config, now: clock() })),
    jobs: stored(clock, () => queueDepth(database)),
    webhooks: stored(clock, () => deliveryBacklog(kysely, clock())),
    unevaluated: stored(clock, () => unevaluatedChanges(kysely)),
  };
}

/** The same reading for all who ask within the time, while it is being made too; a failed one is made anew. */
function stored<T>(clock: () => Date, read: () => Promise<T>): () => Promise<T> {
  let last: { readonly at: number; readonly reading: Promise<T> } | undefined;
  return () => {
    const at = clock().getTime();
    if (last && Math.abs(at - last.at) < ttlMs) return last.reading;
    const reading = read();
    const made = { at, reading };
    last = made;
    reading.catch(() => {
      if (last === made) last = undefined;
    });
    return reading;
  };
}

/** A started API. */
export interface App {
  /** Address without a trailing slash. */
  readonly url: string;
  readonly metricsPort: number | undefined;
  /** Resolves when everything stored so far is visible here. */
  readonly settled: () => Promise<void>;
  /** From now on connections end with their next answer. */
  readonly drain: () => void;
  /** Lets requests under way end; what is left after the grace time is cut. */
  readonly close: () => Promise<void>;
}

/** How long requests under way may take to end. */
const graceMs = 5_000;

/** Builds every part once, in order, and closes them in reverse. The store is migrated already and stays open. */
export async function createApp(parts: AppParts): Promise<App> {
  const { config, clock } = parts;
  // A part that fails closes those before it.
  await using stack = new AsyncDisposableStack();
  const closing = new AbortController();
  const responseCache = createResponseCache(clock);
  const access = await openAccess(parts, stack);
  const purge = createPurge(config.purgeUrl, (message) => parts.log.warn(message));
  stack.defer(() => purge.close());
  const datasetChanged = (name: string) => {
    responseCache.clear();
    purge.changed(name);
  };
  const data = await openData(parts, { datasetChanged, keysChanged: () => access.forgetKeys() }, stack);
  const { health } = data;
  const admission = createAdmission(parts.admission);
  stack.defer(() => admission.close());
  const telemetry = createTelemetry(storeReadings(parts, data), admission.counts);
  if (parts.tracing) stack.use(parts.tracing.exportMetrics(telemetry.registry));
  const watch = watchParts(parts, access, data);
  const implemented = implementedServices(parts, { access, data, telemetry, watch }, stack);
  const addresses = clientAddress(config.trustedProxies, config.geoHeaders);
  const shutdown = closing.signal;
  const handle = requestHandler(parts, {
    access,
    health,
    telemetry,
    admission,
    responseCache,
    addresses,
    implemented,
    watch,
    newestChange: data.feed.newest,
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
