import { CountryService, GetCountryBriefResponseSchema } from "../../../gen/es/ids/country/v1/country_pb.ts";
import type { GetResilienceScoreExplanationResponse } from "../../../gen/es/ids/resilience/v1/resilience_explanation_pb.ts";
import { ResilienceService } from "../../../gen/es/ids/resilience/v1/resilience_pb.ts";
import { columnsOf } from "../../contract/columns.ts";
import { labelOf, lowerLabelOf } from "../../contract/labels.ts";
import { isObject, type JsonObject } from "../../contract/request/body.ts";
import { type Html, html } from "../../pages/html.ts";
import { isoDay } from "../../reference/calendar.ts";
import { dayMs } from "../../reference/duration.ts";
import { operationFor, readMessage } from "../metadata.ts";
import type { PageContext } from "../page-context.ts";
import type { Read, ReadResponse } from "../read-response.ts";
import { amountText, keyFigure, numberText, quantityText } from "../view/figures.ts";
import type { ChartLine } from "../view/points-table.ts";
import { yearText } from "../view/times.ts";
import { componentsText, levelText } from "./countries.ts";
import { changeText } from "./movers.ts";
import { readSeries } from "./series/series-read.ts";

/** Reads the brief of a country: what all datasets say about it. */
export function readBrief({ read }: PageContext, country_code: string): Promise<ReadResponse> {
  return read(operationFor(CountryService.method.getCountryBrief), { country_code });
}

/** The resilience score of a country with all of its inputs. Undefined if it is not known. */
export type Explanation = GetResilienceScoreExplanationResponse | undefined;

const columns = new Map(
  columnsOf(GetCountryBriefResponseSchema, "", ({ row }) => row, true).map((column) => [column.name, column]),
);

/** Reads the explanation of a resilience score. Undefined if the viewer may not read it, or there is no score. */
async function readExplanation(read: Read, country_code: string): Promise<Explanation> {
  const { getResilienceScoreExplanation } = ResilienceService.method;
  const { message } = await readMessage(read, getResilienceScoreExplanation, { country_code });
  return message?.pillars.some(({ coverage }) => coverage > 0) === true ? message : undefined;
}

/** Returns the weakest pillar and the oldest input of a resilience score, and the indicators with unknown values. */
export function ageOfInputs({ pillars }: NonNullable<Explanation>, now: number): Html {
  const dimensions = pillars.flatMap(({ domains }) => domains.flatMap((domain) => domain.dimensions));
  const indicators = dimensions.flatMap((dimension) => (dimension.retired ? [] : dimension.indicators));
  const dated = indicators.flatMap(({ inputs }) => inputs.filter(({ period }) => period !== ""));
  const [oldest] = dated.sort((a, b) => (a.period < b.period ? -1 : 1));
  const age = oldest ? new Date(now).getUTCFullYear() - Number.parseInt(oldest.period, 10) : 0;
  const unknown = indicators.filter(({ value }) => value === undefined);
  // The score of a pillar without coverage is unknown, so that pillar cannot be the weakest.
  const known = pillars.filter(({ coverage }) => coverage > 0);
  const weakest = known.reduce((low, each) => (each.score < low.score ? each : low));
  const names = unknown
    .map(({ id, imputation }) => lowerLabelOf(id) + (imputation === "" ? "" : " (imputed)"))
    .join(", ");
  return html`<p class="small">Weakest pillar: <strong>${labelOf(weakest.id)}, ${numberText(weakest.score)}</strong>. ${oldest && html`Oldest input: <strong>${lowerLabelOf(oldest.name)}, ${oldest.period} (${age > 0 ? amountText(age, "year") : "this year"})</strong>.`}${unknown.length > 0 && ` Not known, ${unknown.length} of ${amountText(indicators.length, "indicator")}: ${names}.`}</p>`;
}

interface KeyFigure {
  readonly column: string;
  readonly label: string;
  /** Series with the values of the figure over time. */
  readonly series?: string;
  /** Whether the figure is a sum of 30 days, and its series has the amount of each day. */
  readonly isSum?: true;
  /** Column with a remark on the value, such as its year. */
  readonly remark?: string;
}

export const keyFigureList: readonly KeyFigure[] = [
  { column: "risk.score.combinedScore", label: "Risk, 0 to 100", series: "risk.score" },
  {
    column: "resilience.overallScore",
    label: "Resilience, 0 to 100",
    remark: "resilience.level",
    series: "resilience.score",
  },
  { column: "conflict.events", label: "Conflict events, 30 days", series: "conflict.events", isSum: true },
  { column: "conflict.fatalities", label: "Reported deaths, 30 days", series: "conflict.fatalities", isSum: true },
  { column: "outages.outages", label: "Internet outages, 30 days", series: "outages.count" },
  { column: "macro.growth.realGdpGrowthPct", label: "GDP growth", remark: "macro.growth.year", series: "macro.growth" },
  { column: "macro.prices.inflationPct", label: "Inflation", remark: "macro.prices.year", series: "macro.inflation" },
  {
    column: "macro.labor.unemploymentPct",
    label: "Unemployment",
    remark: "macro.labor.year",
    series: "macro.unemployment",
  },
  { column: "macro.labor.populationMillions", label: "Population" },
];

/** Figures that only comparisons and briefs have, because a country's page has a block for each. */
export const comparedFigures: readonly KeyFigure[] = [
  { column: "bases.bases", label: "Military bases" },
  {
    column: "defense.expenditurePctGdp.value",
    label: "Military spending, % of GDP",
    remark: "defense.expenditurePctGdp.year",
  },
  {
    column: "trade.flow.exportValueUsd",
    label: "Exports of goods",
    remark: "trade.flow.year",
    series: "trade.exports",
  },
  {
    column: "trade.flow.importValueUsd",
    label: "Imports of goods",
    remark: "trade.flow.year",
    series: "trade.imports",
  },
  {
    column: "tariffs.tariff.tariffRate",
    label: "Average tariff",
    remark: "tariffs.tariff.year",
    series: "tariff.rate",
  },
];

/** Days before the current day in figures of 30 days. */
const figureDays = 30;

/** Values that remarks on the figures of a country need in addition to its brief. */
export interface Remarks {
  readonly explanation: Explanation;
  /** Returns the remark on the days before those of a figure, from its series. */
  readonly earlierOf: (series: string) => string;
  /** Returns the difference from the days before. Undefined if these are not held. */
  readonly changeOf: (series: string) => number | undefined;
  /** The current year, whose values can't be final. */
  readonly year: number;
}

/** Returns the remarks on the figures of each country. Each series is read once for all countries. */
export async function readRemarks(page: PageContext, codes: readonly string[]): Promise<(code: string) => Remarks> {
  const from = isoDay(page.now - (2 * figureDays + 1) * dayMs);
  const known = new Map<string, ChartLine["points"]>();
  const readLines = async (series: string) => {
    const { lines } = await readSeries(page, { series, keys: codes.join(","), from, interval: "day" });
    for (const { key, points } of lines) known.set(`${series} ${key}`, points);
  };
  const [explanations] = await Promise.all([
    Promise.all(codes.map((code) => readExplanation(page.read, code))),
    ...keyFigureList.flatMap(({ series, isSum }) => (series && isSum ? [readLines(series)] : [])),
  ]);
  return (code) => {
    const daysOf = (series: string) => countedDays(known.get(`${series} ${code}`) ?? [], page.now);
    return {
      explanation: explanations[codes.indexOf(code)],
      year: new Date(page.now).getUTCFullYear(),
      earlierOf: (series) => (known.has(`${series} ${code}`) ? earlierText(daysOf(series)) : ""),
      changeOf: (series) => {
        const days = daysOf(series);
        return days && days.sum - days.before;
      },
    };
  };
}

interface CountedDays {
  readonly count: number;
  readonly sum: number;
  /** Sum of as many days before. */
  readonly before: number;
}

/**
 * Returns the sums of the counted days of a figure and of as many days before. If only 23 days are counted, only 23 are
 * compared. A day without a value is unknown.
 */
function countedDays(points: ChartLine["points"], now: number): CountedDays | undefined {
  const start = Math.floor(now / dayMs) - figureDays;
  const values = new Map(points.map(({ at, value }) => [at / dayMs, value]));
  const last = points.findLast(({ value }) => value !== undefined)?.at ?? 0;
  const count = Math.max(0, last / dayMs - start + 1);
  const days = Array.from({ length: 2 * count }, (_, place) => values.get(start - count + place) ?? Number.NaN);
  const sumOf = (some: readonly number[]) => some.reduce((total, value) => total + value, 0);
  if (count === 0 || days.some(Number.isNaN)) return undefined;
  return { count, sum: sumOf(days.slice(count)), before: sumOf(days.slice(0, count)) };
}

function earlierText(days: CountedDays | undefined): string {
  if (!days) return "(no earlier period held)";
  const { count, before } = days;
  return `(${count < figureDays ? `in ${count} counted days; ` : ""}${numberText(before)} in the ${count} days before)`;
}

function readColumn(brief: JsonObject, name: string) {
  return columns.get(name)?.read({ request: {}, response: brief, parents: [], row: brief }) ?? null;
}

/** Counts of rows in lists of the brief, by part of the brief. */
const listCounts: Readonly<Record<string, string>> = { conflict: "events", outages: "outages", bases: "bases" };

export const noRecordText = "None on record";

/** Returns whether a part of the brief counts no row of the country, which does not prove that there was nothing. */
export function hasNoRecord(brief: JsonObject, part: string): boolean {
  return memberIn(brief, part)[listCounts[part] ?? ""] === 0;
}

/** Returns a key figure of a country with its unit; undefined if it is unknown. */
export function figureText(brief: JsonObject, { column }: KeyFigure): string | undefined {
  const value = readColumn(brief, column);
  if (typeof value !== "number") return undefined;
  if (hasNoRecord(brief, column.split(".")[0] ?? "")) return noRecordText;
  const { unit = "", scale } = columns.get(column) ?? {};
  return unit === "" ? numberText(value) : quantityText(value, unit.replace("{people}", ""), scale);
}

/** Returns the risk score of a country; undefined if it has none. */
export function riskScoreIn(brief: JsonObject): number | undefined {
  const value = readColumn(brief, "risk.score.combinedScore");
  return typeof value === "number" ? value : undefined;
}

function memberIn(of: JsonObject, name: string): JsonObject {
  const value = of[name] ?? null;
  return isObject(value) ? value : {};
}

/**
 * Returns the remark on a figure. For risk, it says how many components had data. For resilience, it says whether they
 * suffice for a rank. For a figure of 30 days, it says what the days before had.
 */
export function remarkText(
  brief: JsonObject,
  figure: KeyFigure,
  { explanation, earlierOf, year }: Omit<Remarks, "changeOf">,
): string {
  const { column, isSum, remark, series } = figure;
  if (series && isSum) return earlierOf(series);
  if (column.startsWith("resilience") && explanation) return levelText(explanation);
  const { components = null } = memberIn(memberIn(brief, "risk"), "score");
  if (column.startsWith("risk")) return isObject(components) ? componentsText(components) : "";
  const text = remark === undefined ? "" : String(readColumn(brief, remark) ?? "");
  return text !== "" && remark?.endsWith(".year") ? yearText(Number(text), year) : text;
}

interface KeyFiguresLook {
  readonly layout: string;
  readonly coverage: string;
  /** Changes of scores in words, by the ID of the series. */
  readonly changes?: ReadonlyMap<string, string | undefined>;
}

/** Returns the key figures of a country, with the coverage of the risk score. A missing figure's block says why. */
export function keyFigures(brief: JsonObject, remarks: Remarks, look: KeyFiguresLook): Html {
  const { layout, coverage, changes } = look;
  const figures = keyFigureList.flatMap((figure) => {
    const text = figureText(brief, figure);
    if (text === undefined) return [];
    const { column, series = "" } = figure;
    const own = remarkText(brief, figure, remarks);
    const change = changes && remarks.changeOf(series);
    const all = [
      changes?.get(series) ?? "",
      change === undefined ? own : `${changeText(change)} ${own}`,
      column.startsWith("risk") ? coverage : "",
    ];
    const isNone = text === noRecordText;
    const shown = [isNone ? text : "", ...all].filter((each) => each !== "").join(", ");
    return [keyFigure(figure.label, isNone ? "" : text, shown)];
  });
  return html`<dl class="${`figures ${layout}`}">${figures}</dl>`;
}
