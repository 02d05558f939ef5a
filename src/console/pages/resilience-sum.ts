import { labelOf } from "../../contract/labels.ts";
import { type Html, html } from "../../pages/html.ts";
import { rounded } from "../../reference/rounding.ts";
import { numberText } from "../view/figures.ts";
import type { Explanation } from "./country-figures.ts";

/** Returns the coverage of each pillar and domain of a resilience score in words, by its ID. */
export function coverages(explanation: Explanation): ReadonlyMap<string, string> {
  const parts = explanation?.pillars.flatMap((pillar) => [pillar, ...pillar.domains]) ?? [];
  return new Map(parts.map(({ id, coverage }) => [id, `coverage ${numberText(coverage)}`]));
}

/** Shows all domains of a resilience score with enough digits to compute the score again. */
export function recomputation({ overallScore, pillars }: NonNullable<Explanation>): Html {
  const ofDomains = pillars.flatMap((pillar) =>
    pillar.domains.map(({ id, score, weight, coverage }) => [
      ...[labelOf(id), labelOf(pillar.id), exact(score), exact(weight), exact(coverage)],
    ]),
  );
  const ofPillars = pillars.map(({ id, score, weight }) => [labelOf(id), exact(score), exact(weight)]);
  return html`<details class="as-table"><summary>Recompute the score</summary>
${tableMarkup("resilience-domains", ["Domain", "Pillar", "Score", "Weight", "Coverage"], ofDomains)}
${tableMarkup("resilience-pillars", ["Pillar", "Score", "Weight"], ofPillars)}
<p class="small soft">In a pillar a domain counts by weight × coverage; the weakest pillar lowers the score. By the <a href="/methodology#rules">rules</a> this comes to ${exact(overallScore)}.</p></details>`;
}

function tableMarkup(id: string, headings: readonly string[], rows: readonly (readonly string[])[]): Html {
  const firstNumber = headings.indexOf("Score");
  const kind = (column: number) => column >= firstNumber && html` class="number"`;
  return html`<div class="wide" role="region" aria-label="${`Table: ${headings[0]}s of the resilience score`}" tabindex="0"><table id="${id}" class="cards"><thead><tr>${headings.map(
    (text, column) => html`<th scope="col"${kind(column)}>${text}</th>`,
  )}</tr></thead><tbody>${rows.map(
    ([name, ...cells]) =>
      html`<tr><th scope="row">${name}</th>${cells.map((text, place) => html`<td${kind(place + 1)} data-label="${headings[place + 1]}">${text}</td>`)}</tr>\n`,
  )}</tbody></table></div>`;
}

function exact(value: number): string {
  return String(rounded(value, 6));
}
