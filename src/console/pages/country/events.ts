import { html } from "../../../pages/html.ts";
import { countryMap, drawnOn } from "../../map/country-map.ts";
import { layerTables } from "../../map/layer-table.ts";
import { countText, type LayerView, pageOfLayer } from "../../map/layers.ts";
import type { Metadata } from "../../metadata.ts";
import type { Block } from "../../page-context.ts";
import { partAvailability } from "../../view/availability.ts";
import { bars } from "../../view/bars.ts";
import { provenanceOf } from "../../view/block.ts";
import { amountText, numberText } from "../../view/figures.ts";
import { instantText } from "../../view/times.ts";
import { type BriefView, partBlock } from "./part-block.ts";

export function mapBlock(
  { country, block, page }: Pick<BriefView, "country" | "block" | "page">,
  layers: readonly LayerView[],
  metadata: Metadata,
): Block {
  const [first] = layers;
  if (!first) throw new TypeError("No layer can be asked for a country");
  const drawn = drawnOn(country, layers);
  const map = countryMap(country, drawn);
  const legend = layers.map((view, index) => {
    return html`<li class="points l${index + 1}"><svg viewBox="0 0 12 12" aria-hidden="true"><circle cx="6" cy="6" r="5"/></svg><a href="${pageOfLayer(view.layer, metadata, { country: country.alpha2 })}">${view.layer.title}: ${countText(view)}</a></li>`;
  });
  return block({
    id: "map",
    title: "Where",
    about: "Borders are those of Natural Earth, simplified; they say nothing about claims.",
    content: html`${map ?? html`<div class="nothing"><p><strong>Not on this map.</strong> ${undrawnText(country)}</p></div>`}<ul class="legend">${legend}</ul>
<details class="as-table"><summary>Marks and sources as tables</summary>${layerTables(drawn, page, metadata)}</details>`,
    provenance: provenanceOf(first.response),
    span: "two-thirds",
  });
}

function undrawnText({ alpha2, name }: BriefView["country"]): string {
  return alpha2 === "AQ"
    ? `The maps here leave out ${name}.`
    : `${name} is too small to draw. The figures below are complete.`;
}

export function conflictBlock(view: BriefView): Block {
  const { brief, country } = view;
  const part = brief.conflict;
  const isMeasured = part?.state !== undefined && partAvailability(part.state).tone === "good";
  const max = Math.max(1, ...(part?.byType ?? []).map(({ events }) => events));
  return partBlock(view, {
    id: "conflict",
    title: "Conflict",
    about: html`Events of the last 30 days. <a href="/data/conflict-events?country=${country.alpha2}">All events</a> · <a href="/series/conflict.events?keys=${country.alpha2}">By day</a>`,
    state: part?.state,
    content: () => html`${bars(
      (part?.byType ?? []).map(({ eventType, events, fatalities }) => ({
        label: eventType,
        value: events,
        text: `${numberText(events)} · ${amountText(Number(fatalities), "death")}`,
      })),
      max,
    )}
<h3>Latest</h3>
${(part?.latest.length ?? 0) === 0 && html`<p class="soft">${isMeasured ? "No event in this time. This is a measured zero." : "No event is known in this time."}</p>`}
<ul class="rows">${part?.latest.map(
      ({ eventType, admin1, occurredAt, fatalities, actors }) =>
        html`<li><p><strong>${eventType}</strong>, ${admin1}, ${instantText(Number(occurredAt))}${fatalities > 0 && `, ${amountText(fatalities, "death")}`}</p><p class="soft small">${actors.join(" · ")}</p></li>`,
    )}</ul>`,
  });
}

export function outagesBlock(view: BriefView): Block {
  const { brief, country } = view;
  const part = brief.outages;
  return partBlock(view, {
    id: "outages",
    title: "Internet outages",
    about: html`Detected in the last 30 days. <a href="/data/internet-outages?country=${country.alpha2}">All outages</a> · <a href="/series/outages.count?keys=${country.alpha2}">By day</a>`,
    state: part?.state,
    content:
      () => html`<dl class="figures"><div><dt>Outages</dt><dd>${numberText(part?.outages ?? 0)}</dd></div><div><dt>Ongoing</dt><dd>${numberText(part?.ongoing ?? 0)}</dd></div></dl>
<ul class="rows">${part?.latest.map(
        ({ title, detectedAt, cause }) =>
          html`<li><p><strong>${title}</strong>, ${instantText(Number(detectedAt))}</p><p class="soft small">${cause.replaceAll("_", " ").toLowerCase()}</p></li>`,
      )}</ul>`,
  });
}
