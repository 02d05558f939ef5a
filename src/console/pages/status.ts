import { fromJson } from "@bufbuild/protobuf";
import { CatalogService, ListDatasetsResponseSchema } from "../../../gen/es/ids/catalog/v1/catalog_pb.ts";
import type { Dataset } from "../../../gen/es/ids/catalog/v1/dataset_pb.ts";
import { type Change, ChangesService, ListChangesResponseSchema } from "../../../gen/es/ids/changes/v1/changes_pb.ts";
import { type Html, html } from "../../pages/html.ts";
import { operationFor } from "../facts.ts";
import type { ReadAnswer } from "../reads.ts";
import type { Sections } from "../sections.ts";
import { catalogState, stateMarkup } from "../view/availability.ts";
import { blockMaker, provenanceOf } from "../view/block.ts";
import { labelOf, numberText } from "../view/figures.ts";
import { ago, durationText } from "../view/times.ts";
import type { MakePage, Visit } from "../visit.ts";
import { type Span, spansOf, timeline } from "./status-timeline.ts";

const listDatasets = operationFor(CatalogService.method.listDatasets);
const listChanges = operationFor(ChangesService.method.listChanges);

/** `/status`: health as people read it, by dataset and source, with the days that are kept. */
export function statusPage({ facts, isSample }: Sections): MakePage {
  return async (visit) => {
    const [listed, logged] = await Promise.all([
      visit.read(listDatasets),
      visit.read(listChanges, { kinds: ["stale", "recovered"], after: 0, limit: 1_000 }),
    ]);
    const datasets = listed.kind === "answered" ? fromJson(ListDatasetsResponseSchema, listed.body).datasets : [];
    const history = changesIn(logged);
    const block = blockMaker(visit, facts);
    const troubled = datasets.filter(({ state }) => state !== "ok");
    const blocks = [
      block({
        id: "datasets",
        title: "Datasets",
        about: history
          ? "The line shows the last 7 days, which is how long incidents are kept: orange while a dataset was older than it should be."
          : "The history of incidents is not public here.",
        content: datasets.length > 0 ? datasetsMarkup(datasets, history, visit) : undefined,
        provenance: { ...provenanceOf(listed), isSample },
      }),
      block({
        id: "sources",
        title: "Sources",
        about: "What each dataset is read from, and how the last read ended.",
        content: datasets.length > 0 ? sourcesMarkup(datasets, visit) : undefined,
        provenance: { ...provenanceOf(listed), isSample },
      }),
    ];
    const body = html`<main id="content" tabindex="-1"><header class="top"><h1>Status</h1>${summaryMarkup(datasets, troubled)}</header>
<div class="grid">${blocks.map(({ markup }) => markup)}</div></main>`;
    return { title: "Status", description: "How this service and its sources stand.", body, blocks };
  };
}

function changesIn(answer: ReadAnswer): readonly Change[] | undefined {
  return answer.kind === "answered" ? fromJson(ListChangesResponseSchema, answer.body).changes : undefined;
}

function summaryMarkup(datasets: readonly Dataset[], troubled: readonly Dataset[]): Html {
  const counts = [...Map.groupBy(datasets, ({ state }) => state)].map(([state, { length }]) => ({ state, length }));
  const told = troubled.filter(({ reason, failure }) => (reason ?? failure) !== undefined);
  const headline =
    troubled.length === 0
      ? "All datasets are served as they should be."
      : `${troubled.length} of ${datasets.length} datasets need attention.`;
  return html`<p class="lead">${headline}</p><dl class="figures">${counts.map(
    ({ state, length }) => html`<div><dt>${stateMarkup(catalogState(state))}</dt><dd>${length}</dd></div>`,
  )}</dl>
${told.length > 0 && html`<div class="notice bad">${told.map(({ name, reason, failure }) => html`<p><a href="/data/${name}">${labelOf(name)}</a>: ${reason ?? failure}</p>`)}</div>`}`;
}

function datasetsMarkup(datasets: readonly Dataset[], history: readonly Change[] | undefined, { now }: Visit): Html {
  return html`<div class="wide" role="region" aria-label="Table: Datasets and their state" tabindex="0"><table class="cards"><thead><tr><th scope="col">Dataset</th><th scope="col">State</th><th scope="col">Read</th><th scope="col">Stale after</th><th scope="col" class="number">Rows</th>${history && html`<th scope="col" class="grow">7 days</th>`}</tr></thead><tbody>${datasets.map(
    (dataset) => {
      const { name, state, readAt, freshForSeconds, rows } = dataset;
      const spans: readonly Span[] = history ? spansOf(dataset, history, now) : [];
      return html`<tr><th scope="row"><a href="/data/${name}">${labelOf(name)}</a></th><td data-label="State">${stateMarkup(catalogState(state))}</td><td class="time" data-label="Read">${readAt === undefined ? "never" : ago(Number(readAt), now)}</td><td class="time" data-label="Stale after">${durationText(freshForSeconds)}</td><td class="number" data-label="Rows">${rows === undefined ? "–" : numberText(rows)}</td>${history && html`<td class="lines">${timeline(spans, now)}</td>`}</tr>\n`;
    },
  )}</tbody></table></div>`;
}

function sourcesMarkup(datasets: readonly Dataset[], { now }: Visit): Html {
  const rows = datasets.flatMap(({ name, sources }) => sources.map((source) => ({ dataset: name, source })));
  return html`<div class="wide" role="region" aria-label="Table: Sources and their state" tabindex="0"><table class="cards"><thead><tr><th scope="col">Source</th><th scope="col">Dataset</th><th scope="col">State</th><th scope="col">Last good read</th><th scope="col" class="number">Reads</th><th scope="col" class="number">Failed</th><th scope="col">Last failure</th></tr></thead><tbody>${rows.map(
    ({ dataset, source }) =>
      html`<tr><th scope="row">${source.name}</th><td data-label="Dataset"><a href="/data/${dataset}">${labelOf(dataset)}</a></td><td data-label="State">${stateMarkup(catalogState(source.state))}</td><td class="time" data-label="Last good read">${source.lastGoodAt === undefined ? "never" : ago(Number(source.lastGoodAt), now)}</td><td class="number" data-label="Reads">${numberText(source.runs)}</td><td class="number" data-label="Failed">${numberText(source.failures)}</td><td class="text" data-label="Last failure">${reasonOf(source)}</td></tr>\n`,
  )}</tbody></table></div>`;
}

function reasonOf({ failure, failureStatus, missingVariables }: Dataset["sources"][number]): string {
  if (missingVariables.length > 0) return `Setting missing: ${missingVariables.join(", ")}`;
  if (failure === undefined) return "";
  return failureStatus === undefined ? failure : `${failure} (status ${failureStatus})`;
}
