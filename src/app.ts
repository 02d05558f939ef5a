import type { Logger } from "pino";
import { services } from "../gen/es/services.ts";
import { isDemoAccount } from "./access/demo-keys.ts";
import { findPrincipal, keysGeneration } from "./access/keys.ts";
import { configuredPlans } from "./access/plans.ts";
import type { Config } from "./config.ts";
import { catalog } from "./contract/catalog.ts";
import { datasets, implementations } from "./domains/index.ts";
import { openIpLocator } from "./domains/infrastructure/ip-geo.ts";
import { createReverseGeocoder, type ReverseGeocoder } from "./domains/infrastructure/reverse-geocoder.ts";
import { geocodingProvider } from "./geocoding.ts";
import { createHealth } from "./health.ts";
import { createAnswers } from "./http/answers.ts";
import { clientAddress } from "./http/client-address.ts";
import { createGate } from "./http/gate.ts";
import { listen } from "./http/listener.ts";
import { metricsListener } from "./http/metrics-listener.ts";
import { operationalRoutes } from "./http/operational.ts";
import { type Implementation, restRoute } from "./http/rest.ts";
import { createRouter } from "./http/router.ts";
import { rpcHandler } from "./http/rpc.ts";
import { requestListener } from "./http/server.ts";
import { createTelemetry } from "./http/telemetry.ts";
import { createUpstreams } from "./ingest/upstreams.ts";
import { createAuthenticate } from "./interceptors/authenticate.ts";
import { createMeter } from "./interceptors/meter.ts";
import { createProject } from "./interceptors/project.ts";
import type { Database } from "./store/database.ts";
import { followGenerations } from "./store/generations.ts";
import { serveDatasets } from "./store/served-datasets.ts";

/** A started API. */
export interface App {
  /** Address without a trailing slash. */
  readonly url: string;
  readonly metricsPort: number | undefined;
  /** Resolves when everything stored so far is visible here. */
  readonly settled: () => Promise<void>;
  /** Lets requests under way end; what is left after the grace time is cut. */
  readonly close: () => Promise<void>;
}

/** What an app is made from besides its configuration: the store it reads and the world around it. */
export interface AppParts {
  readonly config: Config;
  readonly database: Database;
  readonly clock: () => Date;
  readonly random: () => number;
  readonly log: Logger;
  /** In place of the configured one. */
  readonly geocoder?: ReverseGeocoder;
}

/** How long requests under way may take to end. */
const graceMs = 5_000;

/** Builds every part once, in order, and closes them in reverse. The store is migrated already and stays open. */
export async function createApp(parts: AppParts): Promise<App> {
  const { config, database, clock, random, log } = parts;
  const { kysely } = database;
  // A part that fails closes those before it.
  await using stack = new AsyncDisposableStack();
  const closing = new AbortController();

  const plans = configuredPlans(config.planLimits);
  const answers = createAnswers(clock);
  const authenticate = createAuthenticate({
    find: (key) => findPrincipal(kysely, plans, key),
    admits: ({ account }) => config.demo || !isDemoAccount(account),
  });
  const warn = (message: string) => log.warn(message);
  const served = serveDatasets(database, { datasets, moved: answers.clear, log: warn });
  stack.defer(() => served.close());
  const onChange = (name: string) => (name === keysGeneration ? authenticate.forget() : served.changed(name));
  const generations = await followGenerations(database, { clock, log: warn, onChange });
  stack.defer(() => generations.close());

  const locator = await openIpLocator(config.geoipDatabase);
  stack.defer(() => locator[Symbol.dispose]());
  const geocoder = parts.geocoder ?? createReverseGeocoder(geocodingProvider(config, clock, random));
  const implemented = implementations({ database: kysely, served, geocoder, locator, clock });

  const upstreams = createUpstreams(config, clock, random);
  const health = createHealth({
    database,
    datasets,
    missingOf: upstreams.missingOf,
    generations,
    data: config.data,
    clock,
  });
  const telemetry = createTelemetry(health.ingestResults);
  const gate = createGate(authenticate, createMeter());
  const project = createProject();
  const addresses = clientAddress(config.trustedProxies, config.geoHeaders);
  const routes = catalog.flatMap((operation) => {
    const { name, path, aliases, access, verb } = operation;
    const methods: Readonly<Record<string, unknown>> = implemented[operation.service];
    const implementation = methods[operation.method.localName] as Implementation;
    const serve = restRoute(operation, implementation, { gate, answers, project });
    const route = { name, verbs: verb === "GET" ? ["GET", "HEAD"] : [verb], anonymous: access.anonymous, serve };
    return [path, ...aliases].map((place) => [place, route] as const);
  });
  const router = createRouter([
    ...routes,
    ...operationalRoutes({ gate, telemetry, health: health.report, notReady: health.notReady }),
  ]);
  const rpc = rpcHandler(
    Object.entries(services).map(([domain, service]) => ({
      service,
      implementation: implemented[domain as keyof typeof services],
    })),
    { gate, addresses, clock, log, shutdown: closing.signal },
  );
  await served.settled();
  const handle = requestListener({
    ...{ router, rpc, gate, addresses, telemetry, log, clock },
    allowedOrigins: config.allowedOrigins,
  });
  const listener = await listen(config.host, config.port, handle);
  stack.defer(() => listener.close(graceMs));
  const metrics =
    config.metricsPort === undefined ? undefined : await metricsListener(config.host, config.metricsPort, telemetry);
  stack.defer(() => metrics?.close(graceMs));

  const started = stack.move();
  return {
    url: `http://${config.host.includes(":") ? `[${config.host}]` : config.host}:${listener.port}`,
    metricsPort: metrics?.port,
    async settled() {
      await generations.poll();
      await served.settled();
    },
    async close() {
      closing.abort();
      await started.disposeAsync();
    },
  };
}
