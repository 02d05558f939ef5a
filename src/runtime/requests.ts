import { BatchService } from "../../gen/es/ids/batch/v1/batch_pb.ts";
import { services } from "../../gen/es/services.ts";
import { encryption } from "../access/encryption.ts";
import { historyDays } from "../access/history-limit.ts";
import type { Principal } from "../access/keys/api-key.ts";
import { namedPlan } from "../access/keys/demo-keys.ts";
import { operatorKeyFile } from "../access/keys/operator-keys.ts";
import { endedKeyDays } from "../access/retention.ts";
import { consoleRoutes } from "../console/console.ts";
import { errorPages } from "../console/error-page.ts";
import { admitSession } from "../console/session/signing-in.ts";
import { createWrite } from "../console/session/writes.ts";
import { type AnyOperation, type Operation, operationsOf, streams } from "../contract/catalog.ts";
import { type Implemented, implementationsOf, type Served } from "../contract/implementation.ts";
import { deliveryDays } from "../delivery/delivery-retention.ts";
import { readAlertFeed } from "../domains/alerts/alert-feed.ts";
import { removedCompanyDays } from "../domains/company-monitoring/monitoring-retention.ts";
import { datasets, lookups, methodologies, operationOrigins, originsOf } from "../domains/index.ts";
import { batchRoute } from "../http/batch/batch-route.ts";
import { batchService } from "../http/batch/batch-service.ts";
import { batchLimits, createRunBatch, type RunBatch } from "../http/batch/run-batch.ts";
import type { WatchParts } from "../http/changes/watch-parts.ts";
import { watchRoute } from "../http/changes/watch-route.ts";
import type { ClientAddress } from "../http/client-address.ts";
import type { Exchange } from "../http/exchange.ts";
import { alertFeedRoute } from "../http/feeds/alert-feed-route.ts";
import { feedRoute } from "../http/feeds/feed-route.ts";
import type { FairQueue } from "../http/load/fair-queue.ts";
import { createFaultLog, type FaultLog } from "../http/load/fault-log.ts";
import { type RequestQueue, requestQueue } from "../http/load/request-queue.ts";
import type { Request, Response } from "../http/node-message.ts";
import { createOutcomes } from "../http/outcomes.ts";
import { requestSpans } from "../http/request-spans.ts";
import type { ExportSpool } from "../http/rest/formats/export-spool.ts";
import { createReadOperation, type Readable } from "../http/rest/read-operation.ts";
import { createRequestCache } from "../http/rest/request-decoder.ts";
import type { ResponseCache } from "../http/rest/response-cache.ts";
import { restRoute } from "../http/rest/rest.ts";
import { writeRoute } from "../http/rest/write-route.ts";
import { createRouter, type Route, rejectUnserved, underAlias } from "../http/router.ts";
import { contractFiles } from "../http/routes/contract-files.ts";
import { operationalRoutes } from "../http/routes/operational.ts";
import { pageRoutes } from "../http/routes/pages.ts";
import { referencePages } from "../http/routes/reference-pages.ts";
import { responseExamples } from "../http/routes/response-examples.ts";
import { stripeWebhookRoute } from "../http/routes/stripe-webhook.ts";
import type { Telemetry } from "../http/routes/telemetry.ts";
import { rpcHandler, rpcOperations } from "../http/rpc/rpc.ts";
import { requestListener } from "../http/server.ts";
import { licensesOf } from "../ingest/graph.ts";
import { storedGenerations } from "../ingest/stored-metadata.ts";
import { createProject } from "../interceptors/project.ts";
import { mcpRoutes } from "../mcp/route.ts";
import type { Site } from "../pages/frame/frame.ts";
import { dayMs } from "../reference/duration.ts";
import { programVersion } from "../reference/program-version.ts";
import type { Access } from "./access.ts";
import type { AppParts } from "./app-parts.ts";
import type { Health } from "./health.ts";
import { knownLists } from "./known-lists.ts";
import { citedHistory, hasPast, type ResolvePast, timesOf } from "./past-reads.ts";
import { createStandards } from "./standards.ts";
import { withheldFromFile, withheldFromRequest, withheldSources } from "./withheld.ts";

/** Dependencies of the request handler. */
export interface RequestParts {
  readonly access: Access;
  readonly health: Health;
  readonly telemetry: Telemetry;
  readonly queue: FairQueue;
  readonly responseCache: ResponseCache;
  readonly spool: ExportSpool;
  readonly resolvePast: ResolvePast;
  readonly addresses: ClientAddress;
  readonly implemented: readonly Implemented[];
  readonly watch: WatchParts;
  readonly newestChange: () => number;
  /** Signal that aborts running calls when the process stops. */
  readonly shutdown: AbortSignal;
}

type Routes = (readonly [path: string, route: Route])[];

/** Returns whether an operation may wait for a source, or for a name server, as some writes do. */
function waitsOutside({ read, method }: AnyOperation): boolean {
  return !read || lookups.some(({ serves }) => serves.includes(method));
}

/** Returns the handler for all requests to the port of the API. */
export function requestHandler(app: AppParts, parts: RequestParts): (request: Request, response: Response) => void {
  const { config, clock, log } = app;
  const { access, telemetry, implemented, shutdown, addresses } = parts;
  const queue = requestQueue(parts.queue, waitsOutside);
  const { accessControl } = access;
  const faults = createFaultLog(log);
  const outcomes = createOutcomes({ telemetry, log, failed: faults.failed, note: access.requestLog.note });
  const offered = implemented.flatMap(implementationsOf);
  const operations = [...offered.map(({ operation }) => operation), ...operationsOf(BatchService)];
  const { routes, reads } = operationRoutes(offered, app, parts, queue);
  const runBatch = createRunBatch({
    find: (path) => router.find(path, "GET"),
    reject: (requested) => rejectUnserved(requested, undefined, access.meterClient),
    outcomes,
    limits: { ...batchLimits, ...app.batch },
  });
  const router = createRouter([
    ...routes,
    ...batchRoutes(runBatch, parts),
    ...streamRoutes(parts),
    feedRoute({ ...access.feedUrls, find: (path, verb) => router.find(path, verb) }),
    alertFeedRoute({
      find: (requested) => readAlertFeed(app.database.kysely, access.plans, requested),
      meter: access.meterClient,
    }),
    ...otherRoutes(app, parts, { reads, offered, faults, queue }),
  ]);
  const ofRpc = rpcOperations([...operations, ...streams]);
  const rpc = rpcHandler([...implemented, { service: BatchService, implementation: batchService(runBatch) }], {
    operations: ofRpc,
    accessControl,
    queue,
    clock,
    shutdown,
    isBatch: ({ method }) => method.parent === BatchService,
    notReady: parts.health.notReady,
    meter: access.meterClient,
    failed: faults.failed,
    malformed(requestId, protocol, reason) {
      telemetry.malformed(protocol);
      faults.malformed(requestId, protocol, reason);
    },
  });
  return requestListener({
    router,
    rpc,
    rpcOperations: ofRpc,
    meter: access.meterClient,
    addresses,
    allowedOrigins: config.allowedOrigins,
    isSample: config.data === "sample",
    outcomes,
    errorPage: errorPages(siteOf(app), knownLists),
    clock,
    spans: requestSpans(app.tracing, config),
  });
}

function siteOf({ config, demoKeys = [] }: AppParts): Site {
  return { isSample: config.data === "sample", hasDemoKeys: demoKeys.length > 0, operator: config.operator };
}

/** Creates the REST routes of all operations, and returns the reads among them. */
function operationRoutes(
  offered: readonly Served[],
  { config, database, clock }: AppParts,
  { access: { accessControl, walkAllowance, plans }, responseCache, spool, resolvePast }: RequestParts,
  queue: RequestQueue,
) {
  const pastKey = async (operation: Operation, at: number, principal: Principal | undefined) => {
    // If the time is too far back for the caller's plan, there is no key, and the read itself rejects the time.
    if (clock().getTime() - at > historyDays(principal, plans) * dayMs) return undefined;
    const resolved = await resolvePast(operation, at);
    // The plan and scopes are part of the key, because a brief contains only parts that its caller may read.
    return resolved && `${resolved.key} ${principal?.plan.key ?? ""} ${[...(principal?.scopes ?? [])].join(" ")}`;
  };
  const everything = { datasets, lookups };
  const shared = {
    responseCache,
    spool,
    project: createProject(),
    variesByOrigin: config.allowedOrigins.length > 0,
    queue,
    requests: createRequestCache(),
    licenses({ method }: Operation, named?: readonly string[]) {
      const input = named ? everything : originsOf(method);
      return input ? licensesOf(input, named) : [];
    },
    datasets: ({ method }: Operation) => originsOf(method)?.datasets.map(({ name }) => name) ?? [],
    withheld: (operation: Operation) => withheldFromRequest(operation, config),
    allowance: walkAllowance,
    pastKey,
    history: citedHistory({ database: database.kysely, config, plans }),
    storedGenerations: (names: readonly string[]) =>
      storedGenerations(
        database.kysely,
        names.map((name) => ({ name })),
      ),
  };
  const reads: Readable[] = [];
  const routes = offered.flatMap(({ operation, implementation }): Routes => {
    const { name, path, aliases, access, verb, queried } = operation;
    const read = operation.read && { operation, readOperation: createReadOperation(operation, implementation, shared) };
    if (read) reads.push(read);
    const served = read
      ? restRoute(operation, read.readOperation, accessControl)
      : { serve: writeRoute(operation, implementation, { accessControl, queue }) };
    const verbs = queried ? ["GET", "HEAD"] : [verb];
    const route: Route = { name, verbs, postAsGet: queried, anonymous: access.anonymous, ...served };
    return [[path, route], ...aliases.map((alias) => [alias, underAlias(route, path)] as const)];
  });
  return { routes, reads };
}

/** Creates the routes for batches. */
function batchRoutes(run: RunBatch, { access: { accessControl } }: RequestParts): Routes {
  return operationsOf(BatchService).map((operation) => {
    const { name, verb, path, access } = operation;
    const serve = batchRoute(operation, run, accessControl);
    return [path, { name, verbs: [verb], anonymous: access.anonymous, serve }];
  });
}

/** Creates the routes that stream changes as server-sent events. */
function streamRoutes({ watch, access: { identifySession } }: RequestParts): Routes {
  return streams.map((operation) => {
    const { name, path, access } = operation;
    const watching = watchRoute(operation, watch);
    const serve = async (exchange: Exchange) => {
      await admitSession(exchange, identifySession);
      return watching(exchange);
    };
    return [path, { name, verbs: ["GET", "HEAD"], anonymous: access.anonymous, serve }];
  });
}

interface OtherParts {
  readonly reads: readonly Readable[];
  readonly offered: readonly Served[];
  readonly faults: FaultLog;
  readonly queue: RequestQueue;
}

/** Creates routes that serve no operation: pages, health checks, AI agents, and billing events. */
function otherRoutes(
  app: AppParts,
  { access, health, telemetry, responseCache, newestChange }: RequestParts,
  { reads, offered, faults, queue }: OtherParts,
): Routes {
  const { config, demoKeys = [] } = app;
  const { accessControl, plans, meterClient, receive } = access;
  const site = siteOf(app);
  const { report, summary } = health;
  const isSample = config.data === "sample";
  const examples = responseExamples({ reads, inputs: operationOrigins, responseCache, isSample });
  const standards = createStandards({
    ...{ config, site, queue, accessControl, hasPast, epoch: responseCache.epoch, meter: meterClient },
    clock: app.clock,
    admitSession: (exchange) => admitSession(exchange, access.identifySession),
    reads: reads.filter(({ operation }) => !waitsOutside(operation)),
  });
  const publicPlan = config.publicPages && plans.get(namedPlan(config.publicPages));
  return [
    ...standards.routes,
    ...pageRoutes({ plans, publicPlan, prices: config.operator.prices, site, methodologies, meter: meterClient }),
    ...referencePages({
      ...{ plans, site, inputs: operationOrigins, demoKeys, examples, known: knownLists, meter: meterClient },
      ...{ version: programVersion(), clientsFolder: app.clientsFolder, queue, times: timesOf },
    }),
    ...consoleRoutes({
      ...{ site, reads, newestChange, inputs: operationOrigins, structuredData: standards.structuredData },
      scores: methodologies(),
      entitle: access.entitle,
      retain: { ...config.retain, keys: endedKeyDays, deliveries: deliveryDays, removed: removedCompanyDays },
      keyAt:
        config.demo || !config.isLocal
          ? undefined
          : ((config.operatorKey && "IDS_OPERATOR_KEY") ?? operatorKeyFile(config.directory)),
      isSet: (variable) => config.variable(variable) !== undefined,
      publicPlan,
      meter: access.meterPage,
      meterClient,
      signIn: { ...access, identify: accessControl.identify },
      encryption: encryption(app.secrets, "what a form has done"),
      write: createWrite({ offered, accessControl, queue, note: access.requestLog.note }),
      demoKeys,
      sendsMail: config.mail.url !== undefined,
      epoch: responseCache.epoch,
      clock: app.clock,
      queue,
      withheldSources: ({ method }) => withheldSources(method, config),
      withheldFromFile: ({ path }) => withheldFromFile(path, config),
      failed: ({ id }, operation, error) => faults.failed(id, operation, error),
    }),
    ...contractFiles(Object.values(services), meterClient),
    ...operationalRoutes({ ...health, accessControl, meter: meterClient, telemetry, health: summary }),
    ...mcpRoutes({
      reads,
      accessControl,
      queue,
      health: report,
      upgradeUrl: config.upgradeUrl,
      meterClient,
      isLocal: config.isLocal,
      failed: ({ id }, error) => faults.failed(id, "mcp", error),
    }),
    ...(receive ? [stripeWebhookRoute(receive, telemetry.registry)] : []),
  ];
}
