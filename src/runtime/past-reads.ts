import type { DescMethod, Message } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import { CountryService } from "../../gen/es/ids/country/v1/country_pb.ts";
import { HistoryService } from "../../gen/es/ids/history/v1/history_pb.ts";
import { requireHistory } from "../access/history-limit.ts";
import type { Plans } from "../access/plans.ts";
import { asOfHeader, asOfParameter, invalid, storedTime } from "../contract/as-of.ts";
import type { Operation } from "../contract/catalog.ts";
import { implementationsOf, type Step } from "../contract/implementation.ts";
import { asOfKey, setNoStore } from "../contract/request-context.ts";
import { type DomainParts, datasets, implementedDomains, operationOrigins } from "../domains/index.ts";
import { NotRedistributable } from "../http/errors.ts";
import type { ScheduledDataset } from "../ingest/schedule/scheduled.ts";
import { isStored } from "../ingest/stored-rows.ts";
import { historyBegins, inPast } from "../store/history/past.ts";

/**
 * The datasets that a read serves and those that determine their age, or the reason why it does not support `as_of`.
 */
export type PastReads =
  | { readonly serving: readonly ScheduledDataset[]; readonly behind: readonly ScheduledDataset[] }
  | { readonly rejection: string };

export function pastReads(method: DescMethod): PastReads {
  const origins = operationOrigins.find((each) => each.method === method);
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

/** Reads that implement `as_of` themselves: a brief passes it to its parts, and a series contains its history. */
const ownPast: readonly DescMethod[] = [CountryService.method.getCountryBrief, HistoryService.method.getSeries];

export function knowsPast(method: DescMethod): boolean {
  return ownPast.includes(method);
}

export function hasPast({ read, method }: Operation): boolean {
  return read && (knowsPast(method) || "serving" in pastReads(method));
}

/** Returns the name of a dataset and of the datasets that it is mainly derived from, directly or not. */
function mainOf({ name, main = [] }: ScheduledDataset, all: readonly ScheduledDataset[]): string[] {
  const inputs = all.filter((each) => main.some((part) => part.name === each.name));
  return [name, ...inputs.flatMap((input) => mainOf(input, all))];
}

export interface PastParts {
  readonly domain: DomainParts;
  readonly plans: Plans;
  readonly withheldSources: (method: DescMethod) => readonly string[];
}

/** Responds as of an earlier time: the same handlers run on the store as it was. */
export function readPast(operation: Operation, { domain, plans, withheldSources }: PastParts): Step | undefined {
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
  return (request, context, next) => {
    const asOf = context.values.get(asOfKey);
    if (!asOf) return next(request, context);
    const now = domain.clock().getTime();
    const at = storedTime(asOf, now);
    requireHistory(context, plans, { parameter: asOfParameter, at, now });
    return responseAt(new Date(at), request, context);
  };
}
