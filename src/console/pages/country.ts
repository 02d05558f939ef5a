import { CountryService, GetCountryBriefResponseSchema } from "../../../gen/es/ids/country/v1/country_pb.ts";
import { ResilienceService } from "../../../gen/es/ids/resilience/v1/resilience_pb.ts";
import { columnsOf } from "../../contract/columns.ts";
import type { JsonObject } from "../../contract/request/body.ts";
import { lastSegment } from "../../http/rest/path-parameters.ts";
import { type Html, html } from "../../pages/html.ts";
import { type Country, countryOf } from "../../reference/countries/countries.ts";
import { countryGround } from "../map/country-map.ts";
import { type LayerView, readLayer } from "../map/layers.ts";
import { mapMarkup } from "../map/map-figure.ts";
import { operationFor, readMessage } from "../metadata.ts";
import { type Block, type MakePage, Moved, type PageContext } from "../page-context.ts";
import type { Sections } from "../sections.ts";
import { availabilityOf } from "../view/availability.ts";
import { blockMaker, nothing, provenanceOf } from "../view/block.ts";
import { numberText, quantityText } from "../view/figures.ts";
import { changesList, readChanges } from "./changes-list.ts";
import { levelText } from "./countries.ts";
import { type CountryView, chartedSeries, type Explanation, partColumns } from "./country-parts.ts";
import { countrySeries } from "./series/series-read.ts";

const getBrief = operationFor(CountryService.method.getCountryBrief);

export function countryPage(sections: Sections): MakePage {
  const { metadata } = sections;
  return async (page) => {
    const named = lastSegment(page.path);
    const country = countryOf(named.trim());
    if (!country) return undefined;
    const { alpha2: code, name } = country;
    if (code !== named) throw new Moved(`/countries/${code}`, { retainsQuery: true });
    const description = `Risk, resilience, conflict, outages, trade and more about ${name}, with sources and age of every figure.`;
    const block = blockMaker(page, metadata);
    const [response, layers, explanation] = await Promise.all([
      page.read(getBrief, { country_code: code }),
      readLayers(page, country, sections),
      readExplanation(page, code),
    ]);
    const map = await mapBlock({ country, block, page, metadata }, layers);
    if (response.kind === "refused") {
      // If the viewer may not read the brief, the map of public data is still shown.
      const hidden = nothing(availabilityOf(response), page);
      const body = pageMarkup(country, html`${hidden}<div class="grid open">${map.markup}</div>`);
      return { title: name, description, body, blocks: [map], hidden };
    }
    const [changes, ...charts] = await Promise.all([
      readChanges(page, sections, code),
      ...chartedSeries.map(async (id) => [id, await countrySeries(page, id, code)] as const),
    ]);
    const brief = response.body;
    const view = { brief, country, page, metadata, block, explanation, charts: new Map(charts) };
    const [first = [], ...rest] = partColumns(view);
    const last = block({
      id: "changes",
      title: "Last changes",
      about: `Changes about ${name} in the last refreshes.`,
      content: changesList(changes, page, sections, { max: 8, country: code }),
      provenance: provenanceOf(changes.response),
    });
    const columns = [[...first, last], ...rest];
    const body = pageMarkup(
      country,
      html`<div class="grid">${map.markup}${keyFigures(brief, explanation)}</div>
<div class="two-columns">${columns.map((column) => html`<div class="column">${column.map(({ markup }) => markup)}</div>`)}</div>`,
    );
    return { title: name, description, body, blocks: [map, ...columns.flat()] };
  };
}

function readLayers({ read }: PageContext, { alpha2 }: Country, { layers, metadata }: Sections): Promise<LayerView[]> {
  const ofCountry = layers.filter(({ operation: of }) => of.method.input.fields.some(({ name }) => name === "country"));
  return Promise.all(ofCountry.map((layer) => readLayer(layer, read, metadata, alpha2)));
}

/** Returns undefined if the viewer may not read the explanation, or the country has no score. */
async function readExplanation({ read }: PageContext, country_code: string): Promise<Explanation> {
  const { getResilienceScoreExplanation } = ResilienceService.method;
  const { message } = await readMessage(read, getResilienceScoreExplanation, { country_code });
  return message?.pillars.some(({ coverage }) => coverage > 0) === true ? message : undefined;
}

function pageMarkup({ name, alpha2, alpha3, numeric }: Country, content: Html): Html {
  const codes = [alpha2, alpha3, numeric].filter((code) => code !== "");
  return html`<main id="content" tabindex="-1">
<header class="top"><p class="crumbs"><a href="/countries">Countries</a> / ${codes.join(" · ")}</p><h1>${name}</h1></header>
${content}
</main>`;
}

async function mapBlock(
  { country, block, page, metadata }: Pick<CountryView, "country" | "block" | "page" | "metadata">,
  layers: readonly LayerView[],
): Promise<Block> {
  const { alpha2, name } = country;
  const ground = countryGround(country);
  const titles = layers.map(({ layer }) => layer.title.toLowerCase()).join(", ");
  const undrawn =
    alpha2 === "AQ"
      ? `The maps here leave out ${name}.`
      : `${name} is too small to draw. The figures below are complete.`;
  return block({
    id: "map",
    title: "Where",
    about: "Borders are those of Natural Earth, simplified; they say nothing about claims.",
    content: ground
      ? await mapMarkup({ ground, label: `Map of ${name} with ${titles}`, layers }, page, metadata)
      : html`<div class="nothing"><p><strong>Not on this map.</strong> ${undrawn}</p></div>`,
    provenance: layers[0] && provenanceOf(layers[0].response),
    span: "two-thirds",
  });
}

const briefColumns = new Map(
  columnsOf(GetCountryBriefResponseSchema, "", ({ row }) => row, true).map((column) => [column.name, column]),
);

const keys: readonly (readonly [column: string, label: string])[] = [
  ["risk.score.combinedScore", "Risk, 0 to 100"],
  ["resilience.overallScore", "Resilience, 0 to 100"],
  ["conflict.events", "Conflict events, 30 days"],
  ["conflict.fatalities", "Reported deaths, 30 days"],
  ["outages.outages", "Internet outages, 30 days"],
  ["macro.growth.realGdpGrowthPct", "GDP growth"],
  ["macro.labor.populationMillions", "Population"],
];

/** Returns the key values of the country. The block of a missing value explains why it is missing. */
function keyFigures(brief: JsonObject, explanation: Explanation): Html {
  const read = (name: string) =>
    briefColumns.get(name)?.read({ request: {}, response: brief, parents: [], row: brief });
  const figures = keys.map(([name, label]) => {
    const value = read(name);
    if (typeof value !== "number") return undefined;
    const { unit = "", scale } = briefColumns.get(name) ?? {};
    const text = unit === "" ? numberText(value) : quantityText(value, unit.replace("{people}", ""), scale);
    const level = explanation ? levelText(explanation) : String(read("resilience.level") ?? "");
    const note = label.startsWith("Resilience") ? level : label.startsWith("GDP") ? read("macro.growth.year") : "";
    return html`<div><dt>${label}</dt><dd>${text}${note !== "" && html` <small>${String(note ?? "")}</small>`}</dd></div>`;
  });
  return html`<dl class="figures stacked third">${figures}</dl>`;
}
