import type { DescMethod, MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import type { Kysely } from "kysely";
import {
  type GetSeriesRequest,
  HistoryService,
  type ListSeriesRequest,
  type SeriesPoint,
  type SeriesSchema,
} from "../../../gen/es/ids/history/v1/history_pb.ts";
import { callerKey } from "../../access/caller.ts";
import { requireHistory } from "../../access/history-limit.ts";
import type { Plans } from "../../access/plans.ts";
import { asOfHeader, invalid, storedTime } from "../../contract/as-of.ts";
import { asOfKey, markSample } from "../../contract/request-context.ts";
import { InvalidRequest, NotEntitled } from "../../errors.ts";
import type { ScheduledDataset } from "../../ingest/schedule/scheduled.ts";
import type { Series } from "../../ingest/series/dataset-series.ts";
import { sourcesOf } from "../../ingest/series/series.ts";
import { useOneOf } from "../../reference/allowed-values.ts";
import {
  firstKnown,
  type PointsWanted,
  readBeginnings,
  readPoints,
  type SeriesExtent,
  type StoredPoint,
  seriesExtents,
} from "../../store/history/stored-points.ts";
import type { StoreTables } from "../../store/tables.ts";
import { intervalPoints, type Span, spanOf } from "./intervals.ts";
import { keyCoverage, keyOf } from "./key-coverage.ts";
import { beginningOf, earliest, withInvented } from "./sample-points.ts";

interface HistoryParts {
  readonly database: Kysely<StoreTables>;
  readonly datasets: readonly ScheduledDataset[];
  readonly data: "live" | "sample";
  readonly clock: () => Date;
  readonly history: {
    readonly plans: Plans;
    /** Throws the error that a caller without access to the operation would get. */
    readonly requireAccess: (method: DescMethod, context: HandlerContext) => Promise<void>;
    /** Returns the sources of an operation whose terms forbid the redistribution of earlier values. */
    readonly withheldSources: (method: DescMethod) => readonly string[];
    /** Returns the sources of an operation's response, and a link header to the pages of the series and the terms. */
    readonly termsOf: (
      method: DescMethod,
      giver: DescMethod,
    ) => { readonly sources: readonly string[]; readonly link: string };
  };
}

type Wanted = Pick<PointsWanted, "series" | "origin" | "keys">;

interface KnownSeries {
  readonly series: Series;
  readonly dataset: ScheduledDataset;
  readonly terms: { readonly sources: string; readonly link: string };
}

type Parts = HistoryParts & { readonly known: ReadonlyMap<string, KnownSeries> };

/** Maximum points in a response, which bounds its memory. */
const maxPoints = 20_000;

export const history = { implement };

function implement(parts: HistoryParts): ServiceImpl<typeof HistoryService> {
  const known = new Map(
    parts.datasets.flatMap((dataset) =>
      (dataset.series?.series ?? []).map((series) => [
        series.id,
        { series, dataset, terms: termsOf(series, dataset, parts.history) },
      ]),
    ),
  );
  const all = { ...parts, known };
  return {
    listSeries: (request, context) => listSeries(request, context, all),
    getSeries: (request, context) => getSeries(request, context, all),
  };
}

/** Returns the sources and the link of a series. They differ between the series of a dataset. */
function termsOf(series: Series, { sources: own }: ScheduledDataset, rules: HistoryParts["history"]) {
  const { sources, link } = rules.termsOf(series.shownBy, HistoryService.method.getSeries);
  // A dataset without sources is computed from others, so all sources of the operation count.
  const behind = own.length > 0 ? own.map(({ name }) => name) : sources;
  return { sources: sourcesOf(series, behind).join(", "), link };
}

async function listSeries({ dataset: requested }: ListSeriesRequest, context: HandlerContext, parts: Parts) {
  const { database, datasets, data, known } = parts;
  const extents = await seriesExtents(database, data);
  if (data === "sample") markSample(context);
  const listed = [...known.values()].filter(({ dataset: { name } }) => requested === "" || name === requested);
  if (listed.length === 0 && !datasets.some(({ name }) => name === requested))
    throw unknownDataset(requested, datasets);
  return {
    series: listed
      .map(({ series, dataset }) => seriesMessage(series, dataset, { extent: extents.get(series.id), data }))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  };
}

async function getSeries(request: GetSeriesRequest, context: HandlerContext, parts: Parts) {
  const { database, data, clock, known, history: rules } = parts;
  const found = known.get(request.series);
  if (!found) throw unknownSeries(request.series, [...known.keys()]);
  const { series, terms } = found;
  await rules.requireAccess(series.shownBy, context);
  const restricted = rules.withheldSources(series.shownBy);
  if (restricted.length > 0) throw new NotEntitled(`The terms of ${restricted.join(", ")} permit only current values`);
  const now = timeOf(context, clock().getTime());
  const span = spanOf(request, now);
  if (series.step === "refresh")
    requireHistory(context.values.get(callerKey).principal, rules.plans, {
      parameter: "from",
      at: span.requested,
      now,
    });
  if (series.step === "refresh" && span.aggregation === "sum") throw noSum;
  if (data === "sample") markSample(context);
  if (terms.sources !== "") {
    context.responseHeader.set("X-Data-Sources", terms.sources);
    context.responseHeader.set("Link", terms.link);
  }
  const keys = [...new Set(request.keys.map((key) => keyOf(series, key)))];
  const wanted = { series: series.id, origin: data, keys };
  const points = await pointsOf(found, { ...wanted, span, now }, parts);
  const measured = new Set(points.flatMap(({ key, value }) => (value === undefined ? [] : [key.toUpperCase()])));
  const silent = { ...wanted, keys: keys.filter((key) => !measured.has(key)) };
  const { unknownKeys, relatedSeries, note, isLoaded } = await keyCoverage(database, series, silent);
  // An exported file has no place for unknown keys, so a header lists them.
  if (unknownKeys.length > 0)
    context.responseHeader.set("X-Unknown-Keys", unknownKeys.map(encodeURIComponent).join(", "));
  const { id, unit, scale } = series;
  const response = { series: id, unit, scale, points, unknownKeys, relatedSeries, note };
  if (measured.size > 0) return response;
  if (unknownKeys.length === keys.length) return { ...response, emptyReason: "not_covered" };
  const [emptyReason, reason] = isLoaded
    ? ["no_points", `No points of ${id} from ${dayText(span.from)} to ${dayText(span.to)}.`]
    : ["not_loaded", `${id} has no points yet: no refresh of ${found.dataset.name} has stored any.`];
  return { ...response, emptyReason, note: `${reason} ${note}`.trim() };
}

async function pointsOf(
  { series, dataset }: KnownSeries,
  { span, now, ...wanted }: Wanted & { readonly span: Span; readonly now: number },
  { database, data, clock }: Parts,
): Promise<SeriesPoint[]> {
  const knownAt = new Date(now);
  const times = { from: new Date(span.from), to: new Date(span.to) };
  const stored = await readPoints(database, { ...wanted, ...times, knownAt, max: maxPoints });
  if (stored.length > maxPoints) throw tooMany;
  if (stored.length === 0 && now < clock().getTime()) await requireKnown(database, wanted, now);
  const points =
    data === "sample" ? await withSampleStart(database, series, dataset, stored, { ...wanted, span, knownAt }) : stored;
  const made = intervalPoints(points, { ...span, step: series.step });
  if (made.length > maxPoints) throw tooMany;
  return made;
}

async function withSampleStart(
  database: Kysely<StoreTables>,
  series: Series,
  { series: own }: ScheduledDataset,
  stored: readonly StoredPoint[],
  { span, ...wanted }: Wanted & { readonly span: Span; readonly knownAt: Date },
): Promise<readonly StoredPoint[]> {
  const beginning = beginningOf(series);
  if (!beginning) return stored;
  const { days, isLed } = beginning;
  const begun = await readBeginnings(database, { ...wanted, days });
  const leader = own?.series[0] ?? series;
  const leading =
    isLed && leader !== series ? await readBeginnings(database, { ...wanted, series: leader.id, days }) : begun;
  return withInvented(series, stored, { own: begun, leading }, span);
}

/** Throws `InvalidRequest` if the store had no point of the series at the requested time. */
async function requireKnown(database: Kysely<StoreTables>, wanted: Wanted, at: number) {
  const first = await firstKnown(database, wanted);
  if (first && first.getTime() > at)
    throw invalid(`value must be ${first.toISOString()} or later: no points of ${wanted.series} were known before`);
}

function dayText(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** Returns the time as of which the caller reads. Later changes are not visible. */
function timeOf(context: HandlerContext, now: number): number {
  const asOf = context.values.get(asOfKey);
  if (!asOf) return now;
  const at = storedTime(asOf, now);
  context.responseHeader.set(asOfHeader, new Date(at).toISOString());
  return at;
}

const tooMany = new InvalidRequest([
  {
    field: "interval",
    description: `the response would have more than ${maxPoints.toLocaleString("en")} points: use fewer keys, a shorter time or a longer interval`,
  },
]);

const noSum = new InvalidRequest([
  { field: "aggregation", description: "value must not be sum: the points are values at a time, not amounts" },
]);

function unknownSeries(id: string, known: readonly string[]): InvalidRequest {
  return new InvalidRequest([
    { field: "series", description: `${id} is not a series${useOneOf(known.map((each) => ({ id: each })))}` },
  ]);
}

function unknownDataset(name: string, datasets: readonly ScheduledDataset[]): InvalidRequest {
  const known = datasets.map((each) => ({ id: each.name }));
  return new InvalidRequest([{ field: "dataset", description: `${name} is not a dataset${useOneOf(known)}` }]);
}

function seriesMessage(
  series: Series,
  { name, sources }: ScheduledDataset,
  { extent, data }: { readonly extent: SeriesExtent | undefined; readonly data: "live" | "sample" },
): MessageInitShape<typeof SeriesSchema> & { readonly id: string } {
  const { id, title, unit, scale, keyParts, step, shownBy, methodology, isCount } = series;
  const first = extent?.first && (data === "sample" ? earliest(series, extent.first) : extent.first);
  return {
    id,
    title,
    unit,
    scale,
    keyParts: [...keyParts],
    step,
    dataset: name,
    operation: shownBy.name,
    methodologyVersion: methodology,
    aggregation: isCount === true ? "sum" : "last",
    sources: [
      ...sourcesOf(
        series,
        sources.map((source) => source.name),
      ),
    ],
    keys: extent?.keys ?? 0,
    ...(first && { firstAt: BigInt(first.getTime()) }),
    ...(extent?.last && { lastAt: BigInt(extent.last.getTime()) }),
  };
}
