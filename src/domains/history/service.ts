import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import {
  type GetSeriesRequest,
  type GetSeriesResponseSchema,
  HistoryService,
  type ListSeriesRequest,
  type SeriesSchema,
} from "../../../gen/es/ids/history/v1/history_pb.ts";
import { markSample } from "../../contract/request-context.ts";
import { type InvalidRequest, invalidField } from "../../errors.ts";
import type { ScheduledDataset } from "../../ingest/schedule/scheduled.ts";
import { useOneOf } from "../../reference/allowed-values.ts";
import { isoDay } from "../../reference/calendar.ts";
import { type SeriesExtent, seriesExtents } from "../../store/history/stored-points.ts";
import { spanOf, usualAggregation } from "./intervals.ts";
import { listMovers, maxAges } from "./movers.ts";
import { latestPoints, pointsOf } from "./points.ts";
import { earliest } from "./sample-points.ts";
import { getSeasonalBand } from "./seasonal-band.ts";
import {
  type Call,
  type HistoryParts,
  type KnownSeries,
  knownSeries,
  missingOf,
  openSeries,
  type Parts,
  requireSummable,
} from "./series-access.ts";

/** The default length in days of the time span of a response. */
const defaultDays = 30;

export const history = { implement };

function implement(parts: HistoryParts): ServiceImpl<typeof HistoryService> {
  const all = { ...parts, known: knownSeries(parts.datasets) };
  return {
    listSeries: (request, context) => listSeries(request, context, all),
    getSeries: (request, context) => getSeries(request, { context, parts: all }),
    listMovers: (request, context) => listMovers(request, { context, parts: all }),
    getSeasonalBand: (request, context) => getSeasonalBand(request, { context, parts: all }),
  };
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
      .map((each) => seriesMessage(each, { extent: extents.get(each.series.id), data }))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  };
}

async function getSeries(
  request: GetSeriesRequest,
  call: Call,
): Promise<MessageInitShape<typeof GetSeriesResponseSchema>> {
  const isLatest = request.interval === "latest" || (request.interval === "" && request.keys.length === 0);
  const opened = await openSeries(request, HistoryService.method.getSeries, call);
  const { series, keys, now } = opened;
  const { id, unit, scale } = series;
  const span = spanOf(request, { now, days: isLatest ? maxAges[series.step] : defaultDays, series });
  opened.requireDepth("from", span.requested);
  requireSummable(series, span.aggregation);
  const points = isLatest
    ? await latestPoints(opened, { keys, span, now }, call.parts)
    : await pointsOf(opened, { series: id, origin: call.parts.data, keys, span, now }, call.parts);
  const known = points.filter(({ value }) => value !== undefined);
  const noPoints = (of: string) => `No points of ${id}${of} from ${isoDay(span.from)} to ${isoDay(span.to)}.`;
  const found = {
    measured: new Set(known.map(({ key }) => key.toUpperCase())),
    noPoints,
    isWhole: true,
    from: request.from === "" || known.some(({ at }) => Number(at) <= span.from) ? undefined : span.requested,
  };
  return { series: id, unit, scale, points, ...(await missingOf(opened, found, call)) };
}

function unknownDataset(name: string, datasets: readonly ScheduledDataset[]): InvalidRequest {
  const known = datasets.map((each) => ({ id: each.name }));
  return invalidField("dataset", `${name} is not a dataset${useOneOf(known)}`);
}

function seriesMessage(
  { series, dataset: { name }, sources }: KnownSeries,
  { extent, data }: { readonly extent: SeriesExtent | undefined; readonly data: "live" | "sample" },
): MessageInitShape<typeof SeriesSchema> & { readonly id: string } {
  const { id, title, unit, scale, keyParts, step, shownBy, methodology, components } = series;
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
    aggregation: usualAggregation(series),
    components: components?.id ?? "",
    sources: [...sources],
    keys: extent?.keys ?? 0,
    firstParts: extent?.firstParts ?? 0,
    ...(first && { firstAt: BigInt(first.getTime()) }),
    ...(extent?.last && { lastAt: BigInt(extent.last.getTime()) }),
  };
}
