import { type Html, html } from "../../pages/html.ts";
import { pageOf as referenceOf } from "../../pages/reference/contents.ts";
import { exportPath, type Facts, formatsOf } from "../facts.ts";
import { availabilityOf, stateMarkup } from "../view/availability.ts";
import { moment } from "../view/times.ts";
import type { Visit } from "../visit.ts";
import { countText, type LayerView, pageOfLayer } from "./layers.ts";

/** What the marks of a map are: how many, how they stand, from whom, and as files. */
export function layerTable(layers: readonly LayerView[], visit: Visit, facts: Facts): Html {
  return html`<div class="wide" role="region" aria-label="Table: Layers of the map" tabindex="0"><table class="cards"><thead><tr><th scope="col">Layer</th><th scope="col" class="number">Things</th><th scope="col">State</th><th scope="col">As of</th><th scope="col">Sources</th><th scope="col">File</th></tr></thead><tbody>${layers.map(
    (view) => rowMarkup(view, visit, facts),
  )}</tbody></table></div>`;
}

function rowMarkup(view: LayerView, { now, viewer }: Visit, facts: Facts): Html {
  const { layer, answer, country } = view;
  const { operation, target } = answer;
  const page = pageOfLayer(layer, facts, country === undefined ? {} : { country });
  const isAnswered = answer.kind === "answered";
  const named = isAnswered ? answer.sources : undefined;
  const sources = facts.sourcesOf(operation).filter(({ name }) => named?.includes(name) ?? true);
  const format = formatsOf(operation).includes("csv") ? "csv" : "json";
  return html`<tr><th scope="row"><a href="${page}">${layer.title}</a></th><td class="number" data-label="Things">${countText(view)}</td><td data-label="State">${stateMarkup(availabilityOf(answer))}</td><td class="time" data-label="As of">${isAnswered && answer.readAt !== undefined ? moment(answer.readAt, now) : "–"}</td><td data-label="Sources"><a href="${referenceOf(operation)}#sources-and-licenses">${sources.map(({ name, kind }) => `${name} (${kind})`).join(", ")}</a></td><td data-label="File">${isAnswered ? html`<a href="${exportPath({ operation, target, viewer, format })}">${format.toUpperCase()}<span class="unseen"> of ${layer.title}</span></a>` : "–"}</td></tr>\n`;
}
