import { IntelligenceService } from "../../../gen/es/ids/intelligence/v1/intelligence_pb.ts";
import { lowerLabelOf } from "../../contract/labels.ts";
import { type Html, html } from "../../pages/html.ts";
import { readMessage } from "../metadata.ts";
import type { PageContext } from "../page-context.ts";
import { numberText } from "../view/figures.ts";
import { dailySeries } from "./series/series-read.ts";

/** Contributions to a score are shown only if they are from this number of last days. */
const maxAgeDays = 7;
/** Maximum number of contributions that are named. The others are one summand. */
const maxNamed = 5;
/** Maximum value of a score, which the sum of its contributions can exceed. */
const maxScore = 100;

/**
 * Returns a risk score as the sum of its contributions, such as `79 = baseline 20 + conflict 14 + others 45`. Undefined
 * if the contributions are unknown or belong to another value.
 */
export async function scoreSum(page: PageContext, code: string, score: number | undefined): Promise<Html | undefined> {
  if (score === undefined) return undefined;
  const { lines } = await dailySeries(page, "risk.contribution", [code], maxAgeDays);
  const last = Math.max(...lines.flatMap(({ points }) => points.map(({ at }) => at)));
  const parts = lines.flatMap(({ key, points }) => {
    const value = points.find(({ at }) => at === last)?.value;
    return value === undefined ? [] : [{ name: key.split("/").slice(1).join(" "), value }];
  });
  const sum = parts.reduce((total, { value }) => total + value, 0);
  return Math.abs(Math.min(maxScore, sum) - score) > 1 ? undefined : html`${sumText(score, parts)}`;
}

interface Contribution {
  readonly name: string;
  readonly value: number;
}

/** Returns the sum as text. The last summand includes the effects of rounding and the maximum, so it is exact. */
function sumText(score: number, parts: readonly Contribution[]): string {
  const sorted = parts.map(({ name, value }) => ({ name, value: Math.round(value) }));
  const named = sorted
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value)
    .slice(0, maxNamed);
  const rest = Math.round(score) - named.reduce((total, { value }) => total + value, 0);
  const texts = named.map(({ name, value }) => `${name} ${numberText(value)}`);
  const last = rest > 0 ? ` + others ${rest}` : rest < 0 ? ` − limit of ${maxScore} and rounding ${-rest}` : "";
  return `${Math.round(score)} = ${texts.join(" + ")}${last}`;
}

const { getRiskScoreExplanation } = IntelligenceService.method;

/** Describes the largest component of a risk score: terms, inputs, and sources of inputs that no page lists. */
export async function largestComponent({ read, inputs }: PageContext, region: string) {
  const { message } = await readMessage(read, getRiskScoreExplanation, { region });
  const [largest] = (message?.components ?? []).toSorted((a, b) => b.weight * b.score - a.weight * a.score);
  if (!largest || largest.score === 0) return undefined;
  const terms = largest.terms.filter(({ points }) => points > 0);
  const texts = terms.map(
    ({ name, points, cap }) =>
      `${lowerLabelOf(name)} ${Math.round(Math.min(points, cap))}${points < cap ? "" : " (its limit)"}`,
  );
  const known = terms.flatMap((term) => term.inputs).filter(({ state, value }) => state === "measured" && value > 0);
  const values = new Set(known.map(({ name, value }) => `${lowerLabelOf(name)} ${numberText(value)}`));
  const own = inputs.find(({ method }) => method === getRiskScoreExplanation)?.datasets[0];
  const others = inputs.flatMap(({ datasets }) => datasets).filter((each) => each !== own && each.serves.length > 0);
  const listed = new Set(others.flatMap(({ sources }) => sources.map(({ name }) => name)));
  const unlisted = new Set(known.map(({ source }) => source)).difference(listed);
  const isWeighted = known.some(({ value }) => !Number.isInteger(value));
  return html`. Largest component: ${largest.name} ${numberText(largest.score)} of ${maxScore}, from ${texts.join(", ")}.${
    values.size > 0 && ` Inputs${isWeighted ? ", older events counted less" : ""}: ${[...values].join(", ")}.`
  }${unlisted.size > 0 && ` No page lists the single records of ${[...unlisted].join(", ")}.`}`;
}
