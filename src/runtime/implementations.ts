import { randomBytes } from "node:crypto";
import type { DescMethod, DescService } from "@bufbuild/protobuf";
import { services } from "../../gen/es/services.ts";
import { signedCursors } from "../access/cursor.ts";
import { encryption } from "../access/encryption.ts";
import { answersPurpose, idempotentCalls } from "../access/idempotency.ts";
import { catalog } from "../contract/catalog.ts";
import type { Implemented } from "../contract/implementation.ts";
import { country } from "../domains/country/service.ts";
import {
  type DomainParts,
  datasets,
  implementedDomains,
  jobKinds,
  lookups,
  operationOrigins,
} from "../domains/index.ts";
import { jobLimits } from "../domains/scenario/job-store.ts";
import { nameServerResolver } from "../egress/resolver.ts";
import type { UpstreamError } from "../errors.ts";
import type { WatchParts } from "../http/changes/watch-parts.ts";
import { termsPage } from "../http/rest/data-links.ts";
import type { Telemetry } from "../http/routes/telemetry.ts";
import { sourcesBehind } from "../ingest/graph.ts";
import { audited } from "../interceptors/audit.ts";
import { withIdempotency } from "../interceptors/idempotency.ts";
import { withSampleLabel } from "../interceptors/label-samples.ts";
import { withStanding } from "../interceptors/report-standing.ts";
import { withSpans } from "../interceptors/spans.ts";
import { jobSender } from "../jobs/sender.ts";
import { pageOf } from "../pages/reference/contents.ts";
import type { Access } from "./access.ts";
import type { AppParts } from "./app.ts";
import { changesService } from "./changes.ts";
import type { Data } from "./data.ts";
import { configuredFlights } from "./flights.ts";
import { accessOf } from "./operation-access.ts";
import { operationCalls } from "./operation-calls.ts";
import { withPast } from "./past-answers.ts";
import { readFromReplica } from "./replica-reads.ts";
import { withUpdates } from "./updates/updates.ts";
import { notPassedOn } from "./withheld.ts";

interface ServiceParts {
  readonly access: Access;
  readonly data: Data;
  readonly telemetry: Telemetry;
  readonly watch: WatchParts;
}

/** Every service with what serves it, in the steps that all operations share. */
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
  const terms = { domain, notPassedOn: (method: DescMethod) => notPassedOn(method, config) };
  const updates = (each: Implemented) => withUpdates(each, terms);
  const ofContract = withPast([...implementedDomains(domain), changes], { ...terms, plans: access.plans }).map(updates);
  const recorded = (each: Implemented) => (tracing ? withSpans(each, tracing) : each);
  const calls = idempotentCalls(database.kysely, encryption(secrets, answersPurpose));
  // What is asked while a caller waits; where a table of our own answers too, it is real.
  const played = data.upstreams.origin === "sample" ? lookups.filter(({ inPlaceOfOwn }) => !inPlaceOfOwn) : [];
  const playedBySamples = new Set(played.flatMap(({ serves }) => serves));
  const implemented = [...ofContract, ...(app.services ?? [])].map((each) => {
    const logged = audited(data.replica ? readFromReplica(each, data.replica) : each, {
      events: access.account.audit,
      clock,
      log,
    });
    const labeled = withSampleLabel(withStanding(withIdempotency(logged, { calls, clock, warn })), playedBySamples);
    return recorded(labeled);
  });
  const call = operationCalls(implemented, { entitle: access.entitle, clock, warn });
  const all: readonly Implemented[] = [
    ...implemented,
    recorded(updates({ service: services.country, implementation: country({ call, clock }) })),
  ];
  const order: readonly DescService[] = [...Object.values(services), ...all.map(({ service }) => service)];
  return all.toSorted((a, b) => order.indexOf(a.service) - order.indexOf(b.service));
}

/** What the services of the domains are made from. */
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
      notPassedOn: (method) => notPassedOn(method, config),
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
    cursors: (purpose, mark) => signedCursors(secrets, purpose, mark),
    encryption: (purpose) => encryption(secrets, purpose),
    sender: sender.ready,
    resolve: given.resolve ?? nameServerResolver(),
    resilience: { schema: config.resilienceSchema, commit: config.commit, data: config.data },
    webhooks: config.webhooks,
    scenarios: { ...jobLimits, ...given.scenarios },
    data: config.data,
  };
}

/** The sources of what a read tells, and links to the page of another that gives it out and to their terms. */
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
