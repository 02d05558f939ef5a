import type { DescMethod } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import { callerKey } from "../../access/caller.ts";
import { requireHistory } from "../../access/history-limit.ts";
import type { Plans } from "../../access/plans.ts";
import { asOfHeader, asOfParameter, storedTime } from "../../contract/as-of.ts";
import { asOfKey, markSample } from "../../contract/request-context.ts";
import { type InvalidRequest, invalidField, NotEntitled } from "../../errors.ts";
import { madeFrom, sourcesBehind } from "../../ingest/graph.ts";
import type { ScheduledDataset } from "../../ingest/schedule/scheduled.ts";
import type { Series } from "../../ingest/series/dataset-series.ts";
import { sourcesOf } from "../../ingest/series/series.ts";
import { useOneOf } from "../../reference/allowed-values.ts";
import { isoDay } from "../../reference/calendar.ts";
import { firstAt } from "../../store/history/stored-points.ts";
import type { Store } from "../../store/tables.ts";
import { keyCoverage, keyOf, listOf } from "./key-coverage.ts";
import { earliest } from "./sample-points.ts";

export interface HistoryParts {
  readonly database: Store;
  readonly datasets: readonly ScheduledDataset[];
  readonly data: "live" | "sample";
  readonly clock: () => Date;
  readonly history: {
    readonly plans: Plans;
    /** Throws an error if the caller may not call the operation. It is the same error that the operation throws. */
    readonly requireAccess: (method: DescMethod, context: HandlerContext) => Promise<void>;
    /** Returns those sources of an operation whose terms forbid the redistribution of earlier values. */
    readonly withheldSources: (method: DescMethod) => readonly string[];
    /** Returns a link header to the pages of the series and the terms. */
    readonly linkOf: (method: DescMethod, giver: DescMethod) => string;
  };
}

export interface KnownSeries {
  readonly series: Series;
  readonly dataset: ScheduledDataset;
  /** Names of the sources of the series, including those of datasets that it is computed from. */
  readonly sources: readonly string[];
}

export type Parts = HistoryParts & { readonly known: ReadonlyMap<string, KnownSeries> };

export interface Call {
  readonly context: HandlerContext;
  readonly parts: Parts;
}

/** A request for a series, for which the caller has access. */
export interface SeriesRequest extends KnownSeries {
  /** The requested keys as the series spells them, each once. */
  readonly keys: readonly string[];
  /** A sentence that requested members of the EU have the values of the Union. Empty without such members. */
  readonly unionNote: string;
  /** The time as of which the caller reads. Later changes are invisible. */
  readonly now: number;
  /** Throws `NotEntitled` if the plan of the caller does not go back to this time. */
  readonly requireDepth: (parameter: string, at: number) => void;
}

/** Finds the series of a request and checks the access of the caller. Sets the headers for sources and origin. */
export async function openSeries(
  request: { readonly series: string; readonly keys: readonly string[] },
  method: DescMethod,
  { context, parts }: Call,
): Promise<SeriesRequest> {
  const { data, clock, known, history: rules } = parts;
  const found = known.get(request.series);
  if (!found) throw unknownSeries(request.series, [...known.keys()]);
  const { series } = found;
  await rules.requireAccess(series.shownBy, context);
  const restricted = rules.withheldSources(series.shownBy);
  if (restricted.length > 0) throw new NotEntitled(`The terms of ${restricted.join(", ")} permit only current values`);
  const present = clock().getTime();
  const now = timeOf(context, present, rules.plans);
  if (data === "sample") markSample(context);
  if (found.sources.length > 0) {
    context.responseHeader.set("X-Data-Sources", found.sources.join(", "));
    context.responseHeader.set("Link", rules.linkOf(series.shownBy, method));
  }
  return {
    ...found,
    now,
    keys: [...new Set(request.keys.map((key) => keyOf(series, key)))],
    unionNote: unionNote(series, request.keys),
    requireDepth(parameter, at) {
      // If a source publishes values for past times itself, callers of every plan may read them at any age.
      if (series.step !== "refresh") return;
      requireHistory(context.values.get(callerKey).principal, rules.plans, { parameter, at, now: present });
    },
  };
}

function unionNote(series: Series, keys: readonly string[]): string {
  const { unionKey = "" } = series;
  const members = keys.filter((key) => keyOf(series, key) === unionKey && key.toUpperCase() !== unionKey);
  return members.length === 0 ? "" : `${listOf(members)}: as a member of the European Union, with its key ${unionKey}.`;
}

/** Returns a map of the series of all datasets by ID. */
export function knownSeries(datasets: readonly ScheduledDataset[]): ReadonlyMap<string, KnownSeries> {
  const known = datasets.flatMap((own) => {
    const behind = sourcesBehind({ datasets: [own, ...madeFrom(own, datasets)], lookups: [] });
    const names = [...new Set(behind.map(({ name }) => name))];
    return (own.series?.series ?? []).map((series) => ({ series, dataset: own, sources: sourcesOf(series, names) }));
  });
  return new Map(known.map((each) => [each.series.id, each]));
}

/** Returns the time as of which the caller reads. Later changes are not visible. */
function timeOf(context: HandlerContext, now: number, plans: Plans): number {
  const asOf = context.values.get(asOfKey);
  if (!asOf) return now;
  const at = storedTime(asOf, now);
  requireHistory(context.values.get(callerKey).principal, plans, { parameter: asOfParameter, at, now });
  context.responseHeader.set(asOfHeader, new Date(at).toISOString());
  return at;
}

interface Found {
  /** The keys of the response that have values, in upper case. */
  readonly measured: ReadonlySet<string>;
  /** Returns a sentence that there are no values for known keys. `keys` names some of them. */
  readonly noPoints: (keys: string) => string;
  /** True if `measured` has every requested key that has values, so that all other keys have no values. */
  readonly isWhole: boolean;
  /** The requested start of the time span. Absent if there is a value at the start. */
  readonly from?: number | undefined;
}

/** Returns the fields that explain missing keys and empty responses. Sets the header that lists unknown keys. */
export async function missingOf(
  { series, dataset, keys, unionNote }: SeriesRequest,
  { measured, noPoints, isWhole, from }: Found,
  { context, parts: { database, data } }: Call,
) {
  const wanted = { series: series.id, origin: data, keys };
  const silent = { origin: data, keys: keys.filter((key) => !measured.has(key)) };
  const {
    unknownKeys,
    pending,
    relatedSeries,
    note: ofUnknown,
    isLoaded,
  } = await keyCoverage(database, series, silent);
  // An exported file has no place for unknown keys, so a header lists them.
  if (unknownKeys.length > 0)
    context.responseHeader.set("X-Unknown-Keys", unknownKeys.map(encodeURIComponent).join(", "));
  const first = from !== undefined && isLoaded ? await firstAt(database, wanted) : null;
  const begin = (first && (data === "sample" ? earliest(series, first) : first))?.getTime() ?? Number.NaN;
  const isSilent = (key: string) => ![...measured].some((one) => one.startsWith(`${key}/`));
  const known = silent.keys.filter((key) => !unknownKeys.includes(key) && isSilent(key));
  const isPartly = isWhole && measured.size > 0 && known.length > 0;
  const notes = [
    unionNote,
    isPartly && noPoints(` for ${listOf(known)}`),
    isLoaded && pending.length > 0 && "Some keys have no points yet: a key begins with its first value or event.",
    from !== undefined && begin > from && `The points begin on ${isoDay(begin)}.`,
    ofUnknown,
  ];
  const note = notes.filter((text) => text !== false && text !== "").join(" ");
  const missing = { unknownKeys, relatedSeries, note };
  if (measured.size > 0) return missing;
  if (keys.length > 0 && unknownKeys.length === keys.length) return { ...missing, emptyReason: "not_covered" };
  const [emptyReason, reason] = isLoaded
    ? ["no_points", noPoints("")]
    : ["not_loaded", `${series.id} has no points yet: no refresh of ${dataset.name} has stored any.`];
  return { ...missing, emptyReason, note: `${reason} ${note}`.trim() };
}

/** Throws `InvalidRequest` if the values of a series cannot be summed. */
export function requireSummable({ step }: Series, aggregation: string): void {
  if (step === "refresh" && aggregation === "sum")
    throw invalidField("aggregation", "value must not be sum: the points are values at a time, not amounts");
}

function unknownSeries(id: string, known: readonly string[]): InvalidRequest {
  return invalidField("series", `${id} is not a series${useOneOf(known.map((each) => ({ id: each })))}`);
}
