import { CountryService, GetCountryBriefResponseSchema } from "../../../gen/es/ids/country/v1/country_pb.ts";
import type { GetResilienceScoreExplanationResponse } from "../../../gen/es/ids/resilience/v1/resilience_explanation_pb.ts";
import { ResilienceService } from "../../../gen/es/ids/resilience/v1/resilience_pb.ts";
import { columnsOf } from "../../contract/columns.ts";
import { lowerLabelOf } from "../../contract/labels.ts";
import { isObject, type JsonObject } from "../../contract/request/body.ts";
import { type Html, html } from "../../pages/html.ts";
import { isoDay } from "../../reference/calendar.ts";
import { dayMs } from "../../reference/duration.ts";
import { operationFor, readMessage } from "../metadata.ts";
import type { PageContext } from "../page-context.ts";
import type { Read, ReadResponse } from "../read-response.ts";
import { amountText, numberText, quantityText } from "../view/figures.ts";
import type { ChartLine } from "../view/points-table.ts";
import { componentsText, levelText } from "./countries.ts";
import { readSeries } from "./series/series-read.ts";

/** Reads what is known about a country. */
export function readBrief({ read }: PageContext, country_code: string): Promise<ReadResponse> {
  return read(operationFor(CountryService.method.getCountryBrief), { country_code });
}

/** The resilience score with all of its inputs. */
export type Explanation = GetResilienceScoreExplanationResponse | undefined;

const columns = new Map(
  columnsOf(GetCountryBriefResponseSchema, "", ({ row }) => row, true).map((column) => [column.name, column]),
);

/** Returns undefined if the viewer may not read the explanation, or the country has no score. */
async function readExplanation(read: Read, country_code: string): Promise<Explanation> {
  const { getResilienceScoreExplanation } = ResilienceService.method;
  const { message } = await readMessage(read, getResilienceScoreExplanation, { country_code });
  return message?.pillars.some(({ coverage }) => coverage > 0) === true ? message : undefined;
}

/** Returns the oldest input of a resilience score with its age, and the indicators whose values are unknown. */
export function ageOfInputs({ pillars }: NonNullable<Explanation>, now: number): Html {
  const dimensions = pillars.flatMap(({ domains }) => domains.flatMap((domain) => domain.dimensions));
  const indicators = dimensions.flatMap((dimension) => (dimension.retired ? [] : dimension.indicators));
  const dated = indicators.flatMap(({ inputs }) => inputs.filter(({ period }) => period !== ""));
  const [oldest] = dated.sort((a, b) => (a.period < b.period ? -1 : 1));
  const age = oldest ? new Date(now).getUTCFullYear() - Number.parseInt(oldest.period, 10) : 0;
  const unknown = indicators.filter(({ value }) => value === undefined);
  const names = unknown
    .map(({ id, imputation }) => lowerLabelOf(id) + (imputation === "" ? "" : " (imputed)"))
    .join(", ");
  return html`<p class="small">${oldest && html`Oldest input: <strong>${lowerLabelOf(oldest.name)}, ${oldest.period} (${age > 0 ? amountText(age, "year") : "this year"})</strong>.`}${unknown.length > 0 && ` Not known, ${unknown.length} of ${amountText(indicators.length, "indicator")}: ${names}.`}</p>`;
}

interface KeyFigure {
  readonly column: string;
  readonly label: string;
  /** Series with the amounts of each day of a figure of 30 days. */
  readonly series?: string;
  /** Column with a remark on the value, such as its year. */
  readonly remark?: string;
}

export const keyFigureList: readonly KeyFigure[] = [
  { column: "risk.score.combinedScore", label: "Risk, 0 to 100" },
  { column: "resilience.overallScore", label: "Resilience, 0 to 100", remark: "resilience.level" },
  { column: "conflict.events", label: "Conflict events, 30 days", series: "conflict.events" },
  { column: "conflict.fatalities", label: "Reported deaths, 30 days", series: "conflict.fatalities" },
  { column: "outages.outages", label: "Internet outages, 30 days" },
  { column: "macro.growth.realGdpGrowthPct", label: "GDP growth", remark: "macro.growth.year" },
  { column: "macro.prices.inflationPct", label: "Inflation", remark: "macro.prices.year" },
  { column: "macro.labor.unemploymentPct", label: "Unemployment", remark: "macro.labor.year" },
  { column: "macro.labor.populationMillions", label: "Population" },
];

/** Days before the current day in figures of 30 days. */
const figureDays = 30;

/** Remarks on the figures of a country that are not in its brief. */
interface Remarks {
  readonly explanation: Explanation;
  /** Returns what a series had in the days before those of a figure. */
  readonly earlierOf: (series: string) => string;
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
    ...keyFigureList.flatMap(({ series }) => (series === undefined ? [] : [readLines(series)])),
  ]);
  return (code) => ({
    explanation: explanations[codes.indexOf(code)],
    earlierOf: (series) => earlierText(known.get(`${series} ${code}`) ?? [], page.now),
  });
}

/** Compares only counted days: a figure of 23 counted days with the 23 days before. A day without a value is unknown. */
function earlierText(points: ChartLine["points"], now: number): string {
  const start = Math.floor(now / dayMs) - figureDays;
  const values = new Map(points.map(({ at, value }) => [at / dayMs, value]));
  const last = points.findLast(({ value }) => value !== undefined)?.at ?? 0;
  const count = Math.max(0, last / dayMs - start + 1);
  const days = Array.from({ length: 2 * count }, (_, place) => values.get(start - count + place) ?? Number.NaN);
  const sum = days.slice(0, count).reduce((total, value) => total + value, 0);
  if (count === 0 || days.some(Number.isNaN)) return "(before: not known)";
  return `(${count < figureDays ? `in ${count} counted days; ` : ""}${numberText(sum)} in the ${count} days before)`;
}

function readColumn(brief: JsonObject, name: string) {
  return columns.get(name)?.read({ request: {}, response: brief, parents: [], row: brief }) ?? null;
}

/** Returns a key figure of a country with its unit; undefined if it is unknown. */
export function figureText(brief: JsonObject, { column }: KeyFigure): string | undefined {
  const value = readColumn(brief, column);
  if (typeof value !== "number") return undefined;
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
 * Returns a remark on a figure: of risk, how many components had data; of resilience, whether they suffice to rank; of
 * 30 days, what the days before had.
 */
export function remarkText(brief: JsonObject, figure: KeyFigure, { explanation, earlierOf }: Remarks): string {
  const { column, remark, series } = figure;
  if (series !== undefined) return earlierOf(series);
  if (column.startsWith("resilience") && explanation) return levelText(explanation);
  const { components = null } = memberIn(memberIn(brief, "risk"), "score");
  if (column.startsWith("risk")) return isObject(components) ? componentsText(components) : "";
  return remark === undefined ? "" : String(readColumn(brief, remark) ?? "");
}

/**
 * Returns the key figures of a country, with the coverage of the risk score. The block of a missing one explains why it
 * is missing.
 */
export function keyFigures(brief: JsonObject, remarks: Remarks, layout: string, coverage: string): Html {
  const figures = keyFigureList.flatMap((figure) => {
    const text = figureText(brief, figure);
    if (text === undefined) return [];
    const own = remarkText(brief, figure, remarks);
    const remark = figure.column.startsWith("risk") ? `${own}, ${coverage}` : own;
    return [
      html`<div><dt>${figure.label}</dt><dd>${text}${remark !== "" && html` <small>${remark}</small>`}</dd></div>`,
    ];
  });
  return html`<dl class="${`figures ${layout}`}">${figures}</dl>`;
}
