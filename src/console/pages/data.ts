import { fromJson } from "@bufbuild/protobuf";
import { CatalogService, ListDatasetsResponseSchema } from "../../../gen/es/ids/catalog/v1/catalog_pb.ts";
import type { Dataset } from "../../../gen/es/ids/catalog/v1/dataset_pb.ts";
import { shortened } from "../../pages/all-rows.ts";
import { type Html, html } from "../../pages/html.ts";
import { operationFor } from "../facts.ts";
import type { Sections } from "../sections.ts";
import { catalogState, stateMarkup } from "../view/availability.ts";
import { blockMaker, provenanceOf } from "../view/block.ts";
import { numberText } from "../view/figures.ts";
import { labelOf } from "../view/labels.ts";
import { ago, durationText } from "../view/times.ts";
import type { MakePage, Visit } from "../visit.ts";

const listDatasets = operationFor(CatalogService.method.listDatasets);

/** `/data`: every dataset, what it is about, how it stands and whether it may be passed on. */
export function dataPage({ facts, isSample }: Sections): MakePage {
  return async (visit) => {
    const answer = await visit.read(listDatasets);
    const datasets = answer.kind === "answered" ? fromJson(ListDatasetsResponseSchema, answer.body).datasets : [];
    const list = blockMaker(
      visit,
      facts,
    )({
      id: "datasets",
      title: "Datasets",
      about: "Licenses are those of the sources: what is not open needs a look before it is published.",
      content: datasets.length > 0 ? listMarkup(datasets, visit) : undefined,
      provenance: provenanceOf(answer),
    });
    const body = html`<main id="content" tabindex="-1"><header class="top"><h1>Data</h1><p class="lead">What this service reads, how fresh it is, and under which terms. Each dataset has its table, its fields with units, and files for spreadsheets and programs.</p>${isSample && goingLive}</header>${list.markup}</main>`;
    return { title: "Data", description: "All datasets with freshness and licenses.", body, blocks: [list] };
  };
}

const goingLive = html`<p>These are samples. For real data, whoever runs the service starts it with <code>IDS_DATA=live</code>; <code>ids init</code> says which sources need a key, <code>ids doctor</code> what has been read.</p>`;

function listMarkup(datasets: readonly Dataset[], visit: Visit): Html {
  const list = (body: Html) => html`${!visit.isEmbed && findForm}
<div class="wide" role="region" aria-label="Table: Datasets" tabindex="0"><table id="dataset-list" class="cards"><thead><tr><th scope="col">Dataset</th><th scope="col">About</th><th scope="col">State</th><th scope="col">Read</th><th scope="col">Stale after</th><th scope="col" class="number">Rows</th><th scope="col">Licenses</th></tr></thead>${body}</table></div>`;
  return shortened(
    datasets.map((dataset) => rowMarkup(dataset, visit)),
    "datasets",
    list,
  );
}

const findForm = html`<form class="filters" role="search" aria-label="Page" action="/search"><span class="field wide-field"><label for="dataset">Find a dataset</label><input id="dataset" name="q" type="search" data-filters="dataset-list" placeholder="Name or subject" maxlength="60" autocomplete="off"></span><button>Find</button><span id="dataset-list-count" role="status" class="soft small"></span></form>`;

function rowMarkup({ name, subject, state, readAt, freshForSeconds, rows, sources }: Dataset, { now }: Visit): Html {
  const kinds = [...new Set(sources.map(({ license }) => license?.kind ?? ""))].filter((kind) => kind !== "");
  return html`<tr><th scope="row"><a href="/data/${name}">${labelOf(name)}</a></th><td class="text lines">${subject}</td><td data-label="State">${stateMarkup(catalogState(state))}</td><td class="time" data-label="Read">${readAt === undefined ? "never" : ago(Number(readAt), now)}</td><td class="time" data-label="Stale after">${durationText(freshForSeconds)}</td><td class="number" data-label="Rows">${rows === undefined ? "–" : numberText(rows)}</td><td data-label="Licenses">${kinds.length === 0 ? html`<span class="soft">computed</span>` : html`<div>${kinds.map((kind) => html`<span class="tag">${kind}</span> `)}</div>`}</td></tr>\n`;
}
