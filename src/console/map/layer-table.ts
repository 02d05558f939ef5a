import { type Html, html } from "../../pages/html.ts";
import { pageOf as referenceOf } from "../../pages/reference/contents.ts";
import { exportPath, formatsOf, type Metadata } from "../metadata.ts";
import type { PageContext } from "../page-context.ts";
import { availabilityOf, stateMarkup } from "../view/availability.ts";
import { numberText } from "../view/figures.ts";
import { instant } from "../view/times.ts";
import { countText, type DrawnLayer, type LayerView, pageOfLayer } from "./layers.ts";
import { commonLabels, type Mark } from "./marks.ts";

export function layerTables(layers: readonly DrawnLayer[], page: PageContext, metadata: Metadata): Html {
  const marks = layers.flatMap(({ layer: { title }, marks: own }) => own.map((mark) => markRow(title, mark)));
  return html`<div class="wide" role="region" aria-label="Table: Layers of the map" tabindex="0"><table class="cards"><thead><tr><th scope="col">Layer</th><th scope="col" class="number">Things</th><th scope="col">State</th><th scope="col">As of</th><th scope="col">Sources</th><th scope="col">File</th></tr></thead><tbody>${layers.map(
    (view) => rowMarkup(view, page, metadata),
  )}</tbody></table></div>
${
  marks.length > 0 &&
  html`<div class="wide scrolls short" role="region" aria-label="Table: Marks of the map" tabindex="0"><table class="cards"><thead><tr><th scope="col">Layer</th><th scope="col">Around</th><th scope="col" class="number">Things</th><th scope="col">Most common</th></tr></thead><tbody>${marks}</tbody></table></div>`
}`;
}

function markRow(title: string, mark: Mark): Html {
  const { latitude, longitude, weight } = mark;
  return html`<tr><td>${title}</td><td>${degrees(latitude, "N", "S")} ${degrees(longitude, "E", "W")}</td><td class="number" data-label="Things">${numberText(weight)}</td><td class="text">${commonLabels(mark).join(", ")}</td></tr>\n`;
}

function degrees(value: number, above: string, below: string): string {
  const tenths = Math.round(value * 10);
  return `${(Math.abs(tenths) / 10).toFixed(1)}°${tenths < 0 ? below : above}`;
}

function rowMarkup(view: LayerView, { now, viewer }: PageContext, metadata: Metadata): Html {
  const { layer, response, country, unplaced } = view;
  const { operation, target } = response;
  const page = pageOfLayer(layer, metadata, country === undefined ? {} : { country });
  const isResponded = response.kind === "answered";
  const sources = metadata.sourcesOf(operation, isResponded ? response.sources : undefined);
  // A file of a table has only one table, but a layer may have several.
  const format = layer.tables.length === 1 && formatsOf(operation).includes("csv") ? "csv" : "json";
  return html`<tr><th scope="row"><a href="${page}">${layer.title}</a></th><td class="number" data-label="Things">${countText(view)}</td><td data-label="State">${stateMarkup(availabilityOf(response))}</td><td class="time" data-label="As of">${isResponded && response.readAt !== undefined ? instant(response.readAt, now) : "–"}</td><td data-label="Sources"><a href="${referenceOf(operation)}#sources-and-licenses">${sources.map(({ name, kind }) => `${name} (${kind})`).join(", ")}</a></td><td data-label="File">${isResponded ? html`<a href="${exportPath({ operation, target, viewer, format })}">${format.toUpperCase()}<span class="unseen"> of ${layer.title}</span></a>${unplaced > 0 && html` <small class="soft">with ${numberText(unplaced)} more that have no place</small>`}` : "–"}</td></tr>\n`;
}
