import { CatalogService } from "../../../gen/es/ids/catalog/v1/catalog_pb.ts";
import type { Dataset, DatasetSource } from "../../../gen/es/ids/catalog/v1/dataset_pb.ts";
import type { ListStatesResponse, StateSpan } from "../../../gen/es/ids/catalog/v1/states_pb.ts";
import { labelOf } from "../../contract/labels.ts";
import { shortened } from "../../pages/all-rows.ts";
import { type Html, html } from "../../pages/html.ts";
import { dayMs } from "../../reference/duration.ts";
import { operationFor, readMessage } from "../metadata.ts";
import type { PageContext, PageView } from "../page-context.ts";
import { catalogState, failureText, liveStart, stateMarkup } from "../view/availability.ts";
import { blockOf, provenanceOf } from "../view/block.ts";
import { numberText } from "../view/figures.ts";
import { agoIfEver, dayText } from "../view/times.ts";
import { datasetTable } from "./data.ts";

const days = 90;
/** Width of a day and the gap after it, in SVG units. */
const dayWidth = 8;
const maxReported = 6;

function daysMarkup(spans: readonly StateSpan[], since: string): Html {
  if (spans.length === 0) return html`<span class="soft">not recorded yet</span>`;
  const begin = Date.parse(since);
  const x = (day: string) => Math.max(0, (Date.parse(day) - begin) / dayMs) * dayWidth;
  return html`<svg class="days" viewBox="0 0 ${days * dayWidth} 14" preserveAspectRatio="none" role="img" aria-label="${textOf(spans)}"><path d="M0 7H${days * dayWidth}"/>${spans.map(
    (span) =>
      html`<path class="${catalogState(span.state).tone}" d="M${x(span.from)} 7H${x(span.to) + dayWidth}"><title>${spanText(span)}</title></path>`,
  )}</svg>`;
}

function textOf(spans: readonly StateSpan[]): string {
  const bad = spans.filter(({ state }) => state !== "ok");
  const first = Math.min(...spans.map(({ from }) => Date.parse(from)));
  const since = `since ${dayText(first)}`;
  if (bad.length === 0) return `OK ${since}`;
  const reported = bad.slice(-maxReported).map(spanText);
  const more = bad.length > maxReported ? `; and ${bad.length - maxReported} times before` : "";
  return `${sharePercent(spans)}% OK ${since}: ${reported.join("; ")}${more}`;
}

function spanText({ from, to, state, minutes }: StateSpan): string {
  const [first, last] = [from, to].map((day) => dayText(Date.parse(day)));
  const when = from === to ? first : `${first} to ${last}`;
  if (minutes.length < 2) return `${catalogState(state).word}: ${when}`;
  const times = minutes.map(({ state: each, minutes: of }) => {
    const time = of < 120 ? `${of} minutes` : `${numberText(Math.round(of / 6) / 10)} hours`;
    return `${catalogState(each).word} ${time}`;
  });
  return `${when}: ${times.join(", ")}`;
}

/** Returns in percent how much of the observed time had the state `ok`. It is rounded down, so 100 means always. */
function sharePercent(spans: readonly StateSpan[]): string {
  const times = spans.flatMap(({ minutes }) => minutes);
  const all = times.reduce((sum, { minutes }) => sum + minutes, 0);
  const good = times.filter(({ state }) => state === "ok").reduce((sum, { minutes }) => sum + minutes, 0);
  return numberText(all === 0 ? 0 : Math.floor((good / all) * 1000) / 10);
}

const { listDatasets, listSources, listStates } = CatalogService.method;

export async function statusPage(page: PageContext): Promise<PageView | undefined> {
  const [listed, sources, logged] = await Promise.all([
    readMessage(page.read, listDatasets),
    page.read(operationFor(listSources)),
    readMessage(page.read, listStates),
  ]);
  const datasets = listed.message?.datasets ?? [];
  const history = logged.message && historyIn(logged.message);
  const ofHistory = {
    head: history && historyHead,
    cells: ({ name }: Dataset) => history && historyCells(history, name),
  };
  const troubled = datasets.filter(({ state }) => state !== "ok");
  const blocks = [
    blockOf(page, {
      id: "datasets",
      title: "Datasets",
      about: aboutHistory(history),
      content: datasets.length > 0 ? datasetTable(datasets, page.now, ofHistory) : undefined,
      provenance: { ...provenanceOf(listed.response), isSample: page.isSample },
    }),
    blockOf(page, {
      id: "sources",
      title: "Sources",
      about: `What each dataset is read from, how the last read ended, and the same 90 days. ${whenOneFails}`,
      content: datasets.length > 0 ? sourcesMarkup(datasets, history, page) : undefined,
      provenance: { ...provenanceOf(sources), isSample: page.isSample },
    }),
  ];
  const body = html`<main id="content" tabindex="-1"><header class="top"><h1>Status</h1></header>
${liveStart(datasets, page)}
${summaryMarkup(datasets, troubled)}
<div class="grid">${blocks.map(({ markup }) => markup)}</div></main>`;
  return { title: "Status", description: "How this service and its sources stand.", body, blocks };
}

const whenOneFails =
  "When a source fails, its last good rows stay, with their age; they are called stale when they are too old, and no longer returned after the limit of their dataset. It is asked again by its schedule.";

interface History {
  /** Spans of days with their states, by dataset and source. For the dataset itself, the source is empty. */
  readonly spans: ReadonlyMap<string, readonly StateSpan[]>;
  readonly since: string;
  readonly recordedSince: string | undefined;
}

function historyIn({ spans, since }: ListStatesResponse): History {
  const [recordedSince] = spans.map(({ from }) => from).sort((a, b) => (a < b ? -1 : 1));
  return { spans: Map.groupBy(spans, ({ dataset, source }) => `${dataset} ${source}`), since, recordedSince };
}

function aboutHistory(history: History | undefined): string {
  if (!history) return "The history of states cannot be read now.";
  const { since, recordedSince } = history;
  const bars =
    "Each bar is one of the last 90 days, in the color of the worst state of it: green for OK, orange for old or incomplete, red for not served or failed, gray for not requested. Pale bars were not recorded.";
  if (recordedSince === undefined) return `${bars} The first check has not run yet.`;
  return recordedSince > since
    ? `${bars} This service has recorded them since ${dayText(Date.parse(recordedSince))}.`
    : bars;
}

function summaryMarkup(datasets: readonly Dataset[], troubled: readonly Dataset[]): Html {
  const counts = [...Map.groupBy(datasets, ({ state }) => state)].map(([state, { length }]) => ({ state, length }));
  const reported = troubled.filter(({ reason, failure }) => (reason ?? failure) !== undefined);
  const headline =
    troubled.length === 0
      ? "All datasets are OK."
      : `${troubled.length} of ${datasets.length} datasets need attention.`;
  return html`<p class="lead">${headline}</p><dl class="figures">${counts.map(
    ({ state, length }) => html`<div><dt>${stateMarkup(catalogState(state))}</dt><dd>${length}</dd></div>`,
  )}</dl>
${reported.length > 0 && html`<div class="notice bad">${reported.map(({ name, reason, failure }) => html`<p><a href="/data/${name}">${labelOf(name)}</a>: ${reason ?? failure}</p>`)}</div>`}`;
}

const historyHead = html`<th scope="col" class="number">OK</th><th scope="col" class="days-head">90 days</th>`;

function historyCells({ spans: all, since }: History, dataset: string, source = ""): Html {
  const spans = all.get(`${dataset} ${source}`) ?? [];
  const isLooked = spans.some(({ minutes }) => minutes.some((each) => each.minutes > 0));
  return html`<td class="number" data-label="OK">${isLooked ? `${sharePercent(spans)}%` : "–"}</td><td class="lines">${daysMarkup(spans, since)}</td>`;
}

function sourcesMarkup(datasets: readonly Dataset[], history: History | undefined, { now }: PageContext): Html {
  const table = (body: Html) =>
    html`<div class="wide" role="region" aria-label="Table: Sources and their state" tabindex="0"><table class="cards"><thead><tr><th scope="col">Source</th><th scope="col">Dataset</th><th scope="col">State</th><th scope="col">Last good read</th><th scope="col" class="number">Reads</th><th scope="col" class="number">Failed</th><th scope="col">Last failure</th>${history && historyHead}</tr></thead>${body}</table></div>`;
  const rows = datasets.flatMap(({ name: dataset, sources }) =>
    sources.map(
      (source) =>
        html`<tr><th scope="row">${source.name}</th><td data-label="Dataset"><a href="/data/${dataset}">${labelOf(dataset)}</a></td><td data-label="State">${stateMarkup(catalogState(source.state))}</td><td class="time" data-label="Last good read">${agoIfEver(source.lastGoodAt, now)}</td><td class="number" data-label="Reads">${numberText(source.runs)}</td><td class="number" data-label="Failed">${numberText(source.failures)}</td><td class="text" data-label="Last failure">${reasonOf(source)}</td>${history && historyCells(history, dataset, source.name)}</tr>\n`,
    ),
  );
  return shortened(rows, "sources", table);
}

function reasonOf(source: DatasetSource): string | undefined {
  const { missingVariables } = source;
  return missingVariables.length > 0 ? `Setting missing: ${missingVariables.join(", ")}` : failureText(source);
}
