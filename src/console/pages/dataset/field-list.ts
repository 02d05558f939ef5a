import type { Operation } from "../../../contract/catalog.ts";
import type { Column } from "../../../contract/columns.ts";
import { described } from "../../../contract/schema.ts";
import { tablesOf } from "../../../contract/tables.ts";
import { type Html, html } from "../../../pages/html.ts";
import { inlineMarkup } from "../../../pages/reference/markup/block-markup.ts";
import { columnUnit } from "../../view/figures.ts";
import { labelOf } from "../../view/labels.ts";

/** What each column means, with its unit and when it is unknown: the contract's own words. */
export function fieldsMarkup(operation: Operation): Html {
  const tables = tablesOf(operation);
  return html`${tables.map(
    (table) => html`${tables.length > 1 && html`<h3>${labelOf(table.name)}</h3>`}
<div class="wide" role="region" aria-label="${`Fields of ${labelOf(table.name)}`}" tabindex="0"><table class="cards"><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Unit</th><th scope="col">Meaning</th></tr></thead><tbody>${table.columns.map((column) => fieldMarkup(column, table.key.includes(column.name)))}</tbody></table></div>`,
  )}`;
}

const types: Readonly<Record<string, string>> = { bigint: "integer", json: "JSON" };

function fieldMarkup(column: Column, isKey: boolean): Html {
  const { name, type, field, unit, scale, unitFrom } = column;
  const text = field ? (described(`${field.parent.typeName}.${field.name}`).description ?? "") : "Key of the row.";
  const unitText = unitFrom === "" ? columnUnit(unit, scale) : `as in ${unitFrom}`;
  return html`<tr><th scope="row"><code>${name}</code>${isKey && html` <span class="tag">key</span>`}</th><td data-label="Type">${types[type] ?? type}</td><td data-label="Unit">${unitText}</td><td class="text lines">${inlineMarkup(text)}</td></tr>\n`;
}
