import { type Html, type HtmlValue, html } from "../../pages/html.ts";
import { evenly } from "./figures.ts";

/** A value between 0 and `most` as a bar; `kind` chooses its color. The number stands beside it. */
export function bar(value: number, max: number, kind: "risk" | "calm" | "plain" = "plain"): Html {
  const width = Math.round(Math.max(0, Math.min(1, max === 0 ? 0 : value / max)) * 1000) / 10;
  return html`<svg class="bar ${kind}" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect width="${width}" height="8"/></svg>`;
}

export interface BarRow {
  readonly label: HtmlValue;
  /** Absent: unknown, which is told by a dash and drawn as no bar. */
  readonly value: number | undefined;
  readonly text?: string;
}

/** Named values as bars from one baseline. */
export function bars(rows: readonly BarRow[], max: number, kind: "risk" | "calm" | "plain" = "plain", unit = ""): Html {
  const text = evenly(rows.flatMap(({ value }) => value ?? []));
  return html`<div class="bars">${rows.map(
    ({ label, value, text: own }) =>
      html`<span>${label}</span>${value === undefined ? html`<span></span>` : bar(value, max, kind)}<span class="value">${value === undefined ? "–" : (own ?? text(value) + unit)}</span>`,
  )}</div>`;
}
