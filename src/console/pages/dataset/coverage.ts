import type { DatasetCoverage } from "../../../../gen/es/ids/catalog/v1/coverage_pb.ts";
import { type Html, html } from "../../../pages/html.ts";
import { bar } from "../../view/bars.ts";
import { countryLink } from "../../view/data-table.ts";
import { amountText, numberText } from "../../view/figures.ts";
import { dayText } from "../../view/times.ts";

/** Rows by country: what is not listed is not covered. */
export function coverageMarkup({ countries, rowsWithoutCountry }: DatasetCoverage): Html {
  const sorted = [...countries].sort((a, b) => b.rows - a.rows);
  const nameless = `${amountText(rowsWithoutCountry, "row names", "rows name")} none`;
  if (sorted.length === 0) return html`<p>No country: ${nameless}.</p>`;
  const most = sorted[0]?.rows ?? 0;
  return html`<p class="small soft">${numberText(countries.length)} countries${rowsWithoutCountry > 0 && `; ${nameless}`}.</p>
<div class="wide scrolls short" role="region" aria-label="Table: Rows by country" tabindex="0"><table class="cards"><thead><tr><th scope="col">Country</th><th scope="col" class="number">Rows</th><th scope="col">From</th><th scope="col">To</th></tr></thead><tbody>${sorted.map(
    ({ country, rows, firstAt, lastAt }) =>
      html`<tr><th scope="row">${countryLink(country)}</th><td class="number" data-label="Rows"><span class="bar-cell">${bar(rows, most)}<span>${numberText(rows)}</span></span></td><td class="time" data-label="From">${firstAt === undefined ? "–" : dayText(Number(firstAt))}</td><td class="time" data-label="To">${lastAt === undefined ? "–" : dayText(Number(lastAt))}</td></tr>\n`,
  )}</tbody></table></div>`;
}
