import { GetCountryBriefResponseSchema } from "../../../gen/es/ids/country/v1/country_pb.ts";
import { columnsOf } from "../../contract/columns.ts";
import type { JsonObject } from "../../contract/request/body.ts";
import { type Html, html } from "../../pages/html.ts";
import { numberText, quantityText } from "../view/figures.ts";
import { levelText } from "./countries.ts";
import type { Explanation } from "./country-parts.ts";

const columns = new Map(
  columnsOf(GetCountryBriefResponseSchema, "", ({ row }) => row, true).map((column) => [column.name, column]),
);

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

export function remarkText(brief: JsonObject, { remark }: KeyFigure): string {
  return remark === undefined ? "" : String(readColumn(brief, remark) ?? "");
}

/** Returns the key figures of a country. The block of a missing one explains why it is missing. */
export function keyFigures(brief: JsonObject, explanation: Explanation, layout: string): Html {
  const figures = keyFigureList.flatMap((figure) => {
    const text = figureText(brief, figure);
    if (text === undefined) return [];
    const isExplained = figure.column.startsWith("resilience") && explanation;
    const remark = isExplained ? levelText(explanation) : remarkText(brief, figure);
    return [
      html`<div><dt>${figure.label}</dt><dd>${text}${remark !== "" && html` <small>${remark}</small>`}</dd></div>`,
    ];
  });
  return html`<dl class="${`figures ${layout}`}">${figures}</dl>`;
}
