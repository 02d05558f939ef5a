import type { Operation } from "../../contract/catalog.ts";
import { type Html, html } from "../../pages/html.ts";
import { addressOf, addressWith } from "../address.ts";
import type { PageContext } from "../page-context.ts";
import { citationText } from "./citation-text.ts";

export interface ChartMenu {
  readonly id: string;
  readonly title: string;
  readonly series: string;
  readonly keys: readonly string[];
  /** Height in pixels of the embedded chart with a closed table and its sources, at 700 or more pixels of width. */
  readonly embedHeight: number;
}

interface CitedChart {
  readonly operation: Operation;
  readonly target: string;
  readonly isSample: boolean;
  readonly sources: readonly { readonly name: string; readonly publisher: string }[];
}

/** Returns the menu of a chart. A script adds buttons for images of the chart, which only the browser can draw. */
export function chartMenu(
  { id, title, series, keys, embedHeight }: ChartMenu,
  page: PageContext,
  { operation, target, isSample, sources }: CitedChart,
): Html {
  const { origin, path, query } = page;
  const address = `${origin}${addressOf(path, query)}#${id}`;
  const alert = new URLSearchParams({ watch: "series", series, keys: keys.join(",") });
  const frame = html`<iframe src="${origin}${embedPath(page, id)}" title="${title}" width="100%" height="${embedHeight}" loading="lazy"></iframe>`;
  return html`<button class="quiet chart-button" type="button" popovertarget="${id}-menu">Save or share<span class="unseen"> ${title}</span></button>
<div class="chart-menu" id="${id}-menu" popover role="dialog" aria-label="${`Save or share ${title}`}" data-title="${title}" data-address="${address}" data-sources="${sources.map(({ name, publisher }) => `${publisher} (${name})`).join(", ")}"${isSample && html` data-sample="Sample data: the values are invented."`}>
<p class="buttons" hidden><button type="button" data-save="png">Save PNG</button><button type="button" data-save="svg">Save SVG</button></p>
<h3>Embed</h3>
<pre class="request wraps" tabindex="0" role="region" aria-label="${`Code to embed ${title}`}"><code>${frame.markup.replaceAll("&#38;", "&amp;")}</code></pre>
<h3>Cite</h3>
${citationText({ operation, target })}
<p class="buttons"><a class="button" href="/alerts?${alert}#rule">Create alert<span class="unseen"> on ${title}</span></a><button class="quiet" type="button" popovertarget="${id}-menu" popovertargetaction="hide">Close</button></p>
</div>`;
}

export function embedPath(page: PageContext, id: string): string {
  return addressWith(page, { embed: "1", block: id });
}
