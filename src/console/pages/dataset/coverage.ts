import type { DatasetCoverage } from "../../../../gen/es/ids/catalog/v1/coverage_pb.ts";
import { type Html, html } from "../../../pages/html.ts";
import { countries as allCountries } from "../../../reference/countries/countries.ts";
import { bar } from "../../view/bars.ts";
import { countryLink } from "../../view/data-table.ts";
import { amountText, numberText } from "../../view/figures.ts";
import { dayText } from "../../view/times.ts";

/** Rows by country, and the countries without any. */
export function coverageMarkup({ countries, rowsWithoutCountry }: DatasetCoverage): Html {
  const sorted = [...countries].sort((a, b) => b.rows - a.rows);
  const nameless = `${amountText(rowsWithoutCountry, "row names", "rows name")} none`;
  if (sorted.length === 0) return html`<p>No country: ${nameless}.</p>`;
  const most = sorted[0]?.rows ?? 0;
  return html`<p class="small soft">${amountText(countries.length, "country", "countries")}${rowsWithoutCountry > 0 && `; ${nameless}`}.</p>
<div class="wide scrolls short" role="region" aria-label="Table: Rows by country" tabindex="0"><table class="cards"><thead><tr><th scope="col">Country</th><th scope="col" class="number">Rows</th><th scope="col">From</th><th scope="col">To</th></tr></thead><tbody>${sorted.map(
    ({ country, rows, firstAt, lastAt }) =>
      html`<tr><th scope="row">${countryLink(country)}</th><td class="number" data-label="Rows"><span class="bar-cell">${bar(rows, most)}<span>${numberText(rows)}</span></span></td><td class="time" data-label="From">${firstAt === undefined ? "–" : dayText(Number(firstAt))}</td><td class="time" data-label="To">${lastAt === undefined ? "–" : dayText(Number(lastAt))}</td></tr>\n`,
  )}</tbody></table></div>${withoutRows(new Set(countries.map(({ country }) => country)))}`;
}

function withoutRows(covered: ReadonlySet<string>): Html | undefined {
  const others = [...allCountries.values()].filter(({ alpha2 }) => !covered.has(alpha2)).map(({ name }) => name);
  if (others.length === 0) return undefined;
  const names = others.sort((a, b) => a.localeCompare(b, "en")).join(", ");
  return html`<details><summary>Countries and territories without rows: ${numberText(others.length)}</summary><p class="small">Nothing is on record of them here: ${names}.</p></details>`;
}
