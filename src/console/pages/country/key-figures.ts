import type { GetCountryBriefResponse } from "../../../../gen/es/ids/country/v1/country_pb.ts";
import type { GetResilienceScoreExplanationResponse } from "../../../../gen/es/ids/resilience/v1/resilience_explanation_pb.ts";
import { type Html, html } from "../../../pages/html.ts";
import { compactText, numberText } from "../../view/figures.ts";
import { levelText } from "../scores.ts";

/** What a reader looks for first; a figure that is not known is left to its block to explain. */
export function keyFigures(
  { risk, resilience, conflict, outages, macro }: GetCountryBriefResponse,
  parts: GetResilienceScoreExplanationResponse | undefined,
): Html {
  const growth = macro?.growth?.realGdpGrowthPct;
  const population = macro?.labor?.populationMillions;
  const figures: readonly (readonly [label: string, text: string | undefined, note: string])[] = [
    ["Risk, 0 to 100", risk?.score && numberText(risk.score.combinedScore), ""],
    ["Resilience, 0 to 100", textOf(resilience?.overallScore), parts ? levelText(parts) : (resilience?.level ?? "")],
    ["Conflict events, 30 days", textOf(conflict?.events), ""],
    [
      "Reported deaths, 30 days",
      textOf(conflict?.fatalities === undefined ? undefined : Number(conflict.fatalities)),
      "",
    ],
    ["Internet outages, 30 days", textOf(outages?.outages), ""],
    ["GDP growth", growth === undefined ? undefined : `${numberText(growth)}%`, String(macro?.growth?.year ?? "")],
    ["Population", population === undefined ? undefined : compactText(population * 1_000_000), ""],
  ];
  const known = figures.filter(([, text]) => text !== undefined);
  return html`<dl class="figures stacked third">${known.map(
    ([label, text, note]) =>
      html`<div><dt>${label}</dt><dd>${text}${note !== "" && html` <small>${note}</small>`}</dd></div>`,
  )}</dl>`;
}

function textOf(value: number | undefined): string | undefined {
  return value === undefined ? undefined : numberText(value);
}
