import type { DescField } from "@bufbuild/protobuf";
import { GetSeriesRequestSchema, HistoryService, type Series } from "../../../../gen/es/ids/history/v1/history_pb.ts";
import { Role } from "../../../../gen/es/ids/options/v1/options_pb.ts";
import type { Operation } from "../../../contract/catalog.ts";
import type { Column } from "../../../contract/columns.ts";
import { labelOf, lowerFirst } from "../../../contract/labels.ts";
import { fieldRules, isNeeded } from "../../../contract/rules/field-rules.ts";
import { listRules } from "../../../contract/rules/value-bounds.ts";
import { type Table, tablesOf } from "../../../contract/tables.ts";
import { type Html, html } from "../../../pages/html.ts";
import { intervals, isoDay, nextStart } from "../../../reference/calendar.ts";
import { dayMs } from "../../../reference/duration.ts";
import { operationNamed, readMessage } from "../../metadata.ts";
import type { PageContext } from "../../page-context.ts";
import type { ReadResponse } from "../../read-response.ts";
import { noFigures } from "../../view/availability.ts";
import { type Provenance, provenanceOf } from "../../view/block.ts";
import type { ChartLine } from "../../view/points-table.ts";
import { hasPeriods, periodText } from "../../view/times.ts";
import { keyName } from "./key-names.ts";

export const maxKeys = listRules(fieldRules(GetSeriesRequestSchema.field.keys))?.maxItems ?? 1n;

export interface SeriesRead {
  readonly response: ReadResponse;
  readonly lines: readonly ChartLine[];
  readonly unknownKeys: readonly string[];
  readonly note: string;
  readonly relatedSeries: readonly string[];
}

export function seriesProvenance(
  { response, lines }: SeriesRead,
  madeBy: Operation | undefined,
  {
    lastAt = 0,
    interval = "raw",
    step,
  }: { readonly lastAt?: number; readonly interval?: string; readonly step?: string | undefined } = {},
): Provenance {
  const measured = lines.flatMap(({ points }) => points.flatMap(({ at, value }) => (value === undefined ? [] : [at])));
  const newest = Math.max(...measured);
  const known = intervals.find((one) => one === interval) ?? "raw";
  const isLast = known !== "raw" && newest < lastAt && lastAt < nextStart(newest, known);
  const lastPoint = isLast ? lastAt : newest;
  const whole = provenanceOf(response);
  // If the series has no points, the block must not say that its data is current.
  const isEmpty = measured.length === 0 && whole.availability.tone === "good";
  return {
    ...{ ...whole, ...(isEmpty && { availability: noFigures }) },
    madeBy,
    lastPoint: Number.isFinite(lastPoint) ? (hasPeriods(step) ? periodText(lastPoint, step) : lastPoint) : undefined,
  };
}

/** Reads the value of each day of the last `days` days. */
export function dailySeries(
  page: PageContext,
  series: string,
  keys: readonly string[],
  days = 365,
): Promise<SeriesRead> {
  return readSeries(page, { series, keys: keys.join(","), from: dayBefore(page, days), interval: "day" });
}

/** Returns the day `days` days ago, but not before the start of the history that the viewer's plan includes. */
export function dayBefore({ now, viewer }: Pick<PageContext, "now" | "viewer">, days: number): string {
  // One day less, because the start of that day would be before the plan's earliest time.
  const max = (viewer.principal?.plan.historyDays ?? days + 1) - 1;
  return isoDay(now - Math.min(days, max) * dayMs);
}

export async function readSeries(page: PageContext, parameters: Readonly<Record<string, string>>): Promise<SeriesRead> {
  const { response, message } = await readMessage(page.read, HistoryService.method.getSeries, parameters);
  if (!message) return { response, lines: [], unknownKeys: [], note: "", relatedSeries: [] };
  const { points, ...rest } = message;
  const lines = [...Map.groupBy(points, ({ key }) => key)].map(([key, own]) => ({
    key,
    label: keyName(key),
    points: own.map(({ at, value, isBreak, isPartial }) => ({ at: Number(at), value, isBreak, isPartial })),
  }));
  return { response, lines, ...rest };
}

/** Returns the path of the chart of a series. All series of countries accept alpha-2 codes as keys. */
export function chartPath(id: string, keys: readonly string[]): string {
  return `/series/${id}?keys=${keys.join(",")}`;
}

/** Returns `Macro GDP per capita` for `macro.gdp_per_capita`. */
export function seriesName(id: string): string {
  return labelOf(id.replaceAll(".", "_"));
}

/** Returns `Ukraine, Poland: risk score`, which a chart on another site needs as its title. */
export function chartTitle(id: string, names: readonly string[]): string {
  const name = seriesName(id);
  const shown = names.length > 4 ? [...names.slice(0, 3), `${names.length - 3} more`] : names;
  return shown.length === 0 ? name : `${shown.join(", ")}: ${lowerFirst(name)}`;
}

export function namedSeries(id: string): Html {
  return html`${seriesName(id)} <code class="soft">${id}</code>`;
}

interface OwnTerms {
  readonly operation: Operation;
  readonly parameter: DescField;
  readonly table: Table;
  readonly unit: Column;
  readonly title: Column | undefined;
}

/** Returns the columns with the unit and title of each key, if keys have different units. Otherwise undefined. */
function ownTerms({ unit, operation: name }: Series): OwnTerms | undefined {
  const operation = operationNamed(name);
  if (unit !== "" || !operation) return undefined;
  const [table] = tablesOf(operation);
  const [parameter] = operation.method.input.fields.filter(isNeeded);
  const column = table?.columns.find((each) => /(?:^|\.)units?$/.test(each.name) && each.type === "text");
  if (!table || !parameter || !column) return undefined;
  return { operation, parameter, table, unit: column, title: table.columns.find(({ role }) => role === Role.LABEL) };
}

export function differsByKey(series: Series): boolean {
  return ownTerms(series) !== undefined;
}

export async function withOwnTerms(
  series: Series,
  lines: readonly ChartLine[],
  { read }: PageContext,
): Promise<readonly ChartLine[]> {
  const own = ownTerms(series);
  if (!own) return lines;
  const { operation, parameter, table } = own;
  return Promise.all(
    lines.map(async (line): Promise<ChartLine> => {
      const response = await read(operation, { [parameter.name]: line.key });
      const [row] = response.kind === "answered" ? table.rowsIn(response.body, {}) : [];
      if (!row) return line;
      const [unit, title] = [own.unit.read(row), own.title?.read(row)];
      return {
        ...line,
        ...(typeof unit === "string" && { unit }),
        ...(typeof title === "string" && { label: `${title} (${line.key})` }),
      };
    }),
  );
}

/** Returns the smallest interval between points: month, quarter, or year. Undefined for fewer than two points. */
export function stepBetween({ points }: Pick<ChartLine, "points">): string | undefined {
  const months = points.flatMap(({ at, value }) => {
    const date = new Date(at);
    return value === undefined ? [] : [12 * date.getUTCFullYear() + date.getUTCMonth()];
  });
  const gaps = months.slice(1).map((month, place) => month - (months[place] ?? 0));
  if (gaps.length === 0) return undefined;
  const min = Math.min(...gaps);
  if (min < 3) return "month";
  return min < 12 ? "quarter" : "year";
}

/** Returns the interval for labels, such as a quarter. Undefined if points are labeled by day or time. */
export function shownStep(series: Series, lines: readonly ChartLine[], interval: string): string | undefined {
  // A label by week would be wrong at New Year, when the week may begin in the previous year.
  if (interval === "week") return undefined;
  const known = lines.flatMap((line) => stepBetween(line) ?? []);
  const step = differsByKey(series)
    ? (["month", "quarter", "year"].find((each) => known.length === lines.length && known.includes(each)) ?? "month")
    : series.step;
  if (hasPeriods(step)) return step;
  return interval === "month" ? "month" : undefined;
}
