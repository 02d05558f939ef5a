import { lastSegment } from "../../http/rest/path-parameters.ts";
import { type Html, html } from "../../pages/html.ts";
import { type Country, countryOf } from "../../reference/countries/countries.ts";
import { countryGround } from "../map/country-map.ts";
import { type LayerView, readLayer } from "../map/layers.ts";
import { mapMarkup } from "../map/map-figure.ts";
import { type Block, Moved, type PageContext, type PageView } from "../page-context.ts";
import { availabilityOf } from "../view/availability.ts";
import { blockOf, nothing, provenanceOf } from "../view/block.ts";
import { watchPath } from "./alerts/watchlist.ts";
import { changesList, readChanges } from "./changes-list.ts";
import { coverageText, readRisk } from "./countries.ts";
import { keyFigures, readBrief, readRemarks, riskScoreIn } from "./country-figures.ts";
import { chartedSeries, partColumns } from "./country-parts.ts";
import { readChangeText, reasonMarkup } from "./movers.ts";
import { largestComponent, scoreSum } from "./score-sum.ts";
import { dailySeries } from "./series/series-read.ts";

export async function countryPage(page: PageContext): Promise<PageView | undefined> {
  const named = lastSegment(page.path);
  const country = countryOf(named.trim());
  if (!country) return undefined;
  const { alpha2: code, name } = country;
  if (code !== named) throw new Moved(`/countries/${code}`, { retainsQuery: true });
  const description = `Risk, resilience, conflict, outages, trade and more about ${name}, with sources and age of every figure.`;
  const [response, layers, remarksOf, risk] = await Promise.all([
    readBrief(page, code),
    readLayers(page, country),
    readRemarks(page, [code]),
    readRisk(page.read),
  ]);
  const map = await mapBlock(country, page, layers);
  if (response.kind === "refused") {
    // If the viewer may not read the brief, the map of public data is still shown.
    const hidden = nothing(availabilityOf(response), page);
    const body = pageMarkup(country, html`${hidden}<div class="grid open">${map.markup}</div>`);
    return { title: name, description, body, blocks: [map], hidden };
  }
  const brief = response.body;
  const remarks = remarksOf(code);
  const score = riskScoreIn(brief);
  const [changes, charts, reasons, moved, sum, component] = await Promise.all([
    readChanges(page, code),
    Promise.all(chartedSeries.map(async (id) => [id, await dailySeries(page, id, [code])] as const)),
    Promise.all(chartedSeries.map(async (id) => [id, await reasonMarkup(page, id, code)] as const)),
    Promise.all(chartedSeries.map(async (id) => [id, await readChangeText(page, id, code)] as const)),
    scoreSum(page, code, score),
    largestComponent(page, code),
  ]);
  const view = {
    ...{ brief, country, page, explanation: remarks.explanation },
    ...{ charts: new Map(charts), reasons: new Map(reasons) },
    sums: new Map([["risk", sum && html`${sum}${component}`]]),
  };
  const [first = [], ...rest] = partColumns(view);
  const last = blockOf(page, {
    id: "changes",
    title: "Last changes",
    ownTitle: `${name}: last changes`,
    about: `Changes about ${name} in the last refreshes.`,
    content: changesList(changes, page, { max: 8, country: code }),
    provenance: provenanceOf(changes.response),
  });
  const columns = [[...first, last], ...rest];
  const figuresLook = { layout: "stacked third", coverage: coverageText(risk), changes: new Map(moved) };
  const body = pageMarkup(
    country,
    html`<div class="grid">${keyFigures(brief, remarks, figuresLook)}${map.markup}</div>
<div class="two-columns">${columns.map((column) => html`<div class="column">${column.map(({ markup }) => markup)}</div>`)}</div>`,
    score === undefined ? undefined : html`Risk score ${score}. ${view.reasons.get("risk.score")}`,
  );
  return { title: name, description, body, blocks: [map, ...columns.flat()] };
}

function readLayers(page: PageContext, { alpha2 }: Country): Promise<LayerView[]> {
  const ofCountry = page.layers.filter(({ operation: of }) =>
    of.method.input.fields.some(({ name }) => name === "country"),
  );
  return Promise.all(ofCountry.map((layer) => readLayer(layer, page, alpha2)));
}

function pageMarkup({ name, alpha2, alpha3, numeric }: Country, content: Html, lead?: Html): Html {
  const codes = [alpha2, alpha3, numeric].filter((code) => code !== "");
  return html`<main id="content" tabindex="-1">
<header class="top"><p class="crumbs"><a href="/countries">Countries</a> / ${codes.join(" · ")}</p><h1>${name}</h1>${lead && html`<p class="lead">${lead}</p>`}<p class="actions"><a href="/countries/${alpha2}/brief">Brief on one page</a> <a href="/compare?country=${alpha2}">Compare</a> <a href="${watchPath(name, { countries: alpha2 })}">Watch</a></p></header>
${content}
</main>`;
}

async function mapBlock(country: Country, page: PageContext, layers: readonly LayerView[]): Promise<Block> {
  const { alpha2, name } = country;
  const ground = countryGround(country);
  const titles = layers.map(({ layer }) => layer.title.toLowerCase()).join(", ");
  const undrawn =
    alpha2 === "AQ"
      ? `The maps here leave out ${name}.`
      : `${name} is too small to draw. The figures below are complete.`;
  return blockOf(page, {
    id: "map",
    title: "Where",
    ownTitle: `${name}: map`,
    about: "Borders are those of Natural Earth, simplified; they say nothing about claims.",
    content: ground
      ? await mapMarkup({ ground, label: `Map of ${name} with ${titles}`, layers }, page)
      : html`<div class="nothing"><p><strong>Not on this map.</strong> ${undrawn}</p></div>`,
    provenance: layers[0] && {
      ...provenanceOf(layers[0].response),
      alsoShown: layers.map(({ response }) => response),
    },
    span: "two-thirds",
  });
}
