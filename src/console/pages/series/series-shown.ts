import type { Series } from "../../../../gen/es/ids/history/v1/history_pb.ts";
import { intervals, startOf } from "../../../reference/calendar.ts";
import type { PageContext } from "../../page-context.ts";
import type { ChartLine } from "../../view/points-table.ts";
import { readBand, type SeasonalBand } from "./seasonal-band.ts";
import { dayBefore, readSeries, type SeriesRead, withOwnTerms } from "./series-read.ts";
import type { SeriesRequest } from "./series-request.ts";
import { changesOf, indexOf, isRelative, pointsUnit, yearBefore } from "./series-views.ts";

/** A hundred years. No point that is recorded at refreshes is older. */
const maxDays = 36_500;

/** A view of a series as its chart shows it. */
export interface ShownSeries extends SeriesRead, Pick<SeasonalBand, "area" | "more" | "lead"> {
  readonly unit: string;
  readonly scale: number;
  readonly interval: string;
  /** Why the view lacks points, as sentences. */
  readonly reasons: readonly string[];
}

export function readKeys(
  { id }: Series,
  page: PageContext,
  { keys, from, to, interval, aggregation }: SeriesRequest,
): Promise<SeriesRead> {
  return readSeries(page, { series: id, keys: keys.join(","), from, to, interval, aggregation });
}

/** Returns the requested view, such as the index, of the values that were read. */
export async function shownSeries(
  series: Series,
  page: PageContext,
  { wanted, reported }: { readonly wanted: SeriesRequest; readonly reported: SeriesRead },
): Promise<ShownSeries> {
  const { unit, scale } = series;
  const { interval } = wanted;
  if (reported.response.kind === "refused") return { ...reported, unit, scale, interval, reasons: [] };
  if (wanted.view === "band") return { ...(await readBand(series, page, wanted)), unit, scale };
  if (wanted.view === "change") return readChanges(series, page, wanted);
  const lines = await withOwnTerms(series, reported.lines, page);
  if (wanted.view === "value") return { ...reported, lines, unit, scale, interval, reasons: [] };
  const unitOfIndex = "index, first point = 100";
  const viewed = viewedLines(lines, ({ points }) => ({ ...indexOf(points), unit: unitOfIndex }));
  return { ...reported, ...viewed, unit: unitOfIndex, scale: 1, interval };
}

interface ViewedLine extends Pick<ChartLine, "points" | "unit"> {
  readonly reasons: readonly string[];
}

/** Returns the lines of a view. Each reason for missing points is stated once, with the names of its lines. */
function viewedLines(lines: readonly ChartLine[], view: (line: ChartLine) => ViewedLine) {
  const viewed = lines.map((line) => ({ ...line, ...view(line) }));
  const byReason = Map.groupBy(viewed, ({ reasons }) => reasons.join(" "));
  byReason.delete("");
  const reasons = [...byReason].map(([reason, own]) => `${own.map(({ label }) => label).join(", ")}: ${reason}`);
  return { lines: viewed, reasons };
}

async function readChanges(series: Series, page: PageContext, wanted: SeriesRequest): Promise<ShownSeries> {
  const { from, interval } = wanted;
  const begin = Date.parse(from);
  const start = startOf(begin, intervals.find((each) => each === interval) ?? "raw");
  // For a series that is recorded at refreshes, the viewer's plan limits the history.
  const earliest = series.step === "refresh" ? Date.parse(dayBefore(page, maxDays)) : 0;
  const earlier = new Date(Math.max(yearBefore(start), Math.min(earliest, begin))).toISOString();
  const read = await readKeys(series, page, { ...wanted, from: earlier });
  const lines = await withOwnTerms(series, read.lines, page);
  const isWeekly = (interval === "raw" ? series.step : interval) === "week";
  const wholeSince = wanted.aggregation === "sum" ? Number(series.firstAt ?? 0) : 0;
  const unitOf = (unit: string) => (isRelative(unit, series) ? "%" : pointsUnit(unit));
  const viewed = viewedLines(lines, ({ points, unit = series.unit }) => ({
    ...changesOf(points, { from: start, isRelative: isRelative(unit, series), isWeekly, wholeSince }),
    unit: unitOf(unit),
  }));
  const scale = isRelative(series.unit, series) ? 1 : series.scale;
  return { ...read, ...viewed, unit: unitOf(series.unit), scale, interval };
}
