import type { JsonValue } from "@bufbuild/protobuf";
import { CatalogService } from "../../../../gen/es/ids/catalog/v1/catalog_pb.ts";
import { CountryRowsSchema, type DatasetCoverage } from "../../../../gen/es/ids/catalog/v1/coverage_pb.ts";
import { type Dataset, DatasetSchema, type DatasetSource } from "../../../../gen/es/ids/catalog/v1/dataset_pb.ts";
import type { Operation } from "../../../contract/catalog.ts";
import { type Column, columnsOf } from "../../../contract/columns.ts";
import { columnUnit, labelOf } from "../../../contract/labels.ts";
import { plainMaker } from "../../../contract/plain.ts";
import { isObject } from "../../../contract/request/body.ts";
import { isNeeded } from "../../../contract/rules/field-rules.ts";
import { commentOf } from "../../../contract/schema.ts";
import { tablesOf } from "../../../contract/tables.ts";
import { lastSegment } from "../../../http/rest/path-parameters.ts";
import { type Html, html, joined } from "../../../pages/html.ts";
import { inlineMarkup } from "../../../pages/inline-markup.ts";
import { countriesByName } from "../../../reference/countries/countries.ts";
import { mapParameters } from "../../map/map-figure.ts";
import { operationNamed, readMessage } from "../../metadata.ts";
import type { PageContext, PageView } from "../../page-context.ts";
import { type Availability, catalogState, failureText, stateMarkup } from "../../view/availability.ts";
import { blockOf, provenanceOf } from "../../view/block.ts";
import { citationText } from "../../view/citation-text.ts";
import { rowsMarkup } from "../../view/data-table.ts";
import { amountText, numberText } from "../../view/figures.ts";
import { messageMarkup } from "../../view/message-view.ts";
import { ago, instant } from "../../view/times.ts";
import { countParameters } from "./counts.ts";
import { readDatasetSeries } from "./dataset-series.ts";
import { parametersOf } from "./row-request.ts";
import { rowsBlocks } from "./rows.ts";
import { scheduleText } from "./schedule-text.ts";

const meanings: Readonly<Record<string, string>> = {
  open: "Free to use and publish.",
  attribution: "Publish only under these terms, and name the source.",
  "non-commercial": "Not for commercial use. Publish only under these terms, and name the source.",
  restricted: "Not to be redistributed.",
};

function sourcesMarkup({ sources, tables }: Dataset, now: number): Html {
  return html`${sources.length === 0 && html`<p class="soft">This dataset has no own source. It is computed from other datasets, and their terms apply.</p>`}
<ul class="rows">${sources.map((source) => html`<li>${sourceMarkup(source, now)}</li>`)}</ul>
${sources.length > 0 && html`<p class="small soft"><a href="/docs/guides/sources#keys-and-permissions">Addresses of the terms</a>, as far as the service knows them.</p>`}
${sources.some(({ rowsOut }) => rowsOut !== undefined) && html`<p class="small soft">Source rows are counted as the source writes them. The dataset merges equal rows of several sources or responses, and can split a row into several.</p>`}
${
  tables.length > 0 &&
  html`<p class="small soft">Also from tables of the program: ${joined(tables.map(({ name, reviewedAt }) => name + (reviewedAt === undefined ? "" : ` (reviewed ${reviewedAt})`)))}.</p>`
}`;
}

function sourceMarkup(source: DatasetSource, now: number): Html {
  const { name, state, license, failure, rowsOut, rejected, runs, failures } = source;
  const { lastGoodAt, bytesSince, verifiedAt } = source;
  const kind = license?.kind ?? "";
  return html`<p><strong>${name}</strong> ${stateMarkup(catalogState(state))} <span class="soft">${lastGoodAt === undefined ? "never read" : html`read ${ago(Number(lastGoodAt), now)}`}</span></p>
<p>${license?.terms} <span class="tag">${kind}</span> <span class="soft small">${meanings[kind] ?? ""}</span></p>
${failure !== undefined && html`<p class="small">Last failure: ${failureText(source)}.</p>`}
<p class="soft small">${rowsOut !== undefined && `${amountText(rowsOut, "row")} of its last response accepted${rejected !== undefined && rejected > 0 ? `, ${numberText(rejected)} rejected` : ""}. `}${amountText(runs, "read")}, ${numberText(failures)} failed.</p>
${lastGoodAt !== undefined && html`<p class="soft small">${bytesSince === undefined ? "Only digests of its responses are stored." : html`Bytes of its responses are stored since ${instant(Number(bytesSince), now)}.`} ${verifiedAt === undefined ? "They were never compared with the rows." : html`They gave the same rows ${ago(Number(verifiedAt), now)}.`}</p>`}`;
}

function citationMarkup(operation: Operation): Html {
  return html`${citationText({ operation, target: operation.path })}<p>A citation has sources, terms, and the SHA-256 of the bytes. To cite filtered rows, use “Cite and embed” below them.</p>`;
}

function fieldsMarkup(operation: Operation): Html {
  const tables = tablesOf(operation);
  return html`${tables.map(
    (table) => html`${tables.length > 1 && html`<h3>${labelOf(table.name)}</h3>`}
<div class="wide" role="region" aria-label="${`Fields of ${labelOf(table.name)}`}" tabindex="0"><table class="cards"><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Unit</th><th scope="col">Meaning</th></tr></thead><tbody>${table.columns.map((column) => fieldMarkup(column, table.key.includes(column.name)))}</tbody></table></div>`,
  )}`;
}

const types: Readonly<Record<string, string>> = { bigint: "integer", json: "JSON" };

function fieldMarkup(column: Column, isKey: boolean): Html {
  const { name, type, field, unit, scale, unitFrom } = column;
  const text = field ? commentOf(field) : "Key of the row.";
  const unitText = unitFrom === "" ? columnUnit(unit, scale) : `as in ${unitFrom}`;
  return html`<tr><th scope="row"><code>${name}</code>${isKey && html` <span class="tag">key</span>`}</th><td data-label="Type">${types[type] ?? type}</td><td data-label="Unit">${unitText}</td><td class="text lines">${inlineMarkup(text)}</td></tr>\n`;
}

export function datasetParameters(operations: readonly Operation[]): readonly string[] {
  return ["op", "rows", "order", ...countParameters, ...mapParameters, ...operations.flatMap(parametersOf)];
}

export async function datasetPage(page: PageContext): Promise<PageView | undefined> {
  const name = lastSegment(page.path);
  const { response, message } = await readMessage(page.read, CatalogService.method.getDataset, { name });
  const { dataset, coverage } = message ?? {};
  if (!dataset) return undefined;
  const operations = readsOf(dataset, page);
  const wanted = page.query.get("op");
  const operation = wanted === null ? operations[0] : operations.find((each) => each.name === wanted);
  if (wanted !== null && !operation) return undefined;
  const [shown, { links, charts }] = await Promise.all([
    operation
      ? rowsBlocks({ dataset, operations, operation, page, isCountable: isCountable(operation, page) })
      : { blocks: [], pictures: [], lacking: undefined },
    readDatasetSeries(dataset, operation, page),
  ]);
  const { blocks: rows, lacking } = shown;
  const pictures = shown.pictures.length > 0 || lacking ? shown.pictures : await charts();
  const covered = { ...provenanceOf(response), isSample: dataset.origin === "sample" };
  const about = (...tables: readonly string[]) => ({ ...covered, tables });
  const explained = [
    blockOf(page, {
      id: "freshness",
      title: "Freshness",
      content: freshnessMarkup(dataset, (response.kind === "answered" && response.body.dataset) || null),
      provenance: about(),
      span: "half",
    }),
    blockOf(page, {
      id: "sources",
      title: "Sources and terms",
      content: sourcesMarkup(dataset, page.now),
      provenance: about("dataset.sources"),
      span: "half",
    }),
    blockOf(page, {
      id: "citation",
      title: "Citation",
      content: operation && citationMarkup(operation),
      provenance: undefined,
      span: "half",
    }),
    dataset.notIncluded.length > 0 &&
      blockOf(page, {
        id: "not-included",
        title: "Not included",
        content: html`<p class="small soft">After each colon: what there is instead.</p><ul>${dataset.notIncluded.map((each) => html`<li>${each}</li>`)}</ul>`,
        provenance: undefined,
        span: "half",
      }),
    coverage &&
      blockOf(page, {
        id: "coverage",
        title: "Coverage",
        content: coverageMarkup(coverage),
        provenance: covered,
        span: "half",
      }),
    operation &&
      blockOf(page, { id: "fields", title: "Fields", content: fieldsMarkup(operation), provenance: undefined }),
  ].filter((each) => each !== undefined && each !== false);
  const blocks = [...rows, ...explained, ...pictures];
  const body = html`<main id="content" tabindex="-1"><header class="top"><p class="crumbs"><a href="/data">Data</a> / ${name}</p><h1>${labelOf(name)}</h1><p class="lead">${dataset.subject} ${headStates(dataset, lacking)}</p>${links}</header>
${dataset.reason !== undefined && html`<div class="notice bad"><p>${dataset.reason}</p></div>`}
${rows.length === 0 && internalMarkup(dataset, page)}
<div class="grid">${[...pictures, ...rows, ...explained].map(({ markup }) => markup)}</div></main>`;
  const head = message && page.structuredData(message, page.origin);
  return { title: labelOf(name), description: dataset.subject, head, body, blocks };
}

/** Shows the status of the dataset. If it is good but rows are missing, the reason for that is shown too. */
function headStates({ state }: Dataset, lacking: Availability | undefined): Html {
  const own = catalogState(state);
  if (!lacking || lacking.word === "No rows") return stateMarkup(own);
  return html`${stateMarkup({ ...own, word: `Last read: ${own.word}` })} ${stateMarkup({ ...lacking, word: `Rows: ${lacking.word.toLowerCase()}` })}`;
}

function isCountable({ method, inPath }: Operation, { inputs }: PageContext): boolean {
  return inPath.length === 0 && !inputs.some((each) => each.method === method && each.lookups.length > 0);
}

/** Returns the reads of the dataset that return tables and require no scope. */
function readsOf({ operations }: Dataset, page: PageContext): readonly Operation[] {
  const shown = operations.flatMap(({ name }) => {
    const operation = operationNamed(name);
    const isShown = operation?.read && tablesOf(operation).length > 0 && operation.access.scope === "";
    return isShown && page.operations.includes(operation) ? [operation] : [];
  });
  // Operations without required parameters come first, because they need no input.
  const isRequesting = ({ method }: Operation) => Number(method.input.fields.some(isNeeded));
  return [...shown].sort((a, b) => isRequesting(a) - isRequesting(b));
}

function internalMarkup({ name, rows = 0 }: Dataset, { inputs }: PageContext) {
  const users = inputs.filter(({ datasets }) => datasets.some((each) => each.name === name));
  return html`<div class="notice"><p>This dataset holds ${amountText(rows, "row")}, which no read lists. Other responses are computed from it.${
    users.length > 0 && html` It is part of ${joined(users.slice(0, 6).map(({ method }) => method.name))}.`
  }</p></div>`;
}

/** Fields of the message that other parts of the page show. */
const shownElsewhere = [
  "name",
  "subject",
  "not_included",
  "origin",
  "reason",
  "operations",
  "series",
  "sources",
  "tables",
  "reads",
];

function freshnessMarkup({ reads }: Dataset, message: JsonValue): Html {
  const known = isObject(message) ? message : {};
  const figures = messageMarkup(
    DatasetSchema,
    { ...known, schedule: scheduleText(String(known.schedule ?? "")) },
    {
      title: "Freshness",
      omit: shownElsewhere,
      absent: "none known",
    },
  );
  return html`${figures}${reads.length > 0 && html`<p>Computed from ${joined(reads.map((name) => html`<a href="/data/${name}">${name}</a>`))}.</p>`}`;
}

const plainRows = plainMaker(CountryRowsSchema);
const rowColumns = columnsOf(CountryRowsSchema, "", ({ row }) => row, false);

function coverageMarkup({ countries, rowsWithoutCountry }: DatasetCoverage): Html {
  const sorted = [...countries].sort((a, b) => b.rows - a.rows);
  const nameless = `${amountText(rowsWithoutCountry, "row names", "rows name")} none`;
  if (sorted.length === 0) return html`<p>No country: ${nameless}.</p>`;
  const places = sorted.map((row) => ({ request: {}, response: {}, parents: [], row: plainRows(row) }));
  return html`<p class="small soft">${amountText(countries.length, "country", "countries")}${rowsWithoutCountry > 0 && `; ${nameless}`}.</p>
${rowsMarkup({ columns: rowColumns, places, caption: "Rows by country" })}${withoutRows(new Set(countries.map(({ country }) => country)))}`;
}

function withoutRows(covered: ReadonlySet<string>): Html | undefined {
  const others = countriesByName().filter(({ alpha2 }) => !covered.has(alpha2));
  if (others.length === 0) return undefined;
  const names = others.map(({ name }) => name).join(", ");
  return html`<details><summary>Countries and territories without rows: ${numberText(others.length)}</summary><p class="small">This dataset has no record of ${names}.</p></details>`;
}
