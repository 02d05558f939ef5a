import { randomBytes } from "node:crypto";
import type { DescMethod, DescService } from "@bufbuild/protobuf";
import { services } from "../../gen/es/services.ts";
import { signedCursors } from "../access/cursor.ts";
import { encryption } from "../access/encryption.ts";
import { idempotentCalls, responsesPurpose } from "../access/idempotency.ts";
import type { Config } from "../config/config.ts";
import { catalog } from "../contract/catalog.ts";
import type { Implemented } from "../contract/implementation.ts";
import type { ReadRows } from "../domains/catalog/count-rows.ts";
import { country } from "../domains/country/service.ts";
import {
  type DomainParts,
  datasets,
  implementedDomains,
  jobKinds,
  lookups,
  operationOrigins,
  originsOf,
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
import { termsPage } from "../http/rest/data-links.ts";
import type { Telemetry } from "../http/routes/telemetry.ts";
import type { Requested } from "../ingest/source.ts";
import type { Upstreams } from "../ingest/upstreams.ts";
import { jobSender } from "../jobs/sender.ts";
import { pageOf } from "../pages/reference/contents.ts";
import type { Access } from "./access.ts";
import type { AppParts } from "./app-parts.ts";
import { changesService } from "./changes.ts";
import type { Data } from "./data.ts";
import { accessOf } from "./operation-access.ts";
import { operationCalls } from "./operation-calls.ts";
import type { ResolvePast } from "./past-reads.ts";
import { createRowReads } from "./row-reads.ts";
import { type StepParts, withSteps } from "./steps.ts";
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
  readonly resolvePast: ResolvePast;
}

export function implementedServices(
  app: AppParts,
  parts: ServiceParts,
  stack: AsyncDisposableStack,
): readonly Implemented[] {
  const { config, database, clock, log, secrets, tracing } = app;
  const { access, data, watch } = parts;
  const warn = (message: string) => log.warn(message);
  // `rowReads` is created later, because it calls the services that are created here.
  const readRows: ReadRows = (request, context) => rowReads(request, context);
  const domain = { ...domainParts(app, parts, stack), readRows };
  const changes: Implemented = { service: services.changes, implementation: changesService(data.changes, watch) };
  // In sample mode, lookups return samples, except lookups that can use data in a table of the service.
  const played = data.upstreams.origin === "sample" ? lookups.filter(({ inPlaceOfOwn }) => !inPlaceOfOwn) : [];
  const stepParts: StepParts = {
    ...{ domain, tracing, clock, log, warn },
    playedBySamples: new Set(played.flatMap(({ serves }) => serves)),
    calls: idempotentCalls(database.kysely, encryption(secrets, responsesPurpose)),
    events: access.account.audit,
    replica: data.replica,
    plans: access.plans,
    resolvePast: parts.resolvePast,
    chargeReads: access.chargeReads,
    withheldSources: (method) => withheldSources(method, config),
    primary: database.kysely,
    datasetsOf: (method) => originsOf(method)?.datasets.map(({ name }) => name) ?? [],
  };
  const implemented = [...implementedDomains(domain), changes, ...(app.services ?? [])].map((each) =>
    withSteps(each, stepParts),
  );
  const { entitle, chargeReads, meterInner } = access;
  const rowReads = createRowReads(implemented, { entitle, clock, chargeReads, meterInner });
  const call = operationCalls(implemented, { entitle: access.entitle, clock, warn });
  const all: readonly Implemented[] = [
    ...implemented,
    withSteps({ service: services.country, implementation: country({ call, clock }) }, stepParts),
  ];
  const order: readonly DescService[] = [...Object.values(services), ...all.map(({ service }) => service)];
  return all.toSorted((a, b) => order.indexOf(a.service) - order.indexOf(b.service));
}

function domainParts(
  { config, database, clock, log, secrets, ...given }: AppParts,
  { access, data, telemetry }: ServiceParts,
  stack: AsyncDisposableStack,
): Omit<DomainParts, "readRows"> {
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
      linkOf,
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

/** Returns links to the terms of a method. `giver` is the operation whose page documents the data. */
function linkOf(method: DescMethod, giver: DescMethod): string {
  const pages = (of: DescMethod) => catalog.filter((each) => each.method === of);
  return [
    ...pages(giver).map((operation) => `<${pageOf(operation)}>; rel="help"`),
    ...pages(method).map((operation) => `<${termsPage(operation)}>; rel="license"`),
  ].join(", ");
}
