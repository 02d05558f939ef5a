import { CatalogService } from "../../../gen/es/ids/catalog/v1/catalog_pb.ts";
import type { Dataset } from "../../../gen/es/ids/catalog/v1/dataset_pb.ts";
import { labelOf } from "../../contract/labels.ts";
import { shortened } from "../../pages/all-rows.ts";
import { type Html, html } from "../../pages/html.ts";
import { catalogPath } from "../../standards/discovery/publisher.ts";
import { readMessage } from "../metadata.ts";
import type { PageContext, PageView } from "../page-context.ts";
import { catalogState, stateMarkup } from "../view/availability.ts";
import { blockOf, provenanceOf } from "../view/block.ts";
import { numberText } from "../view/figures.ts";
import { agoIfEver, durationText } from "../view/times.ts";

/** Creates `/data`: every dataset with its subject, status, and licenses. */
export async function dataPage(page: PageContext): Promise<PageView | undefined> {
  const { response, message } = await readMessage(page.read, CatalogService.method.listDatasets);
  const datasets = message?.datasets ?? [];
  const list = blockOf(page, {
    id: "datasets",
    title: "Datasets",
    about: "The licenses are those of the sources. Check every license that isn't open before you publish data.",
    content: datasets.length > 0 ? listMarkup(datasets, page) : undefined,
    provenance: provenanceOf(response),
  });
  const body = html`<main id="content" tabindex="-1"><header class="top"><h1>Data</h1><p class="lead">What this service reads, how fresh it is, and under which terms. Each dataset has its table, its fields with units, and files for spreadsheets and programs.</p>${page.isSample && goingLive}</header>${list.markup}</main>`;
  const head = html`<link rel="alternate" type="application/ld+json" href="${catalogPath}">`;
  return { title: "Data", description: "All datasets with freshness and licenses.", head, body, blocks: [list] };
}

const goingLive = html`<p>These are samples. For real data, the operator starts the service with <code>IDS_DATA=live</code>. <code>ids init</code> shows which sources need a key, and <code>ids doctor</code> shows what was read. <a href="/docs/guides/going-live">All steps</a></p>`;

function listMarkup(datasets: readonly Dataset[], page: PageContext): Html {
  const kindsOf = ({ sources }: Dataset) =>
    [...new Set(sources.map(({ license }) => license?.kind ?? ""))].filter((kind) => kind !== "");
  return html`${!page.isEmbed && findForm}${datasetTable(datasets, page.now, {
    id: "dataset-list",
    head: html`<th scope="col">About</th><th scope="col">Licenses</th>`,
    cells: (dataset) =>
      html`<td class="text lines">${dataset.subject}</td><td data-label="Licenses">${kindsOf(dataset).length === 0 ? html`<span class="soft">computed</span>` : html`<div>${kindsOf(dataset).map((kind) => html`<span class="tag">${kind}</span> `)}</div>`}</td>`,
  })}`;
}

const findForm = html`<form class="filters" role="search" aria-label="Page" action="/search"><span class="field wide-field"><label for="dataset">Find a dataset</label><input id="dataset" name="q" type="search" data-filters="dataset-list" placeholder="Name or subject" maxlength="60" autocomplete="off"></span><button>Find</button><span id="dataset-list-count" role="status" class="soft small"></span></form>`;

interface MoreColumns {
  readonly id?: string;
  readonly head: Html | undefined;
  readonly cells: (dataset: Dataset) => Html | undefined;
}

/** Lists datasets with their state, and further columns that the page adds. */
export function datasetTable(datasets: readonly Dataset[], now: number, { id, head, cells }: MoreColumns): Html {
  const table = (body: Html) =>
    html`<div class="wide" role="region" aria-label="Table: Datasets" tabindex="0"><table${id !== undefined && html` id="${id}"`} class="cards"><thead><tr><th scope="col">Dataset</th><th scope="col">State</th><th scope="col">Read</th><th scope="col">Stale after</th><th scope="col" class="number">Rows</th>${head}</tr></thead>${body}</table></div>`;
  const rows = datasets.map((dataset) => {
    const { name, state, readAt, freshForSeconds, rows: count } = dataset;
    return html`<tr><th scope="row"><a href="/data/${name}">${labelOf(name)}</a></th><td data-label="State">${stateMarkup(catalogState(state))}</td><td class="time" data-label="Read">${agoIfEver(readAt, now)}</td><td class="time" data-label="Stale after">${durationText(freshForSeconds)}</td><td class="number" data-label="Rows">${count === undefined ? "–" : numberText(count)}</td>${cells(dataset)}</tr>\n`;
  });
  return shortened(rows, "datasets", table);
}
