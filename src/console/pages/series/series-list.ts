import { HistoryService, type Series } from "../../../../gen/es/ids/history/v1/history_pb.ts";
import { columnUnit, labelOf } from "../../../contract/labels.ts";
import { shortened } from "../../../pages/all-rows.ts";
import { type Html, html } from "../../../pages/html.ts";
import { readMessage } from "../../metadata.ts";
import type { PageContext, PageView } from "../../page-context.ts";
import { blockOf, provenanceOf } from "../../view/block.ts";
import { numberText } from "../../view/figures.ts";
import { dayText, hasPeriods, periodText } from "../../view/times.ts";
import { differsByKey, namedSeries } from "./series-read.ts";

export async function seriesListPage(page: PageContext): Promise<PageView | undefined> {
  const { response, message } = await readMessage(page.read, HistoryService.method.listSeries);
  const list = blockOf(page, {
    id: "series",
    title: "All series",
    about:
      "A series has a line for each key: a country, a chokepoint, a commodity. Several keys can be compared in one chart.",
    content: message && listMarkup(message.series),
    provenance: provenanceOf(response),
  });
  const body = html`<main id="content" tabindex="-1"><header class="top"><h1>Series</h1><p class="lead">Values over time. Gaps remain visible. If the method or the sources change, the chart marks a break.</p></header>${list.markup}</main>`;
  return { title: "Series", description: "Figures over time, by country and more.", body, blocks: [list] };
}

function listMarkup(series: readonly Series[]): Html {
  return shortened(
    series.map(rowMarkup),
    "series",
    (body) =>
      html`<div class="wide" role="region" aria-label="Table: Series" tabindex="0"><table class="cards"><thead><tr><th scope="col">Series</th><th scope="col">Figure</th><th scope="col">Dataset</th><th scope="col">Unit</th><th scope="col">By</th><th scope="col">Step</th><th scope="col" class="number">Keys</th><th scope="col">From</th><th scope="col">To</th></tr></thead>${body}</table></div>`,
  );
}

function rowMarkup(series: Series): Html {
  const { id, title, dataset, unit, scale, keyParts, step, keys, firstAt, lastAt } = series;
  const differs = differsByKey(series);
  const period = differs ? "month" : step;
  return html`<tr><th scope="row"><a href="/series/${id}">${namedSeries(id)}</a></th><td class="text lines">${sentence(title)}</td><td data-label="Dataset"><a href="/data/${dataset}">${labelOf(dataset)}</a></td><td data-label="Unit">${differs ? "differs by key" : columnUnit(unit, scale)}</td><td data-label="By">${keyParts.join(", ")}</td><td data-label="Step">${differs ? "differs by key" : step}</td><td class="number" data-label="Keys">${numberText(keys)}</td><td class="time" data-label="From">${endText(firstAt, period)}</td><td class="time" data-label="To">${endText(lastAt, period)}</td></tr>\n`;
}

function endText(at: bigint | undefined, step: string): string {
  if (at === undefined) return "–";
  return hasPeriods(step) ? periodText(Number(at), step) : dayText(Number(at));
}

/** Returns the first sentence of a title. A period after a single capital letter does not end a sentence. */
export function sentence(title: string): string {
  return title.split(/(?<=[^A-Z]\.)\s/)[0] ?? title;
}
