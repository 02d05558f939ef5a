import { type Html, html } from "../../pages/html.ts";
import { evenly, numberText } from "./figures.ts";
import type { ChartLine, ChartPoint } from "./line-chart.ts";
import { instantText } from "./times.ts";

/** Rows shown: files have all of them. */
const maxRows = 400;
/** More lines than these are cards on a phone. */
const linesOnPhone = 2;

/** The values of a chart as a table, newest first. */
export function pointsTable(lines: readonly ChartLine[], title: string, unit: string): Html {
  const texts = lines.map(({ points }) => evenly(points.flatMap(({ value }) => value ?? [])));
  const values = lines.map(({ points }) => new Map(points.map((point) => [point.at, point])));
  const instants = [...new Set(lines.flatMap(({ points }) => points.map(({ at }) => at)))].sort((a, b) => b - a);
  return html`<details class="as-table"><summary>Values as a table</summary>
<div class="wide scrolls" role="region" aria-label="${`Table: Values of ${title}`}" tabindex="0"><table${lines.length > linesOnPhone && html` class="cards"`}><thead><tr><th scope="col">Time (UTC)</th>${lines.map(
    ({ label }) =>
      html`<th scope="col" class="number">${label}${unit !== "" && html`<span class="unit">${unit}</span>`}</th>`,
  )}</tr></thead><tbody>${instants
    .slice(0, maxRows)
    .map(
      (at) =>
        html`<tr><td class="time">${instantText(at)}</td>${values.map((own, line) => valueCell(lines[line]?.label, texts[line], own.get(at)))}</tr>\n`,
    )}</tbody></table></div>
${instants.length > maxRows && html`<p class="small soft">The newest ${maxRows} of ${numberText(instants.length)} times; downloads have all of them.</p>`}</details>`;
}

function valueCell(label = "", text = numberText, { value, isPartial }: Partial<ChartPoint> = {}): Html {
  return value === undefined
    ? html`<td class="number unknown" data-label="${label}">–<span class="unseen"> unknown</span></td>`
    : html`<td class="number" data-label="${label}">${text(value)}${isPartial && html` <span class="small soft">so far</span>`}</td>`;
}
