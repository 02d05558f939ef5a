import { type Html, type HtmlValue, html } from "../../pages/html.ts";
import { evenly } from "./figures.ts";

/** Shows a value between 0 and `max` as a bar. `kind` selects its color. The number is next to it. */
export function bar(value: number, max: number, kind: "risk" | "calm" | "plain" = "plain"): Html {
  const width = Math.round(Math.max(0, Math.min(1, max === 0 ? 0 : value / max)) * 1000) / 10;
  return html`<svg class="bar ${kind}" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect width="${width}" height="8"/></svg>`;
}

export interface BarRow {
  readonly label: HtmlValue;
  /** Absent if it is unknown, which is shown as a dash without a bar. */
  readonly value: number | undefined;
  readonly text?: string;
}

export function bars(rows: readonly BarRow[], max: number, kind: "risk" | "calm" | "plain" = "plain", unit = ""): Html {
  const text = evenly(rows.flatMap(({ value }) => value ?? []));
  return html`<div class="bars">${rows.map(
    ({ label, value, text: own }) =>
      html`<span>${label}</span>${value === undefined ? html`<span></span>` : bar(value, max, kind)}<span class="value">${value === undefined ? "–" : (own ?? text(value) + unit)}</span>`,
  )}</div>`;
}
