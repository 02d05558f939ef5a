import { IntelligenceService } from "../../../../gen/es/ids/intelligence/v1/intelligence_pb.ts";
import {
  type GetRiskScoreExplanationResponse,
  GetRiskScoreExplanationResponseSchema,
  type RiskInput,
  type RiskTerm,
} from "../../../../gen/es/ids/intelligence/v1/risk_explanation_pb.ts";
import { plainMaker } from "../../../contract/plain.ts";
import { ConfigurationError } from "../../../errors.ts";
import { rounded } from "../../../reference/rounding.ts";
import { minuteText, serviceClient } from "../../client/account-client.ts";
import { table } from "../../table.ts";
import type { Terminal } from "../../terminal.ts";
import { type Output, print } from "../keys.ts";

export async function explainRisk(terminal: Terminal, region: string, { json }: Output): Promise<void> {
  const client = serviceClient(terminal, IntelligenceService);
  const explanation = await client.getRiskScoreExplanation({ region: region.toUpperCase() });
  if (!explanation.scored) throw new ConfigurationError(`${explanation.region} is not a scored country`);
  if (json) print(terminal, plainMaker(GetRiskScoreExplanationResponseSchema)(explanation));
  else terminal.out.write(explanationText(terminal.out, explanation));
}

const headings = ["part", "input", "value", "source", "observed", "read", "formula", "points", "cap", "counts"];

function explanationText(out: Terminal["out"], explanation: GetRiskScoreExplanationResponse): string {
  const { region, methodologyVersion, computedAt, eventMultiplier, missingInputs, stale, components } = explanation;
  const state = [
    ...(stale ? ["stale"] : []),
    ...(missingInputs.length > 0 ? [`without ${missingInputs.join(", ")}`] : []),
  ];
  const rows = [
    ...components.flatMap(({ name, terms }) => terms.flatMap((term) => termRows(name, term))),
    ...explanation.additions.flatMap((term) => termRows("addition", term)),
    ...explanation.floors.flatMap(({ name, condition: status, score, holds, inputs }) =>
      rowsOf(`floor: ${name}`, inputs, [status, "", "", holds ? String(score) : "-"]),
    ),
  ];
  return [
    `${region}, methodology ${methodologyVersion}, ${minuteText(computedAt)}, event multiplier m = ${eventMultiplier}\n`,
    ...(state.length > 0 ? [`Degraded: ${state.join("; ")}\n`] : []),
    `\n${table(out, headings, rows)}\n`,
    table(out, ["sum", "", "points"], sumOf(explanation)),
  ].join("");
}

function sumOf(explanation: GetRiskScoreExplanationResponse): string[][] {
  const { staticBaseline, baselineWeight, eventWeight, components, additions, floors, earlier } = explanation;
  const floor = Math.max(0, ...floors.filter(({ holds }) => holds).map(({ score }) => score));
  return [
    ["baseline", `${baselineWeight} × ${staticBaseline}`, number(baselineWeight * staticBaseline)],
    ...components.map(({ name, weight, score }) => [
      name,
      `${eventWeight} × ${weight} × ${score}`,
      number(eventWeight * weight * score),
    ]),
    ["additions", "", number(additions.reduce((sum, { points, cap }) => sum + Math.min(points, cap), 0))],
    ["blended", "", number(explanation.blendedScore)],
    ["floor", "", number(floor)],
    ["score", "", number(explanation.combinedScore)],
    earlier
      ? ["24 hours earlier", minuteText(earlier.at), number(earlier.combinedScore)]
      : ["24 hours earlier", "no valid snapshot", ""],
    ["change", "", number(explanation.dynamicScore)],
  ];
}

function termRows(part: string, { name, formula, inputs, points, cap }: RiskTerm): string[][] {
  return rowsOf(`${part}: ${name}`, inputs, [formula, number(points), number(cap), number(Math.min(points, cap))]);
}

/** Returns a row per input. The first row contains the values of the whole part. */
function rowsOf(part: string, inputs: readonly RiskInput[], rest: readonly string[]): string[][] {
  return inputs.map(({ name, value, state, source, observedAt, fetchedAt, countedFrom }, place) => [
    place === 0 ? part : "",
    name,
    `${number(value)}${["measured", "derived"].includes(state) ? "" : ` (${state})`}${countedFrom && ` since ${countedFrom}`}`,
    source,
    observedAt,
    fetchedAt.slice(0, 16),
    ...(place === 0 ? rest : []),
  ]);
}

function number(value: number): string {
  return String(rounded(value, 2));
}
