import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type GetSeasonalBandRequest,
  type GetSeasonalBandResponseSchema,
  HistoryService,
  type SeasonalRowSchema,
  type SeriesPoint,
} from "../../../gen/es/ids/history/v1/history_pb.ts";
import { yearFields } from "../../contract/earlier-years.ts";
import { invalidField } from "../../errors.ts";
import type { Series } from "../../ingest/series/dataset-series.ts";
import { isoDay, nextStart } from "../../reference/calendar.ts";
import { dayMs } from "../../reference/duration.ts";
import { named } from "../../reference/named.ts";
import { roundedAway } from "../../reference/rounding.ts";
import { type Span, spanOf } from "./intervals.ts";
import { maxPoints, pointsOf, tooMany } from "./points.ts";
import { type Call, missingOf, openSeries, requireSummable } from "./series-access.ts";

const defaultDays = 365;
/** With values of fewer years, there is no band. */
const minYears = 2;
/** Maximum number of points of a key that are read at a time, which bounds the memory. */
const maxPointsOfKey = 100_000;

type BandSpan = Span & { readonly interval: "day" | "month" };
type Row = MessageInitShape<typeof SeasonalRowSchema> & { readonly key: string };

export async function getSeasonalBand(
  request: GetSeasonalBandRequest,
  call: Call,
): Promise<MessageInitShape<typeof GetSeasonalBandResponseSchema>> {
  const opened = await openSeries(request, HistoryService.method.getSeasonalBand, call);
  const { series, keys, now } = opened;
  const { id, unit, scale } = series;
  const interval = intervalOf(request, series);
  const span = { ...spanOf({ ...request, interval }, { now, days: defaultDays, series }), interval };
  requireSummable(series, span.aggregation);
  const earliest = yearsBefore(span.from, yearFields.length);
  opened.requireDepth("five years before `from`", earliest);
  const rows: Row[] = [];
  // A partial key can stand for several keys, so the number of rows is checked again after reading.
  if (keys.length * intervalsIn(span) > maxPoints) throw tooMany(maxPoints);
  for (const key of keys) {
    const wanted = { series: id, origin: call.parts.data, keys: [key], now, max: maxPointsOfKey };
    const points = await pointsOf(opened, { ...wanted, span: { ...span, from: earliest } }, call.parts);
    const byKey = Map.groupBy(points, (point) => point.key);
    if (rows.length + byKey.size * intervalsIn(span) > maxPoints) throw tooMany(maxPoints);
    for (const [own, ofKey] of byKey) rows.push(...bandOf(own, ofKey, span));
  }
  const measured = new Set(rows.map(({ key }) => key.toUpperCase()));
  const noPoints = (of: string) => `No points of ${id}${of} from ${isoDay(earliest)} to ${isoDay(span.to)}.`;
  return { series: id, unit, scale, rows, ...(await missingOf(opened, { measured, noPoints, isWhole: true }, call)) };
}

function intervalOf({ interval }: GetSeasonalBandRequest, { id, step }: Series): BandSpan["interval"] {
  const hasDays = step === "day" || step === "refresh";
  if (interval === "day" && !hasDays)
    throw invalidField("interval", `value must be month: the step of ${id} is ${step}`);
  return interval === "month" || !hasDays ? "month" : "day";
}

/** Returns an upper limit for the number of days or months of a span. */
function intervalsIn({ from, to, interval }: BandSpan): number {
  return Math.ceil((to - from) / dayMs / (interval === "day" ? 1 : 28));
}

function bandOf(key: string, points: readonly SeriesPoint[], { from, to, interval }: BandSpan): Row[] {
  const byStart = new Map(points.map((point) => [Number(point.at), point]));
  const breaks = points.filter(({ isBreak }) => isBreak).map(({ at }) => Number(at));
  const rows: Row[] = [];
  for (let at = from; at <= to; at = nextStart(at, interval)) {
    const earlier = yearFields.flatMap((field, place) => {
      const then = yearsBefore(at, place + 1);
      const { value, isPartial } = byStart.get(then) ?? {};
      return value === undefined || isPartial
        ? []
        : { field, value, isComparable: !breaks.some((time) => time >= then && time <= at) };
    });
    const compared = earlier.filter(({ isComparable }) => isComparable);
    const values = compared.map(({ value }) => value);
    rows.push({
      ...{ key, at: BigInt(at), ...named("value", byStart.get(at)?.value) },
      ...(values.length >= minYears && {
        min: Math.min(...values),
        mean: roundedAway(values.reduce((sum, value) => sum + value, 0) / values.length, 9),
        max: Math.max(...values),
      }),
      ...{ years: values.length, yearsLeftOut: earlier.length - values.length },
      isPartial: byStart.get(at)?.isPartial ?? nextStart(at, interval) > to + 1,
      ...Object.fromEntries(compared.map(({ field, value }) => [field, value])),
    });
  }
  return rows;
}

/** Returns the start of the same day some years earlier. In a year without 29 February, it is 28 February. */
function yearsBefore(at: number, years: number): number {
  const day = new Date(at);
  const [year, month] = [day.getUTCFullYear() - years, day.getUTCMonth()];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(day.getUTCDate(), lastDay));
}
