import { GetCountryBriefResponseSchema } from "../../../gen/es/ids/country/v1/country_pb.ts";
import { ResilienceService } from "../../../gen/es/ids/resilience/v1/resilience_pb.ts";
import { columnsOf } from "../../contract/columns.ts";
import { isObject, type JsonObject } from "../../contract/request/body.ts";
import { type Html, html } from "../../pages/html.ts";
import { readMessage } from "../metadata.ts";
import type { Read } from "../read-response.ts";
import { numberText, quantityText } from "../view/figures.ts";
import { componentsText, levelText } from "./countries.ts";
import type { Explanation } from "./country-parts.ts";

const columns = new Map(
  columnsOf(GetCountryBriefResponseSchema, "", ({ row }) => row, true).map((column) => [column.name, column]),
);

/** Returns undefined if the viewer may not read the explanation, or the country has no score. */
export async function readExplanation(read: Read, country_code: string): Promise<Explanation> {
  const { getResilienceScoreExplanation } = ResilienceService.method;
  const { message } = await readMessage(read, getResilienceScoreExplanation, { country_code });
  return message?.pillars.some(({ coverage }) => coverage > 0) === true ? message : undefined;
}

interface KeyFigure {
  readonly column: string;
  readonly label: string;
  /** Column with a remark on the value, such as its year. */
  readonly remark?: string;
}

export const keyFigureList: readonly KeyFigure[] = [
  { column: "risk.score.combinedScore", label: "Risk, 0 to 100" },
  { column: "resilience.overallScore", label: "Resilience, 0 to 100", remark: "resilience.level" },
  { column: "conflict.events", label: "Conflict events, 30 days" },
  { column: "conflict.fatalities", label: "Reported deaths, 30 days" },
  { column: "outages.outages", label: "Internet outages, 30 days" },
  { column: "macro.growth.realGdpGrowthPct", label: "GDP growth", remark: "macro.growth.year" },
  { column: "macro.prices.inflationPct", label: "Inflation", remark: "macro.prices.year" },
  { column: "macro.labor.unemploymentPct", label: "Unemployment", remark: "macro.labor.year" },
  { column: "macro.labor.populationMillions", label: "Population" },
];

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

/** Returns a remark on a figure: of risk, how many components had data; of resilience, whether they suffice to rank. */
export function remarkText(brief: JsonObject, { column, remark }: KeyFigure, explanation: Explanation): string {
  if (column.startsWith("resilience") && explanation) return levelText(explanation);
  const { components = null } = memberIn(memberIn(brief, "risk"), "score");
  if (column.startsWith("risk")) return isObject(components) ? componentsText(components) : "";
  return remark === undefined ? "" : String(readColumn(brief, remark) ?? "");
}

/**
 * Returns the key figures of a country, with the coverage of the risk score. The block of a missing one explains why it
 * is missing.
 */
export function keyFigures(brief: JsonObject, explanation: Explanation, layout: string, coverage: string): Html {
  const figures = keyFigureList.flatMap((figure) => {
    const text = figureText(brief, figure);
    if (text === undefined) return [];
    const own = remarkText(brief, figure, explanation);
    const remark = figure.column.startsWith("risk") ? `${own}, ${coverage}` : own;
    return [
      html`<div><dt>${figure.label}</dt><dd>${text}${remark !== "" && html` <small>${remark}</small>`}</dd></div>`,
    ];
  });
  return html`<dl class="${`figures ${layout}`}">${figures}</dl>`;
}
