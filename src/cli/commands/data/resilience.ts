import {
  type ExplainedDimension,
  type ExplainedIndicator,
  type GetResilienceScoreExplanationResponse,
  GetResilienceScoreExplanationResponseSchema,
} from "../../../../gen/es/ids/resilience/v1/resilience_explanation_pb.ts";
import { ResilienceService } from "../../../../gen/es/ids/resilience/v1/resilience_pb.ts";
import { plainMaker } from "../../../contract/plain.ts";
import { rounded } from "../../../reference/rounding.ts";
import { serviceClient } from "../../client/account-client.ts";
import { table } from "../../table.ts";
import type { Terminal } from "../../terminal.ts";
import { type Output, print } from "../keys.ts";

export async function explainResilience(terminal: Terminal, country: string, { json }: Output): Promise<void> {
  const client = serviceClient(terminal, ResilienceService);
  const explanation = await client.getResilienceScoreExplanation({ countryCode: country.toUpperCase() });
  if (json) print(terminal, plainMaker(GetResilienceScoreExplanationResponseSchema)(explanation));
  else terminal.out.write(explanationText(terminal.out, explanation));
}

const headings = ["dimension", "indicator", "value", "score", "weight", "certainty", "input", "of", "source", "scale"];

function explanationText(out: Terminal["out"], explanation: GetResilienceScoreExplanationResponse): string {
  const { countryCode, methodologyVersion, computedAt, pillars, level, overallCoverage, imputationShare } = explanation;
  if (computedAt === "") return `${countryCode}, methodology ${methodologyVersion}: not computed yet\n`;
  const dimensions = pillars.flatMap(({ domains }) => domains.flatMap((domain) => domain.dimensions));
  return [
    `${countryCode}, methodology ${methodologyVersion}, ${computedAt}, level ${level}\n`,
    `Coverage ${number(overallCoverage)}, imputed ${number(imputationShare)}, `,
    `${explanation.lowConfidence ? "low confidence" : "confident"}, `,
    `${explanation.headlineEligible ? "ranked" : "not ranked"}\n`,
    `\n${table(out, headings, dimensions.flatMap(dimensionRows))}\n`,
    table(out, ["sum", "share", "coverage", "score"], sumOf(explanation)),
  ].join("");
}

/** Returns a row per indicator and input. The first row contains the values of the whole dimension. */
function dimensionRows(dimension: ExplainedDimension): string[][] {
  const { id, score, coverage, retired, imputation, indicators } = dimension;
  const state = retired ? " (retired)" : imputation === "" ? "" : ` (${imputation})`;
  const head = [id + state, "", "", number(score), "", number(coverage)];
  return [head, ...indicators.flatMap(indicatorRows)];
}

function indicatorRows({
  id,
  value,
  score,
  weight,
  factor,
  certainty,
  scale,
  formula,
  imputation,
  missing,
  inputs,
}: ExplainedIndicator): string[][] {
  const why = missing || imputation || (score === undefined ? "unknown" : "");
  const head = [
    ...["", id, value === undefined ? "-" : number(value), score === undefined ? "-" : number(score)],
    ...[factor === 1 ? number(weight) : `${number(weight)} × ${number(factor)}`, number(certainty)],
  ];
  const scaleText = formula === "" ? scale : `${formula}; ${scale}`;
  if (inputs.length === 0) return [[...head, why, "", "", scaleText]];
  return inputs.map(({ name, value: read, period, source, series }, place) => [
    ...(place === 0 ? head : head.map(() => "")),
    ...[`${name} ${number(read)}`, period, `${source} ${series}`, place === 0 ? scaleText : ""],
  ]);
}

function sumOf({ pillars, penalty, overallScore }: GetResilienceScoreExplanationResponse): string[][] {
  const covered = pillars.filter(({ coverage }) => coverage > 0);
  const weight = covered.reduce((sum, pillar) => sum + pillar.weight, 0);
  const mean = weight === 0 ? 0 : covered.reduce((sum, { score, weight: own }) => sum + score * own, 0) / weight;
  const weakest = covered.length === 0 ? 0 : Math.min(...covered.map(({ score }) => score));
  return [
    ...pillars.flatMap(({ id, score, weight: share, coverage, domains }) => [
      ...domains.map((domain) => [
        `  ${domain.id}`,
        number(domain.weight),
        number(domain.coverage),
        number(domain.score),
      ]),
      [id, number(share), number(coverage), number(score)],
    ]),
    ["mean", "", "", number(mean)],
    ["weakest", `1 − ${penalty} × (1 − ${number(weakest)} / 100)`, "", number(weakest)],
    ["score", "", "", number(overallScore)],
  ];
}

function number(value: number): string {
  return String(rounded(value, 4));
}
