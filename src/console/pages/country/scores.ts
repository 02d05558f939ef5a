import { IntelligenceService } from "../../../../gen/es/ids/intelligence/v1/intelligence_pb.ts";
import type { GetResilienceScoreExplanationResponse } from "../../../../gen/es/ids/resilience/v1/resilience_explanation_pb.ts";
import type { Operation } from "../../../contract/catalog.ts";
import { type Html, html } from "../../../pages/html.ts";
import { operationFor } from "../../metadata.ts";
import type { Block } from "../../page-context.ts";
import { bars } from "../../view/bars.ts";
import { numberText } from "../../view/figures.ts";
import { labelOf } from "../../view/labels.ts";
import { lineChart } from "../../view/line-chart.ts";
import type { SeriesRead } from "../series/series-read.ts";
import { type BriefView, partBlock } from "./part-block.ts";
import { coverageOf, explanation, partsMarkup } from "./resilience-parts.ts";

const riskExplanation = operationFor(IntelligenceService.method.getRiskScoreExplanation);

export function riskBlock(view: BriefView, series: SeriesRead): Block {
  const { brief, country } = view;
  const score = brief.risk?.score;
  return partBlock(view, {
    id: "risk",
    title: "Risk",
    about: html`Instability from 0 (stable) to 100. <a href="/series/risk.score?keys=${country.alpha2}">Compare over time</a>`,
    state: brief.risk?.state,
    content:
      () => html`${series.lines.length > 0 && lineChart({ lines: series.lines, title: `Risk of ${country.name}`, unit: "", height: 160 })}
${
  score?.components &&
  bars(
    [
      {
        label: labelOf("geoConvergence"),
        value: known(score.components.hasGeoConvergence, score.components.geoConvergence),
      },
      {
        label: labelOf("ciiContribution"),
        value: known(score.components.hasCiiContribution, score.components.ciiContribution),
      },
      { label: labelOf("newsActivity"), value: known(score.components.hasNewsActivity, score.components.newsActivity) },
      {
        label: labelOf("militaryActivity"),
        value: known(score.components.hasMilitaryActivity, score.components.militaryActivity),
      },
    ],
    100,
    "risk",
  )
}
<p class="small soft">${score && `Travel advice: ${score.advisoryLevel.replaceAll("-", " ") || "not known"}. Method ${score.methodologyVersion}. `}<a href="/methodology#risk">How the score is computed</a> · ${valuesLink(view, riskExplanation, { region: country.alpha2 })}</p>`,
  });
}

export function resilienceBlock(
  view: BriefView,
  series: SeriesRead,
  parts: GetResilienceScoreExplanationResponse | undefined,
): Block {
  const { brief, country } = view;
  const part = brief.resilience;
  const coverages = coverageOf(parts);
  const labelled = (id: string) => {
    const coverage = coverages.get(id);
    return html`${labelOf(id)}${coverage !== undefined && html` <span class="soft">coverage ${numberText(coverage)}</span>`}`;
  };
  return partBlock(view, {
    id: "resilience",
    title: "Resilience",
    about: html`How well shocks are absorbed, 0 to 100. <a href="/series/resilience.score?keys=${country.alpha2}">Compare over time</a>`,
    state: part?.state,
    content:
      () => html`${series.lines.length > 0 && lineChart({ lines: series.lines, title: `Resilience of ${country.name}`, unit: "", height: 160 })}
${bars(
  (part?.domains ?? []).map(({ id, score }) => ({ label: labelled(id), value: score })),
  100,
  "calm",
)}
${parts && partsMarkup(parts)}
<p class="small soft">${part?.change30d !== undefined && `Change over 30 days: ${numberText(part.change30d)}. `}${part?.lowConfidence === true && "Little is known: low confidence. "}<a href="/methodology#resilience">How the score is computed</a> · ${valuesLink(view, explanation, { country_code: country.alpha2 })}</p>`,
  });
}

function valuesLink({ metadata }: BriefView, operation: Operation, request: Readonly<Record<string, string>>): Html {
  const query = new URLSearchParams({ op: operation.name, ...request });
  return html`<a href="${metadata.pageOf(operation) ?? ""}?${query}#rows">Every value behind it</a>`;
}

/** Returns undefined for a value of 0 that was not measured. */
function known(isMeasured: boolean, value: number): number | undefined {
  return isMeasured ? value : undefined;
}
