import { randomBytes } from "node:crypto";
import type { DescMethod, DescService } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import { ChangesService } from "../../gen/es/ids/changes/v1/changes_pb.ts";
import { HistoryService } from "../../gen/es/ids/history/v1/history_pb.ts";
import { services } from "../../gen/es/services.ts";
import { signedCursors } from "../access/cursor.ts";
import { encryption } from "../access/encryption.ts";
import { requireHistory } from "../access/history-limit.ts";
import { idempotentCalls, responsesPurpose } from "../access/idempotency.ts";
import type { Plans } from "../access/plans.ts";
import type { Config } from "../config/config.ts";
import { asOfHeader, asOfParameter, invalid, storedTime } from "../contract/as-of.ts";
import type { Operation } from "../contract/catalog.ts";
import { catalog } from "../contract/catalog.ts";
import type { Implemented } from "../contract/implementation.ts";
import { type Implementation, implementationsOf, wrapped } from "../contract/implementation.ts";
import { asOfKey, setNoStore } from "../contract/request-context.ts";
import { country } from "../domains/country/service.ts";
import {
  type DomainParts,
  datasets,
  implementedDomains,
  jobKinds,
  lookups,
  operationOrigins,
} from "../domains/index.ts";
import { adsb, adsbLol } from "../domains/military/flights/adsb.ts";
import { fetchSchedule } from "../domains/military/flights/flight-schedule.ts";
import {
  createFlightTracker,
  type FlightParts,
  type FlightTracker,
} from "../domains/military/flights/flight-tracker.ts";
import { openSkyNetwork, opensky } from "../domains/military/flights/opensky.ts";
import { jobLimits } from "../domains/scenario/job-store.ts";
import { nameServerResolver } from "../egress/resolver.ts";
import type { UpstreamError } from "../egress/upstream-error.ts";
import type { WatchParts } from "../http/changes/watch-parts.ts";
import { NotRedistributable } from "../http/errors.ts";
import { termsPage } from "../http/rest/data-links.ts";
import type { Telemetry } from "../http/routes/telemetry.ts";
import { sourcesBehind } from "../ingest/graph.ts";
import type { Requested } from "../ingest/source.ts";
import type { Upstreams } from "../ingest/upstreams.ts";
import { audited } from "../interceptors/audit.ts";
import { withIdempotency } from "../interceptors/idempotency.ts";
import { withSampleLabel } from "../interceptors/label-samples.ts";
import { withDataStatus } from "../interceptors/report-data-status.ts";
import { withSpans } from "../interceptors/spans.ts";
import { jobSender } from "../jobs/sender.ts";
import { pageOf } from "../pages/reference/contents.ts";
import { historyBegins, inPast } from "../store/history/past.ts";
import type { ReadReplica } from "../store/replica/read-replica.ts";
import type { Access } from "./access.ts";
import type { AppParts } from "./app-parts.ts";
import { changesService } from "./changes.ts";
import type { Data } from "./data.ts";
import { accessOf } from "./operation-access.ts";
import { operationCalls } from "./operation-calls.ts";
import { knowsPast, pastReads } from "./past-reads.ts";
import { withUpdates } from "./updates/updates.ts";
import { withheldSources } from "./withheld.ts";

const flightProviders = { adsb: { ...adsbLol, call: adsb }, opensky: { ...openSkyNetwork, call: opensky } } as const;
const signalWithinMs = 8_000;
const scheduleWithinMs = 6_000;

function configuredFlights(
  { flights }: Config,
  upstreams: Upstreams,
  parts: Pick<FlightParts, "clock" | "lookedUp">,
): FlightTracker {
  const { provider, scheduleUrl } = flights;
  const waiting = (source: Requested, timeoutMs: number) => ({ upstream: upstreams.upstreamOf(source), timeoutMs });
  const signals = waiting(flightProviders[provider], signalWithinMs);
  const schedules = waiting({ name: "flight-schedule" }, scheduleWithinMs);
  return createFlightTracker({
    ...parts,
    provider: flightProviders[provider].call(signals),
    ...(scheduleUrl ? { schedule: (callsign) => fetchSchedule(schedules, scheduleUrl, callsign) } : {}),
  });
}

interface ServiceParts {
  readonly access: Access;
  readonly data: Data;
  readonly telemetry: Telemetry;
  readonly watch: WatchParts;
}

export function implementedServices(
  app: AppParts,
  parts: ServiceParts,
  stack: AsyncDisposableStack,
): readonly Implemented[] {
  const { config, database, clock, log, secrets, tracing } = app;
  const { access, data, watch } = parts;
  const warn = (message: string) => log.warn(message);
  const domain = domainParts(app, parts, stack);
  const changes: Implemented = { service: services.changes, implementation: changesService(data.changes, watch) };
  const terms = { domain, withheldSources: (method: DescMethod) => withheldSources(method, config) };
  const updates = (each: Implemented) => withUpdates(each, terms);
  const ofContract = withPast([...implementedDomains(domain), changes], { ...terms, plans: access.plans }).map(updates);
  const recorded = (each: Implemented) => (tracing ? withSpans(each, tracing) : each);
  const calls = idempotentCalls(database.kysely, encryption(secrets, responsesPurpose));
  // Upstreams that are called during a request are played from samples, except if our own table has the same data.
  const played = data.upstreams.origin === "sample" ? lookups.filter(({ inPlaceOfOwn }) => !inPlaceOfOwn) : [];
  const playedBySamples = new Set(played.flatMap(({ serves }) => serves));
  const implemented = [...ofContract, ...(app.services ?? [])].map((each) => {
    const logged = audited(data.replica ? readFromReplica(each, data.replica) : each, {
      events: access.account.audit,
      clock,
      log,
    });
    const labeled = withDataStatus(withSampleLabel(withIdempotency(logged, { calls, clock, warn }), playedBySamples));
    return recorded(labeled);
  });
  const call = operationCalls(implemented, { entitle: access.entitle, clock, warn });
  const all: readonly Implemented[] = [
    ...implemented,
    recorded(withDataStatus(updates({ service: services.country, implementation: country({ call, clock }) }))),
  ];
  const order: readonly DescService[] = [...Object.values(services), ...all.map(({ service }) => service)];
  return all.toSorted((a, b) => order.indexOf(a.service) - order.indexOf(b.service));
}

function domainParts(
  { config, database, clock, log, secrets, ...given }: AppParts,
  { access, data, telemetry }: ServiceParts,
  stack: AsyncDisposableStack,
): DomainParts {
  const warn = (message: string) => log.warn(message);
  const lookedUp = (upstream: string, failure?: UpstreamError) => {
    telemetry.lookedUp(upstream, failure ? "failed" : "ok");
    if (failure) log.warn({ upstream, reason: failure.message }, "look-up failed");
  };
  const sender = stack.use(jobSender(database, { kinds: jobKinds, log: warn }));
  const { served, upstreams, geocoder, locator, statusOf, health } = data;
  return {
    database: data.replica?.kysely ?? database.kysely,
    access: access.account,
    alerts: { sendsMail: config.mail.url !== undefined, tiers: data.changes.datasets },
    catalog: {
      datasets,
      lookups,
      origins: operationOrigins,
      statuses: health.statuses,
      missingOf: upstreams.missingOf,
    },
    history: {
      plans: access.plans,
      withheldSources: (method) => withheldSources(method, config),
      termsOf,
      requireAccess: accessOf(access.entitle, clock),
    },
    served,
    upstreams,
    geocoder,
    locator,
    statusOf,
    flights: configuredFlights(config, upstreams, { clock, lookedUp }),
    lookedUp,
    clock,
    warn,
    randomBytes,
    cursors: (purpose: string, mark?: string) => signedCursors(secrets, purpose, mark),
    encryption: (purpose) => encryption(secrets, purpose),
    sender: sender.ready,
    resolve: given.resolve ?? nameServerResolver(),
    resilience: { schema: config.resilienceSchema, commit: config.commit, data: config.data },
    webhooks: config.webhooks,
    scenarios: { ...jobLimits, ...given.scenarios },
    data: config.data,
  };
}

/** `giver` is the read whose page documents the data. */
function termsOf(method: DescMethod, giver: DescMethod) {
  const input = operationOrigins.find((each) => each.method === method);
  const sources = input ? sourcesBehind(input) : [];
  const pages = (of: DescMethod) => catalog.filter((each) => each.method === of);
  return {
    sources: sources.map(({ name }) => name),
    link: [
      ...pages(giver).map((operation) => `<${pageOf(operation)}>; rel="help"`),
      ...pages(method).map((operation) => `<${termsPage(operation)}>; rel="license"`),
    ].join(", "),
  };
}

/** Wraps a service so that reads of datasets use the replica if it is up to date. */
function readFromReplica(implemented: Implemented, { read }: Pick<ReadReplica, "read">): Implemented {
  return wrapped(implemented, (operation, implementation) =>
    isOfData(operation) ? (request, context) => read(async () => implementation(request, context)) : implementation,
  );
}

/** Data of an account may have been written just before, and lookups write to the store, so they need the primary. */
function isOfData({ read, method }: Operation): boolean {
  if (!read) return false;
  if (method.parent === HistoryService || method === ChangesService.method.listChanges) return true;
  const origins = operationOrigins.find((each) => each.method === method);
  return origins !== undefined && origins.datasets.length > 0 && origins.lookups.length === 0;
}

interface PastParts {
  readonly domain: DomainParts;
  readonly plans: Plans;
  readonly withheldSources: (method: DescMethod) => readonly string[];
}

/** The same handlers run on the store as it was. */
function withPast(implemented: readonly Implemented[], parts: PastParts): readonly Implemented[] {
  return implemented.map((each) =>
    wrapped(each, (operation, implementation) =>
      operation.read && !knowsPast(operation.method) ? respondedAsOf(operation, implementation, parts) : implementation,
    ),
  );
}

function respondedAsOf(
  operation: Operation,
  implementation: Implementation,
  { domain, plans, withheldSources }: PastParts,
): Implementation {
  const reads = pastReads(operation.method);
  const responseAt = async (at: Date, request: Parameters<Implementation>[0], context: HandlerContext) => {
    if ("rejection" in reads) throw invalid(`value must be absent: ${reads.rejection}`);
    const restricted = withheldSources(operation.method);
    if (restricted.length > 0)
      throw new NotRedistributable(`as_of: the terms of ${restricted.join(", ")} permit only current data`);
    const { database, data } = domain;
    for (const dataset of reads.serving) {
      const begin = await historyBegins(database, dataset, data);
      if (begin && begin > at)
        throw invalid(
          `value must be ${begin.toISOString()} or later: no earlier versions of ${dataset.name} are stored`,
        );
    }
    setNoStore(context);
    context.responseHeader.set(asOfHeader, at.toISOString());
    return inPast(database, { at, data, datasets: reads.behind }, async ({ followed, ...past }) => {
      const served = implementedDomains({ ...domain, ...past }).flatMap(implementationsOf);
      const then = served.find((each) => each.operation.method === operation.method);
      if (!then) throw new Error(`${operation.name} is served by nothing`);
      await followed();
      return then.implementation(request, context);
    });
  };
  return (request, context) => {
    const asOf = context.values.get(asOfKey);
    if (!asOf) return implementation(request, context);
    const now = domain.clock().getTime();
    const at = storedTime(asOf, now);
    requireHistory(context, plans, { parameter: asOfParameter, at, now });
    return responseAt(new Date(at), request, context);
  };
}
