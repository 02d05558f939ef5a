import { HistoryService, type SeasonalRow, type Series } from "../../../../gen/es/ids/history/v1/history_pb.ts";
import { yearFields } from "../../../contract/earlier-years.ts";
import { columnUnit } from "../../../contract/labels.ts";
import { type Html, html, joined } from "../../../pages/html.ts";
import { table } from "../../../pages/layout.ts";
import { roundedAway } from "../../../reference/rounding.ts";
import { readMessage } from "../../metadata.ts";
import type { PageContext } from "../../page-context.ts";
import { amountText, evenly, numberText, quantityText } from "../../view/figures.ts";
import type { ChartArea } from "../../view/line-chart.ts";
import type { ChartLine } from "../../view/points-table.ts";
import { periodText } from "../../view/times.ts";
import { changeText } from "../movers.ts";
import { keyName } from "./key-names.ts";
import { type SeriesRead, withOwnTerms } from "./series-read.ts";
import { type SeriesRequest, seriesAddress } from "./series-request.ts";

const whyNoBand = "fewer than two of the 5 years before have a comparable value";

export interface SeasonalBand extends SeriesRead {
  readonly interval: string;
  readonly area?: ChartArea;
  /** The values of the earlier years, which are only in the table. */
  readonly more?: readonly ChartLine[];
  /** Sentences and a table on the last complete interval of each key that has a band. */
  readonly lead?: Html;
  readonly reasons: readonly string[];
}

export async function readBand(series: Series, page: PageContext, wanted: SeriesRequest): Promise<SeasonalBand> {
  const { id, step } = series;
  const { keys, from, to, aggregation } = wanted;
  const interval = (step === "day" || step === "refresh") && wanted.interval !== "month" ? "day" : "month";
  const parameters = { series: id, keys, from, to, interval, aggregation };
  const { response, message } = await readMessage(page.read, HistoryService.method.getSeasonalBand, parameters);
  const { rows = [], unknownKeys = [], note = "", relatedSeries = [] } = message ?? {};
  const read = { response, unknownKeys, note, relatedSeries, interval };
  if (step === "year") return { ...read, lines: [], reasons: ["A series with a point for each year has no seasons."] };
  const byKey = Map.groupBy(rows, (row) => row.key);
  const [[key, own] = [keys[0] ?? "", []]] = byKey;
  const lacking = own.filter(({ mean }) => mean === undefined).length;
  const reasons = [
    lacking > 0 && `${lacking} of ${own.length} intervals have no band: ${whyNoBand}.`,
    own.some(({ yearsLeftOut }) => yearsLeftOut > 0) && "Years on the other side of a break are left out.",
  ].filter((reason) => reason !== false);
  const value = await withOwnTerms(series, [{ ...lineOf(own, "value"), key, label: keyName(key) }], page);
  const last = [...byKey.values()].flatMap((ofKey) => ofKey.findLast(isCompared) ?? []);
  const lead = html`${last.length > 0 && lastMarkup(last, { series, interval, unit: value[0]?.unit ?? series.unit })}${keys.length > 1 && drawnMarkup(id, [...byKey.keys()], wanted)}`;
  if (lacking === own.length) return { ...read, lines: value, reasons, lead };
  const mean = { ...lineOf(own, "mean"), label: meanName(own), short: "Mean", isReference: true };
  const area = {
    label: "Minimum to maximum of the same years",
    low: { ...lineOf(own, "min"), label: "Minimum" },
    high: { ...lineOf(own, "max"), label: "Maximum" },
  };
  const more = yearFields.map((field, place) => ({
    ...lineOf(own, field),
    label: `${amountText(place + 1, "year")} before`,
  }));
  return { ...read, lines: [...value, mean], more, reasons, area, lead };
}

function isCompared({ value, mean, isPartial }: SeasonalRow): boolean {
  return value !== undefined && mean !== undefined && !isPartial;
}

/** Returns the name of the mean, with the largest number of years from which a mean is computed. */
function meanName(rows: readonly SeasonalRow[]): string {
  const years = rows.flatMap((row) => (row.mean === undefined ? [] : [row.years]));
  const most = Math.max(...years);
  return `Mean of ${years.some((count) => count < most) ? "up to " : ""}${most} years`;
}

/** Only points of the series itself are marked as incomplete, because its last interval may not be over. */
function lineOf(rows: readonly SeasonalRow[], name: "value" | "min" | "mean" | "max" | (typeof yearFields)[number]) {
  const points = rows.map((row) => {
    return { at: Number(row.at), value: row[name], isBreak: false, isPartial: name === "value" && row.isPartial };
  });
  return { key: name, points };
}

interface BandTerms {
  readonly series: Series;
  readonly interval: string;
  /** Unit of the key that the chart shows. */
  readonly unit: string;
}

/** Compares the last value of the charted key in words, and of several keys with each earlier year in a table. */
function lastMarkup(rows: readonly SeasonalRow[], terms: BandTerms): Html {
  const [first] = rows;
  const { series, interval } = terms;
  const all = rows.flatMap((row) => [row.value, row.min, row.max].flatMap((each) => each ?? []));
  const text = evenly(all.map((each) => roundedAway(each, 2)));
  const cell = (value: number | undefined) => (value === undefined ? "–" : text(roundedAway(value, 2)));
  const days = new Set(rows.map(({ at }) => Number(at)));
  const year = new Date(Number(first?.at)).getUTCFullYear();
  const headings = [
    ...["Key", ...(days.size > 1 ? ["Time"] : []), "Value"],
    ...yearFields.map((_, place) =>
      days.size > 1 ? `${amountText(place + 1, "year")} before` : `${year - place - 1}`,
    ),
    ...["Minimum", "Mean", "Maximum", "Against the mean"],
  ];
  const lines = rows.map((row) => [
    ...[keyName(row.key), ...(days.size > 1 ? [timeText(row, interval)] : []), cell(row.value)],
    ...yearFields.map((field) => cell(row[field])),
    ...[cell(row.min), cell(row.mean), cell(row.max)],
    changeText(roundedAway((row.value ?? 0) - (row.mean ?? 0), 2), text),
  ]);
  const measure = columnUnit(series.unit, series.scale);
  const points = measure.startsWith("%") ? "; differences in percentage points" : "";
  const remark = [days.size === 1 && first && timeText(first, interval), measure && `in ${measure}${points}`];
  const numbers = headings.map((_, place) => place).slice(days.size > 1 ? 2 : 1);
  return html`${first && html`<p><strong>${comparedText(first, terms)}</strong></p>`}
${table(headings, lines, numbers)}<p class="small soft">${remark.filter((each) => each).join(", ")}.</p>`;
}

function timeText({ at }: SeasonalRow, interval: string): string {
  return periodText(Number(at), interval);
}

/** Returns `Germany 73.35% on 28 Nov 2026: 1.2 percentage points below the mean of 5 years, inside the range.` */
function comparedText(row: SeasonalRow, { series: { scale }, interval, unit }: BandTerms): string {
  const { key, value = 0, min = value, mean = value, max = value, years } = row;
  const difference = roundedAway(value - mean, 2);
  const amount = Math.abs(difference);
  const size = unit.startsWith("%")
    ? `${numberText(amount * scale)} percentage points`
    : quantityText(amount, unit, scale);
  const side = difference === 0 ? "at" : `${size} ${difference < 0 ? "below" : "above"}`;
  const place = value < min ? "below the range" : value > max ? "above the range" : "inside the range";
  return `${keyName(key)} ${quantityText(value, unit, scale)} ${interval === "month" ? "in" : "on"} ${timeText(row, interval)}: ${side} the mean of ${years} years, ${place}.`;
}

/** Says which of several keys the chart shows, and links to the chart of each other key. */
function drawnMarkup(id: string, keys: readonly string[], request: SeriesRequest): Html | undefined {
  const [drawn, ...others] = keys;
  if (drawn === undefined || others.length === 0) return undefined;
  const links = others.map((key) => {
    const first = [key, ...request.keys.filter((each) => each !== key)];
    return html`<a href="${seriesAddress(id, { ...request, keys: first })}">${keyName(key)}</a>`;
  });
  return html`<p>The table above has all ${keys.length} keys. The chart draws ${keyName(drawn)}. Draw another: ${joined(links, " · ")}</p>`;
}
