import type { DescMethod, Message } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import { LRUCache } from "lru-cache";
import { CountryService } from "../../gen/es/ids/country/v1/country_pb.ts";
import { HistoryService } from "../../gen/es/ids/history/v1/history_pb.ts";
import { callerKey } from "../access/caller.ts";
import { historyDays, requireHistory } from "../access/history-limit.ts";
import type { Principal } from "../access/keys/api-key.ts";
import type { Plans } from "../access/plans.ts";
import type { Config } from "../config/config.ts";
import { asOfHeader, asOfParameter, invalid, startOfPastStep, storedTime } from "../contract/as-of.ts";
import type { Operation } from "../contract/catalog.ts";
import { implementationsOf, type Step } from "../contract/implementation.ts";
import type { TimeMetadata } from "../contract/openapi/parameters.ts";
import { asOfKey, setNoStore } from "../contract/request-context.ts";
import { type DomainParts, datasets, implementedDomains, originsOf } from "../domains/index.ts";
import { NotRedistributable } from "../http/errors.ts";
import type { CitedHistory } from "../http/rest/cite.ts";
import { isStored } from "../ingest/dataset.ts";
import type { ScheduledDataset } from "../ingest/schedule/scheduled.ts";
import { historyBegins, inPast, pastVersions } from "../store/history/past.ts";
import { awaitRaises } from "../store/served/generations.ts";
import { hasUpdates } from "./updates/followed-reads.ts";
import { withheldSources } from "./withheld.ts";

/**
 * The datasets whose data a read returns, and with their main inputs those whose age counts (`behind`); or the reason
 * why the read does not support `as_of`.
 */
type PastReads =
  | { readonly serving: readonly ScheduledDataset[]; readonly behind: readonly ScheduledDataset[] }
  | { readonly rejection: string };

function pastReads(method: DescMethod): PastReads {
  const origins = originsOf(method);
  const [live] = origins?.lookups ?? [];
  if (live) return { rejection: `${live.name} is called during the request` };
  const all: readonly ScheduledDataset[] = datasets;
  const serving = all.filter(({ serves }) => serves.includes(method));
  if (serving.length === 0) return { rejection: "the response does not use stored data" };
  const unversioned = serving.find((dataset) => !isStored(dataset));
  if (unversioned) return { rejection: `earlier versions of ${unversioned.name} are not stored` };
  const names = new Set(serving.flatMap((dataset) => mainOf(dataset, all)));
  return { serving, behind: all.filter(({ name }) => names.has(name)) };
}

/** Operations that implement `as_of` themselves: a brief passes it to its parts, and a series contains its past. */
const ownPast: readonly DescMethod[] = [
  CountryService.method.getCountryBrief,
  HistoryService.method.getSeries,
  HistoryService.method.listMovers,
  HistoryService.method.getSeasonalBand,
];

function knowsPast(method: DescMethod): boolean {
  return ownPast.includes(method);
}

export function hasPast({ read, method }: Operation): boolean {
  return read && (knowsPast(method) || "serving" in pastReads(method));
}

export function timesOf(operation: Operation): TimeMetadata {
  return { hasPast: hasPast(operation), hasUpdates: hasUpdates(operation) };
}

/** Returns the names of a dataset and of its main inputs, at any depth. */
function mainOf({ name, main = [] }: ScheduledDataset, all: readonly ScheduledDataset[]): string[] {
  const inputs = all.filter((each) => main.some((part) => part.name === each.name));
  return [name, ...inputs.flatMap((input) => mainOf(input, all))];
}

/** The time of the data versions from which a past response is computed, and a key that identifies these versions. */
export interface ResolvedPast {
  readonly at: Date;
  readonly key: string;
}

/** Finds the data versions for the `as_of` time of an operation; undefined if it does not support `as_of`. */
export type ResolvePast = (operation: Operation, at: number) => Promise<ResolvedPast | undefined>;

export interface PastResolverParts extends Pick<DomainParts, "database" | "clock"> {
  /** Number that changes whenever data changes. */
  readonly epoch: () => number;
}

const maxResolved = 5_000;
const resolvedForMs = 60_000;

/** Returns a function that finds data versions. It caches them until `epoch` changes, as data has then changed. */
export function pastResolver({ database, clock, epoch }: PastResolverParts): ResolvePast {
  const resolved = new LRUCache<string, ResolvedPast, { names: readonly string[]; at: number }>({
    ...{ max: maxResolved, ttl: resolvedForMs, ignoreFetchAbort: true },
    perf: { now: () => clock().getTime() },
    async fetchMethod(_key, _stale, { context: { names, at } }) {
      const { key, newest } = await pastVersions(database, names, new Date(at));
      const computedAt = Math.max(newest, startOfPastStep(at));
      return { at: new Date(computedAt), key: `${computedAt} ${key}` };
    },
  });
  return async (operation, at) => {
    const inputs = originsOf(operation.method);
    if (!inputs || !hasPast(operation)) return undefined;
    const names = inputs.datasets.map(({ name }) => name);
    return resolved.forceFetch(`${epoch()} ${operation.name} ${at}`, { context: { names, at } });
  };
}

/** Returns the history for citations. Without `as_of`, or with restricted sources, no response can be read again. */
export function citedHistory({
  database,
  plans,
  config,
}: Pick<DomainParts, "database"> & { readonly plans: Plans; readonly config: Config }): CitedHistory {
  return {
    async settle(operation) {
      if (!hasPast(operation) || withheldSources(operation.method, config).length > 0) return false;
      const origins = originsOf(operation.method);
      const names = origins?.datasets.map(({ name }) => name) ?? [];
      await awaitRaises(database, names);
      return true;
    },
    historyDays: (principal) => Math.min(historyDays(principal, plans), config.retain.history),
  };
}

export interface PastParts {
  readonly resolvePast: ResolvePast;
  /** Charges further reads to an account. Throws `QuotaExceeded`. */
  readonly chargeReads: (principal: Principal, reads: number) => Promise<void>;
  readonly domain: DomainParts;
  readonly plans: Plans;
  readonly withheldSources: (method: DescMethod) => readonly string[];
}

/** Maximum number of reads as which a country brief for a past time is charged. */
const maxBriefReads = 5;

/** Charges a country brief for a past time as several reads, one per part. A cached brief counts as one. */
export function chargePast({ method }: Operation, { chargeReads }: PastParts): Step | undefined {
  if (method !== CountryService.method.getCountryBrief) return undefined;
  return async (request, context, next) => {
    const { principal } = context.values.get(callerKey);
    if (context.values.get(asOfKey) && principal) await chargeReads(principal, maxBriefReads - 1);
    return next(request, context);
  };
}

/** Runs the handler on the rows of an earlier time. */
export function readPast(
  operation: Operation,
  { domain, plans, withheldSources, resolvePast }: PastParts,
): Step | undefined {
  if (!operation.read || knowsPast(operation.method)) return undefined;
  const reads = pastReads(operation.method);
  const responseAt = async (at: Date, request: Message, context: HandlerContext) => {
    if ("rejection" in reads) throw invalid(`value must be absent: ${reads.rejection}`);
    const restricted = withheldSources(operation.method);
    if (restricted.length > 0)
      throw new NotRedistributable(`as_of: the terms of ${restricted.join(", ")} permit only current data`);
    const { database, data } = domain;
    for (const dataset of reads.serving) {
      const begin = await historyBegins(database, dataset, data);
      if (begin && begin > at) {
        const series = dataset.series?.series[0];
        const advice = series ? `. GetSeries may have earlier values of ${series.id}` : "";
        throw invalid(
          `value must be ${begin.toISOString()} or later: no earlier versions of ${dataset.name} are stored${advice}`,
        );
      }
    }
    // The limit of the plan is checked last, because a higher plan would not help for a time before the first stored
    // version.
    const { principal } = context.values.get(callerKey);
    requireHistory(principal, plans, { parameter: asOfParameter, at: at.getTime(), now: domain.clock().getTime() });
    setNoStore(context);
    context.responseHeader.set(asOfHeader, at.toISOString());
    const resolved = await resolvePast(operation, at.getTime());
    const view = { at: resolved?.at ?? at, data, datasets: reads.behind };
    return inPast(database, view, async ({ followed, ...past }) => {
      const served = implementedDomains({ ...domain, ...past }).flatMap(implementationsOf);
      const then = served.find((each) => each.operation.method === operation.method);
      if (!then) throw new Error(`${operation.name} is served by nothing`);
      await followed();
      return then.implementation(request, context);
    });
  };
  return (request, context, next) => {
    const asOf = context.values.get(asOfKey);
    if (!asOf) return next(request, context);
    const at = storedTime(asOf, domain.clock().getTime());
    return responseAt(new Date(at), request, context);
  };
}
