import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import { CompanyMonitoringService } from "../../gen/es/ids/company_monitoring/v1/company_monitoring_pb.ts";
import { services } from "../../gen/es/services.ts";
import { accounts } from "../access/accounts.ts";
import { auditLog } from "../access/audit-log.ts";
import { openBilling } from "../access/billing/billing.ts";
import { createRenewals } from "../access/billing/renewals.ts";
import { signedCursors } from "../access/cursor.ts";
import { answersSealedFor, idempotentCalls } from "../access/idempotency.ts";
import { accountKeys } from "../access/keys/account-keys.ts";
import { isDemoAccount } from "../access/keys/demo-keys.ts";
import { findPrincipal, keysGeneration } from "../access/keys/keys.ts";
import { knownKeys } from "../access/keys/known-keys.ts";
import { configuredPlans, freePlan } from "../access/plans.ts";
import { limitReader } from "../access/quotas/limits.ts";
import { quotaRules } from "../access/quotas/quota-rules.ts";
import { openQuotas } from "../access/quotas/quota-store.ts";
import { sealing } from "../access/sealing.ts";
import type { Secrets } from "../access/secret.ts";
import { createUsageCounter } from "../access/usage.ts";
import { usageTable } from "../access/usage-table.ts";
import type { Config } from "../config/config.ts";
import { domainPrefixes, operationsOf } from "../contract/catalog.ts";
import type { Implementation, Implemented } from "../contract/implementation.ts";
import { datasets, implementations, jobKinds, lookups, methodology } from "../domains/index.ts";
import { openIpLocator } from "../domains/infrastructure/ip-geo.ts";
import { createReverseGeocoder, type ReverseGeocoder } from "../domains/infrastructure/reverse-geocoder.ts";
import { nameServerResolver, type Resolve } from "../egress/resolver.ts";
import type { UpstreamError } from "../errors.ts";
import { clientAddress } from "../http/client-address.ts";
import { createGate } from "../http/gate.ts";
import { listen } from "../http/listener.ts";
import { type AdmissionLimits, createAdmission } from "../http/load/admission.ts";
import { createFaultLog } from "../http/load/fault-log.ts";
import { createAnswers } from "../http/rest/answers.ts";
import { createReading } from "../http/rest/reading.ts";
import { createRequestCache } from "../http/rest/request-cache.ts";
import { restRoute } from "../http/rest/rest.ts";
import { writeRoute } from "../http/rest/write-route.ts";
import { createRouter, type Route, underAlias } from "../http/router.ts";
import { metricsListener } from "../http/routes/metrics-listener.ts";
import { operationalRoutes } from "../http/routes/operational.ts";
import { pageRoutes } from "../http/routes/pages.ts";
import { stripeWebhookRoute } from "../http/routes/stripe-webhook.ts";
import { createTelemetry } from "../http/routes/telemetry.ts";
import { rpcHandler, rpcOperations } from "../http/rpc/rpc.ts";
import { requestListener } from "../http/server.ts";
import { datasetCondition } from "../ingest/condition.ts";
import type { ScheduledDataset } from "../ingest/scheduled.ts";
import { createUpstreams, type Outside } from "../ingest/upstreams.ts";
import { audited } from "../interceptors/audit.ts";
import { createAuthenticate } from "../interceptors/authenticate.ts";
import { createEntitle } from "../interceptors/entitle.ts";
import { repeatable } from "../interceptors/idempotency.ts";
import { createKeyGuard } from "../interceptors/key-guard.ts";
import { createMeter, createVisitorMeter } from "../interceptors/meter.ts";
import { createProject } from "../interceptors/project.ts";
import { tellingStanding } from "../interceptors/tell-standing.ts";
import { jobSender } from "../jobs/sender.ts";
import { mcpRoutes } from "../mcp/route.ts";
import type { Readable } from "../mcp/toolbox.ts";
import type { Database } from "../store/database.ts";
import { followGenerations } from "../store/served/generations.ts";
import { serveDatasets } from "../store/served/served-datasets.ts";
import { configuredFlights } from "./flights.ts";
import { geocodingProvider } from "./geocoding.ts";
import { createHealth } from "./health.ts";

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
  /** What every secret at rest is derived from. */
  readonly secrets: Secrets;
  readonly log: Logger;
  /** Shown on the pages, for trying the service; only in sample mode. */
  readonly demoKey?: string;
  /** In place of the configured one. */
  readonly geocoder?: ReverseGeocoder;
  /** In place of the network. */
  readonly outside?: Outside;
  /** In place of the machine's resolver. */
  readonly resolve?: Resolve;
  /** Services beside those of the contract. */
  readonly services?: readonly Implemented[];
  /** In place of what one process does at the same time. */
  readonly admission?: Partial<AdmissionLimits>;
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
  const warn = (message: string) => log.warn(message);
  const quotas = await openQuotas({ redisUrl: config.redisUrl, database: database.settings, log: warn });
  stack.defer(() => quotas.close());
  const limits = quotaRules(config.upgradeUrl);
  const authenticate = createAuthenticate({
    find: (key, now) => findPrincipal(kysely, plans, key, now),
    admits: ({ account }) => config.demo || !isDemoAccount(account),
    guard: createKeyGuard({ quotas, isKey: knownKeys(kysely), countsBesideKeys: config.redisUrl === undefined }),
  });
  const billing = await openBilling({ stripe: config.stripe, database: kysely, plans, log });
  const renewals = createRenewals({ database: kysely, plans, providers: billing.providers, clock, log: warn });
  const served = serveDatasets(database, { datasets, data: config.data, clock, moved: answers.clear, log: warn });
  stack.defer(() => served.close());
  const onChange = (name: string) => {
    if (name !== keysGeneration) return served.changed(name);
    authenticate.forget();
    renewals.forget();
  };
  const generations = await followGenerations(database, { clock, log: warn, onChange });
  stack.defer(() => generations.close());

  const locator = await openIpLocator(config.geoipDatabase);
  stack.defer(() => locator[Symbol.dispose]());
  const geocoder = parts.geocoder ?? createReverseGeocoder(geocodingProvider(config, clock, random));
  const access = {
    accounts: accounts(kysely, plans),
    keys: accountKeys(kysely, { mostKeys: config.mostKeys, randomBytes }),
    usage: usageTable(kysely),
    limits: limitReader(quotas, limits),
    audit: auditLog(kysely),
    clock,
  };
  const upstreams = createUpstreams(config, clock, random, parts.outside);
  const health = createHealth({
    database,
    datasets,
    lookups,
    missingOf: upstreams.missingOf,
    generations,
    data: config.data,
    clock,
  });
  const admission = createAdmission(parts.admission);
  stack.defer(() => admission.close());
  const telemetry = createTelemetry(health.ingestResults, admission.counts);
  const faults = createFaultLog(log);
  const lookedUp = (upstream: string, failure?: UpstreamError) => {
    telemetry.lookedUp(upstream, failure ? "failed" : "ok");
    if (failure) log.warn({ upstream, reason: failure.message }, "look-up failed");
  };
  const flights = configuredFlights(config, upstreams, { clock, lookedUp });
  const conditionOf = (dataset: ScheduledDataset) =>
    datasetCondition(kysely, dataset, { datasets, missingOf: upstreams.missingOf, data: config.data, clock });
  const cursors = (purpose: string, mark?: string) => signedCursors(parts.secrets, purpose, mark);
  const sender = stack.use(jobSender(database, { kinds: jobKinds, log: warn }));
  const sealed = (purpose: string) => sealing(parts.secrets, purpose);
  const ofDomain = implementations({
    ...{ database: kysely, access, served, geocoder, locator, flights, clock },
    ...{ cursors, conditionOf, warn, upstreams, lookedUp, randomBytes },
    resilience: { schema: config.resilienceSchema, commit: config.commit, data: config.data },
    ...{ sealing: sealed, sender: sender.ready, resolve: parts.resolve ?? nameServerResolver() },
    ...{ webhooks: config.webhooks, scenarios: config.scenarios, data: config.data },
  });
  const calls = idempotentCalls(kysely, sealed(answersSealedFor));
  const implemented = [
    ...Object.entries(services).map(([domain, service]) => ({
      service,
      implementation: ofDomain[domain as keyof typeof services],
    })),
    ...(parts.services ?? []),
  ].map((each: Implemented) => {
    const logged = audited(each, { events: access.audit, clock, log });
    return tellingStanding(repeatable(logged, { calls, clock, warn }));
  });

  const usage = createUsageCounter(kysely, warn);
  stack.defer(() => usage.close());
  const entitle = createEntitle({
    ...{ renewals, free: freePlan(plans), upgradeUrl: config.upgradeUrl },
    isOff: ({ method }) => method.parent === CompanyMonitoringService && !config.companyMonitoring,
  });
  const gate = createGate(authenticate, entitle, createMeter(quotas, limits), usage.count);
  const reading = { answers, project: createProject(), admission, requests: createRequestCache() };
  const addresses = clientAddress(config.trustedProxies, config.geoHeaders);
  const offered = implemented.flatMap(({ service, implementation }) =>
    operationsOf(service).map((operation) => ({
      operation,
      methods: implementation as Readonly<Record<string, unknown>>,
    })),
  );
  const operations = offered.map(({ operation }) => operation);
  const reads: Readable[] = [];
  const routes = offered.flatMap(({ operation, methods }) => {
    const { name, path, aliases, access, verb } = operation;
    const implementation = methods[operation.method.localName] as Implementation;
    const read = operation.read && {
      operation,
      reading: createReading(operation, implementation, reading),
    };
    if (read) reads.push(read);
    const serve = read
      ? restRoute(operation, read.reading, gate)
      : writeRoute(operation, implementation, { gate, admission });
    const verbs = verb === "GET" ? ["GET", "HEAD"] : [verb];
    const route: Route = { name, verbs, postAsGet: verb === "GET", anonymous: access.anonymous, serve };
    return [[path, route] as const, ...aliases.map((alias) => [alias, underAlias(route, path)] as const)];
  });
  const meter = createVisitorMeter(quotas);
  const router = createRouter(
    [
      ...routes,
      ...pageRoutes({ plans, demoKey: parts.demoKey, methodology, meter }),
      ...operationalRoutes({ gate, meter, telemetry, health: health.report, notReady: health.notReady }),
      ...mcpRoutes({
        ...{ reads, gate, admission, health: health.report, upgradeUrl: config.upgradeUrl },
        meterVisitor: meter,
        isLocal: config.isLocal,
        failed: ({ id }, error) => faults.failed(id, "mcp", error),
      }),
      ...(billing.receive ? [stripeWebhookRoute(billing.receive, telemetry.registry)] : []),
    ],
    domainPrefixes(operations),
  );
  const ofRpc = rpcOperations(operations);
  const rpc = rpcHandler(implemented, {
    ...{ operations: ofRpc, gate, admission, clock, shutdown: closing.signal, failed: faults.failed },
    malformed(requestId, protocol, reason) {
      telemetry.malformed(protocol);
      faults.malformed(requestId, protocol, reason);
    },
  });
  await served.settled();
  if (served.hidden().length > 0)
    log.warn({ datasets: served.hidden() }, "the store holds samples, which live mode does not serve");
  const handle = requestListener({
    ...{ router, rpc, rpcOperations: ofRpc, gate, addresses, telemetry, log, clock, failed: faults.failed },
    allowedOrigins: config.allowedOrigins,
  });
  const listener = await listen(config.host, config.port, handle, {
    isProxy: addresses.isProxy,
    connectionsPerAddress: config.peers.connections,
    stalledMs: config.peers.stalledMs,
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
      await usage.flush();
      await generations.poll();
      await served.settled();
    },
    async close() {
      closing.abort();
      await started.disposeAsync();
    },
  };
}
