import { CatalogService } from "../../../gen/es/ids/catalog/v1/catalog_pb.ts";
import type { Dataset } from "../../../gen/es/ids/catalog/v1/dataset_pb.ts";
import { type Html, html } from "../../pages/html.ts";
import { openRequest } from "../../pages/reference/example-request.ts";
import { type LayerView, readLayer } from "../map/layers.ts";
import { mapMarkup, mapParameters, scaleMarkup } from "../map/map-figure.ts";
import { worldGround } from "../map/world-map.ts";
import { readMessage } from "../metadata.ts";
import type { PageContext, PageView } from "../page-context.ts";
import { liveStart } from "../view/availability.ts";
import { blockOf, provenanceOf } from "../view/block.ts";
import { countryLink } from "../view/data-table.ts";
import { evenly } from "../view/figures.ts";
import { type Choice, optionsMarkup } from "../view/form-field.ts";
import { changesList, readChanges } from "./changes-list.ts";
import { readResilience, readRisk, riskBasis, type Scores } from "./countries.ts";
import { datasetTable } from "./data.ts";
import { moversBlock } from "./movers.ts";

const subjects = {
  head: html`<th scope="col">About</th>`,
  cells: ({ subject }: Dataset) => html`<td class="text lines">${subject}</td>`,
};

export const homeParameters = ["shade", "days", ...mapParameters];

export async function homePage(page: PageContext): Promise<PageView | undefined> {
  const riskRead = readRisk(page.read);
  const [risk, resilience, movers, changes, listed, ...layers] = await Promise.all([
    riskRead,
    readResilience(page.read),
    riskRead.then((read) => moversBlock(page, riskBasis(read))),
    readChanges(page),
    readMessage(page.read, CatalogService.method.listDatasets),
    ...page.layers.map((layer) => readLayer(layer, page)),
  ]);
  // By default, colors show the score that covers most countries.
  const shadings = [resilience, risk].sort((a, b) => b.rows.length - a.rows.length);
  const shaded = shadings.find(({ id }) => id === page.query.get("shade")) ?? shadings[0] ?? risk;
  const map = blockOf(page, {
    id: "world",
    title: "The world now",
    about: "Colors are scores from 0 to 100. Marks are events of the last 30 days, and present things.",
    content: await worldMap(shaded, shadings, layers, page),
    provenance: {
      ...provenanceOf(shaded.response),
      alsoShown: layers.map(({ response }) => response),
    },
    span: movers && "two-thirds",
  });
  const datasets = listed.message?.datasets ?? [];
  const start = liveStart(datasets, page);
  const changed = blockOf(page, {
    id: "changes",
    title: "Last changes",
    about: "Changes in the last refreshes.",
    content: changesList(changes, page, { max: 8 }),
    provenance: provenanceOf(changes.response),
    span: "two-thirds",
  });
  const own = blockOf(page, {
    id: "datasets",
    title: "Datasets",
    about: html`${datasets.length} datasets and how fresh they are. <a href="/status">Status</a>`,
    content: listed.message && datasetTable(datasets, page.now, subjects),
    provenance: { ...provenanceOf(listed.response), isSample: page.isSample },
  });
  const body = html`<main id="content" tabindex="-1">
<header class="top"><h1>World events, risk and trade, from public sources</h1>
<p class="lead">Each value has its source, its age, and a note on missing data.</p></header>
${start}<div class="grid">
${movers?.markup}${(start === undefined || shaded.rows.length > 0) && map.markup}${changed.markup}${startMarkup(page)}${own.markup}
</div></main>`;
  const description =
    "World events, risk, trade and resilience from public sources, with source, age and license of every figure.";
  return { title: "World", description, body, blocks: [map, ...(movers ? [movers] : []), changed, own] };
}

function worldMap(
  shaded: Scores,
  shadings: readonly Scores[],
  layers: readonly LayerView[],
  page: PageContext,
): Promise<Html> {
  const choices = shadings.map(({ id, title }): Choice => [id, title]);
  const map = {
    ground: worldGround(shaded),
    label: `World map: ${shaded.title}. The tables below it have the same values and marks.`,
    layers,
    shownLayers: 2,
    scale: scaleMarkup(shaded),
    controls: html`<p class="choice"><label for="shade">Color</label><select class="control" id="shade" name="shade">${optionsMarkup(choices, shaded.id)}</select></p>`,
    controlled: ["shade"],
    tables: scoreTable(shaded),
  };
  return mapMarkup(map, page);
}

function scoreTable({ title, rows }: Scores): Html {
  const text = evenly(rows.map(({ score }) => score));
  return html`<div class="wide scrolls short" role="region" aria-label="${`Table: ${title} of all countries`}" tabindex="0"><table><thead><tr><th scope="col">Country</th><th scope="col" class="number">${title}</th><th scope="col">Note</th></tr></thead><tbody>${rows.map(
    ({ code, score, note, basis = "" }) =>
      html`<tr><th scope="row">${countryLink(code)}</th><td class="number">${text(score)}</td><td>${[note, basis].filter(Boolean).join(", ")}</td></tr>`,
  )}</tbody></table></div>`;
}

function startMarkup({ origin }: PageContext): Html {
  return html`<section class="block" aria-labelledby="start"><h2 id="start">Ask it yourself</h2>
<p class="about">Every page uses requests that you can send too. This one needs no key.</p>
<div class="two-columns"><div><pre class="request" tabindex="0" role="region" aria-label="A request without a key"><code>${openRequest(origin)}</code></pre></div>
<ul class="rows">
<li><p><a href="/docs">API documentation</a> <span class="soft">operations, with code for curl, TypeScript, Go, Python, R</span></p></li>
<li><p><a href="/data/conflict-events">Conflict events as CSV</a> <span class="soft">and XLSX, GeoJSON, Parquet, NDJSON</span></p></li>
<li><p><a href="/methodology">How scores are computed</a> <span class="soft">inputs, weights, versions</span></p></li>
<li><p><a href="/series/risk.score">Risk over time</a> <span class="soft">compare countries</span></p></li>
<li><p><a href="/data">What may be published</a> <span class="soft">license of each source</span></p></li>
</ul></div></section>
`;
}
