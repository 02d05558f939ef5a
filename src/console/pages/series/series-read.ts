import { fromJson } from "@bufbuild/protobuf";
import {
  GetSeriesRequestSchema,
  GetSeriesResponseSchema,
  HistoryService,
} from "../../../../gen/es/ids/history/v1/history_pb.ts";
import type { Operation } from "../../../contract/catalog.ts";
import { fieldRules } from "../../../contract/rules/field-rules.ts";
import { listRules } from "../../../contract/rules/value-bounds.ts";
import { type Html, html } from "../../../pages/html.ts";
import { intervals, nextStart } from "../../../reference/calendar.ts";
import { dayMs } from "../../../reference/duration.ts";
import { operationFor } from "../../metadata.ts";
import type { PageContext } from "../../page-context.ts";
import type { ReadResponse } from "../../read-response.ts";
import { noFigures } from "../../view/availability.ts";
import { type Provenance, provenanceOf } from "../../view/block.ts";
import type { ChartLine } from "../../view/chart-line.ts";
import { labelOf } from "../../view/labels.ts";
import { hasPeriods, periodText } from "../../view/period-text.ts";

const getSeries = operationFor(HistoryService.method.getSeries);
export const maxKeys = listRules(fieldRules(GetSeriesRequestSchema.field.keys))?.maxItems ?? 1n;
export const listSeries = operationFor(HistoryService.method.listSeries);

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
  // Without recorded points, the data is not current.
  const isEmpty = measured.length === 0 && whole.availability.tone === "good";
  return {
    ...{ ...whole, ...(isEmpty && { availability: noFigures }) },
    madeBy,
    lastPoint: Number.isFinite(lastPoint) ? (hasPeriods(step) ? periodText(lastPoint, step) : lastPoint) : undefined,
  };
}

export function countrySeries(page: PageContext, series: string, code: string): Promise<SeriesRead> {
  return readSeries(page, { series, keys: code, from: dayBefore(page, 365), interval: "day" });
}

/** Returns the day that is this number of days ago, within the history of the viewer's plan. */
export function dayBefore({ now, viewer }: Pick<PageContext, "now" | "viewer">, days: number): string {
  // The day begins before the earliest time of the plan.
  const max = (viewer.principal?.plan.historyDays ?? days + 1) - 1;
  return new Date(now - Math.min(days, max) * dayMs).toISOString().slice(0, 10);
}

export async function readSeries(
  page: PageContext,
  parameters: Readonly<Record<string, string>>,
  nameOf: (key: string) => string = (key) => key,
): Promise<SeriesRead> {
  const response = await page.read(getSeries, parameters);
  if (response.kind === "refused") return { response, lines: [], unknownKeys: [], note: "", relatedSeries: [] };
  const { points, ...rest } = fromJson(GetSeriesResponseSchema, response.body);
  const lines = [...Map.groupBy(points, ({ key }) => key)].map(([key, own]) => ({
    key,
    label: nameOf(key),
    points: own.map(({ at, value, isBreak, isPartial }) => ({ at: Number(at), value, isBreak, isPartial })),
  }));
  return { response, lines, ...rest };
}

/** Returns `Macro GDP per capita` for `macro.gdp_per_capita`. */
export function seriesName(id: string): string {
  return labelOf(id.replaceAll(".", "_"));
}

export function namedSeries(id: string): Html {
  return html`${seriesName(id)} <code class="soft">${id}</code>`;
}
