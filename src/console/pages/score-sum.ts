import { type Html, html } from "../../pages/html.ts";
import type { PageContext } from "../page-context.ts";
import { numberText } from "../view/figures.ts";
import { dayBefore, readSeries } from "./series/series-read.ts";

/** Days in which the last contributions of a score are. */
const maxAgeDays = 7;
/** Maximum number of contributions that are named. The others are one summand. */
const maxNamed = 5;
/** Maximum value of a score, which the sum of its contributions can exceed. */
const maxScore = 100;

/**
 * Returns a score as the sum of its contributions, such as `79 = baseline 20 + conflict 14 + others 45`. Undefined if
 * the contributions are unknown or those of another score.
 */
export async function scoreSum(
  page: PageContext,
  { series, code, score }: { readonly series: string; readonly code: string; readonly score: number | undefined },
): Promise<Html | undefined> {
  if (score === undefined) return undefined;
  const from = dayBefore(page, maxAgeDays);
  const { lines } = await readSeries(page, { series, keys: code, from, interval: "day" });
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

/** The last summand includes what rounding and the limit of the score change, so that the sum is exact. */
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
