import { unitText } from "../../contract/labels.ts";
import { type Html, type HtmlValue, html } from "../../pages/html.ts";

const plain = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });
const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const even1 = new Intl.NumberFormat("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const even2 = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const small = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
const rough = new Intl.NumberFormat("en", {
  notation: "compact",
  compactDisplay: "long",
  maximumSignificantDigits: 3,
});
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** Formats a number with a true minus sign, which is as wide as a plus. */
function signedText(format: Intl.NumberFormat, value: number): string {
  return format.format(value).replace("-", "−");
}

export function numberText(value: number): string {
  if (value !== 0 && Math.abs(value) < 0.1) return signedText(small, value);
  return signedText(Math.abs(value) >= 10_000 ? whole : plain, value);
}

/** Returns `about USD 1.58 billion`, for results of models, which are not as exact as their numbers. */
export function aboutText(value: number, currency: string): string {
  return value === 0 ? `${currency} 0` : `about ${currency} ${signedText(rough, value)}`;
}

/**
 * Returns a function that formats all numbers with the same decimals. If it would show a number as 0, each number gets
 * as many decimals as it needs.
 */
export function evenly(values: readonly number[]): (value: number) => string {
  const max = maxDecimals(values);
  const isSmall = (value: number) => value !== 0 && Math.abs(value) < 0.01;
  const isOfSmall = max > 2 && (values.some(isSmall) || values.every((value) => Math.abs(value) < 1));
  if (max === 0 || isOfSmall) return numberText;
  return (value) => signedText(max === 1 ? even1 : even2, value);
}

/** Returns the maximum number of decimals, which is above two only for small numbers. */
function maxDecimals(values: readonly number[]): number {
  const enough = values.some((value) => value !== 0 && Math.abs(value) < 0.1) ? Number.POSITIVE_INFINITY : 2;
  let max = 0;
  for (const value of values) {
    if (max >= enough) break;
    max = Math.max(max, numberText(value).split(".")[1]?.length ?? 0);
  }
  return max;
}

/** Returns `1 row`, `12,300 rows`, or `2 entries`. */
export function amountText(count: number, one: string, more = `${one}s`): string {
  return `${numberText(count)} ${count === 1 ? one : more}`;
}

/** Returns `28.5B`, for axes and headlines. */
export function compactText(value: number): string {
  return Math.abs(value) >= 10_000 ? signedText(compact, value) : numberText(value);
}

/** Formats a number with its unit: `12.5%`, `46.9% of GDP`, `$28.5B`. */
export function quantityText(value: number, unit: string, scale = 1): string {
  const text = compactText(value * scale);
  if (unit === "USD") return text.startsWith("−") ? `−$${text.slice(1)}` : `$${text}`;
  if (unit.startsWith("%")) return `${text}${unitText(unit)}`;
  return unit === "" ? text : `${text} ${unitText(unit)}`;
}

/** Shows a value between 0 and `max` as a bar. `kind` selects its color. The number is next to it. */
export function bar(value: number, max: number, kind: "risk" | "calm" | "plain" = "plain"): Html {
  const width = Math.round(Math.max(0, Math.min(1, max === 0 ? 0 : value / max)) * 1000) / 10;
  return html`<svg class="bar ${kind}" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect width="${width}" height="8"/></svg>`;
}

/** Stands for an unknown value in a table. */
export const unknown = html`–<span class="unseen"> unknown</span>`;

/** Shows a value from 0 to 100 as a bar next to its text. */
export function barCell(value: number, kind: "risk" | "calm", text: string): Html {
  return html`<span class="bar-cell">${bar(value, 100, kind)}<span>${text}</span></span>`;
}

export interface BarRow {
  readonly label: HtmlValue;
  /** The value; undefined if it is unknown, which is shown as a dash without a bar. */
  readonly value: number | undefined;
}

export function bars(rows: readonly BarRow[], max: number, kind: "risk" | "calm" | "plain" = "plain", unit = ""): Html {
  const text = evenly(rows.flatMap(({ value }) => value ?? []));
  return html`<div class="bars">${rows.map(
    ({ label, value }) =>
      html`<span>${label}</span>${value === undefined ? html`<span></span>` : bar(value, max, kind)}<span class="value">${value === undefined ? "–" : text(value) + unit}</span>`,
  )}</div>`;
}

/** Returns an item for a list of key figures, with a remark next to the value. */
export function keyFigure(label: HtmlValue, value: string, remark: string): Html {
  return html`<div><dt>${label}</dt><dd>${value}${remark !== "" && html` <small>${remark}</small>`}</dd></div>`;
}
