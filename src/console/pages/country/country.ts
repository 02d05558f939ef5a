import { fromJson } from "@bufbuild/protobuf";
import type { GetCountryBriefResponse } from "../../../../gen/es/ids/country/v1/country_pb.ts";
import { CountryService, GetCountryBriefResponseSchema } from "../../../../gen/es/ids/country/v1/country_pb.ts";
import {
  CountryExternalSchema,
  CountryGrowthSchema,
  CountryLaborSchema,
  CountryPricesSchema,
} from "../../../../gen/es/ids/economic/v1/country_macro_pb.ts";
import type { GetResilienceScoreExplanationResponse } from "../../../../gen/es/ids/resilience/v1/resilience_explanation_pb.ts";
import { SupplyChainService } from "../../../../gen/es/ids/supply_chain/v1/supply_chain_pb.ts";
import { TariffDatapointSchema, TradeFlowSchema } from "../../../../gen/es/ids/trade/v1/trade_pb.ts";
import { lastSegment } from "../../../http/rest/path-parameters.ts";
import { type Html, html } from "../../../pages/html.ts";
import type { Country } from "../../../reference/countries/countries.ts";
import { countryOf } from "../../../reference/countries/countries.ts";
import { type LayerView, readLayer } from "../../map/layers.ts";
import { operationFor } from "../../metadata.ts";
import type { Block } from "../../page-context.ts";
import { type MakePage, Moved, type PageContext } from "../../page-context.ts";
import type { Sections } from "../../sections.ts";
import { availabilityOf } from "../../view/availability.ts";
import { bars } from "../../view/bars.ts";
import { blockMaker, nothing, provenanceOf } from "../../view/block.ts";
import { compactText, numberText } from "../../view/figures.ts";
import { messageMetadata } from "../../view/message-metadata.ts";
import { changesList, readChanges } from "../changes-list.ts";
import { levelText } from "../scores.ts";
import { countrySeries } from "../series/series-read.ts";
import { conflictBlock, mapBlock, outagesBlock } from "./events.ts";
import type { BriefView } from "./part-block.ts";
import { partBlock } from "./part-block.ts";
import { readParts } from "./resilience-parts.ts";
import { resilienceBlock, riskBlock } from "./scores.ts";
import { basesBlock, defenseBlock, gasBlock, tendersBlock } from "./security.ts";

const years = ["year", "latestYear"];

function macroBlock(view: BriefView): Block {
  const { brief, country } = view;
  const part = brief.macro;
  const code = country.alpha2;
  return partBlock(view, {
    id: "macro",
    title: "Economy",
    about: html`World Economic Outlook, ${part?.growth?.year ?? part?.prices?.year ?? "latest year"}. Over time: <a href="/series/macro.growth?keys=${code}">growth</a>, <a href="/series/macro.inflation?keys=${code}">inflation</a>, <a href="/series/macro.unemployment?keys=${code}">unemployment</a>`,
    state: part?.state,
    content: () => html`<h3>Growth and output</h3>${messageMetadata(CountryGrowthSchema, part?.growth, years)}
<h3>Prices and public finance</h3>${messageMetadata(CountryPricesSchema, part?.prices, years)}
<h3>People and trade</h3>${messageMetadata(CountryLaborSchema, part?.labor, years)}${messageMetadata(CountryExternalSchema, part?.external, years)}`,
  });
}

const named = ["reportingCountry", "partnerCountry", "indicatorCode"];

function tradeBlock(view: BriefView): Block {
  const { brief, country } = view;
  return partBlock(view, {
    id: "trade",
    title: "Trade",
    about: html`Merchandise trade with the world. Over time: <a href="/series/trade.exports?keys=${country.numeric}">exports</a>, <a href="/series/trade.imports?keys=${country.numeric}">imports</a>`,
    state: brief.trade?.state,
    content: () => messageMetadata(TradeFlowSchema, brief.trade?.flow, named),
  });
}

function tariffsBlock(view: BriefView): Block {
  const { brief, country } = view;
  return partBlock(view, {
    id: "tariffs",
    title: "Tariffs",
    about: html`The country's duties on imports. <a href="/series/tariff.rate?keys=${country.numeric}">Over time</a>`,
    state: brief.tariffs?.state,
    content: () => messageMetadata(TariffDatapointSchema, brief.tariffs?.tariff, named),
  });
}

const operation = operationFor(CountryService.method.getCountryBrief);

export function countryPage(sections: Sections): MakePage {
  return async (page) => {
    const named = lastSegment(page.path);
    const country = countryOf(named.trim());
    if (!country) return undefined;
    if (country.alpha2 !== named) throw new Moved(`/countries/${country.alpha2}`, { retainsQuery: true });
    const block = blockMaker(page, sections.metadata);
    const [response, layers, parts] = await Promise.all([
      page.read(operation, { country_code: country.alpha2 }),
      readLayers(page, country, sections),
      readParts(page, country.alpha2),
    ]);
    if (response.kind === "refused") {
      // Public data about the country is shown to every viewer.
      const map = mapBlock({ country, block, page }, layers, sections.metadata);
      const hidden = nothing(availabilityOf(response), page);
      const body = pageMarkup(country, html`${hidden}<div class="grid open">${map.markup}</div>`);
      return { title: country.name, description: describe(country), body, blocks: [map], hidden };
    }
    const brief = fromJson(GetCountryBriefResponseSchema, response.body);
    const columns = await columnsOf(
      { brief, country, page, block, metadata: sections.metadata },
      layers,
      parts,
      sections,
    );
    const [first, ...rest] = columns;
    const content = html`<div class="grid">${first?.map(({ markup }) => markup)}${keyFigures(brief, parts)}</div>
<div class="two-columns">${rest.map((column) => html`<div class="column">${column.map(({ markup }) => markup)}</div>`)}</div>`;
    const body = pageMarkup(country, content);
    return { title: country.name, description: describe(country), body, blocks: columns.flat() };
  };
}

function readLayers({ read }: PageContext, { alpha2 }: Country, { layers }: Sections): Promise<LayerView[]> {
  const ofCountry = layers.filter(({ operation: of }) => of.method.input.fields.some(({ name }) => name === "country"));
  return Promise.all(ofCountry.map((layer) => readLayer(layer, read, alpha2)));
}

async function columnsOf(
  view: BriefView,
  layers: readonly LayerView[],
  parts: Awaited<ReturnType<typeof readParts>>,
  sections: Sections,
): Promise<readonly (readonly Block[])[]> {
  const { page, country, block } = view;
  const { alpha2: code } = country;
  const [risk, resilience, changes] = await Promise.all([
    countrySeries(page, "risk.score", code),
    countrySeries(page, "resilience.score", code),
    readChanges(page, sections, code),
  ]);
  const last = block({
    id: "changes",
    title: "Last changes",
    about: `Changes about ${country.name} in the last refreshes.`,
    content: changesList(changes, page, sections, { max: 8, country: code }),
    provenance: provenanceOf(changes),
  });
  return [
    await createBlocks([() => mapBlock(view, layers, sections.metadata)], view),
    await createBlocks(
      [() => riskBlock(view, risk), conflictBlock, outagesBlock, defenseBlock, basesBlock, () => last],
      view,
    ),
    await createBlocks(
      [
        ...[() => resilienceBlock(view, resilience, parts), chokepointsBlock, vulnerabilitiesBlock, macroBlock],
        ...[tradeBlock, tariffsBlock, tendersBlock, gasBlock],
      ],
      view,
    ),
  ];
}

/** Creates blocks one by one with pauses, so that programs do not wait for a whole page. */
async function createBlocks(
  makers: readonly ((view: BriefView) => Block | Block[])[],
  view: BriefView,
): Promise<Block[]> {
  const blocks: Block[] = [];
  for (const make of makers) {
    blocks.push(...[make(view)].flat());
  }
  return blocks;
}

function pageMarkup({ name, alpha2, alpha3, numeric }: Country, content: Html): Html {
  const codes = [alpha2, alpha3, numeric].filter((code) => code !== "");
  return html`<main id="content" tabindex="-1">
<header class="top"><p class="crumbs"><a href="/countries">Countries</a> / ${codes.join(" · ")}</p><h1>${name}</h1></header>
${content}
</main>`;
}

function describe({ name }: Country): string {
  return `Risk, resilience, conflict, outages, trade and more about ${name}, with sources and age of every figure.`;
}

function chokepointsBlock(view: BriefView): Block {
  const part = view.brief.chokepoints;
  return partBlock(view, {
    id: "chokepoints",
    title: "Chokepoint exposure",
    about: html`How much energy imports depend on narrow passages, 0 to 100. <a href="/chokepoints">Chokepoints</a>`,
    state: part?.state,
    content: () =>
      bars(
        (part?.exposures ?? []).map(({ chokepointId, chokepointName, exposureScore }) => ({
          label: html`<a href="/chokepoints/${chokepointId}">${chokepointName}</a>`,
          value: exposureScore,
        })),
        100,
        "risk",
      ),
  });
}

function vulnerabilitiesBlock(view: BriefView): Block {
  const { brief, country } = view;
  const part = brief.vulnerabilities;
  return partBlock(view, {
    id: "vulnerabilities",
    title: "Vulnerable supplies",
    about: html`Commodities whose shortage would hit hardest, 0 to 100. <a href="/data/supply-vulnerability?op=${SupplyChainService.method.getCountryVulnerabilities.name}&amp;iso2=${country.alpha2}">All commodities</a>`,
    state: part?.state,
    content: () =>
      bars(
        (part?.commodities ?? []).map(({ commodity, score, band }) => ({
          label: html`${commodity} <span class="soft">${band}</span>`,
          value: score,
        })),
        100,
        "risk",
      ),
  });
}

/** Returns the key values. A value that is not known is left to its block to explain. */
function keyFigures(
  { risk, resilience, conflict, outages, macro }: GetCountryBriefResponse,
  parts: GetResilienceScoreExplanationResponse | undefined,
): Html {
  const growth = macro?.growth?.realGdpGrowthPct;
  const population = macro?.labor?.populationMillions;
  const figures: readonly (readonly [label: string, text: string | undefined, note: string])[] = [
    ["Risk, 0 to 100", risk?.score && numberText(risk.score.combinedScore), ""],
    ["Resilience, 0 to 100", textOf(resilience?.overallScore), parts ? levelText(parts) : (resilience?.level ?? "")],
    ["Conflict events, 30 days", textOf(conflict?.events), ""],
    [
      "Reported deaths, 30 days",
      textOf(conflict?.fatalities === undefined ? undefined : Number(conflict.fatalities)),
      "",
    ],
    ["Internet outages, 30 days", textOf(outages?.outages), ""],
    ["GDP growth", growth === undefined ? undefined : `${numberText(growth)}%`, String(macro?.growth?.year ?? "")],
    ["Population", population === undefined ? undefined : compactText(population * 1_000_000), ""],
  ];
  const known = figures.filter(([, text]) => text !== undefined);
  return html`<dl class="figures stacked third">${known.map(
    ([label, text, note]) =>
      html`<div><dt>${label}</dt><dd>${text}${note !== "" && html` <small>${note}</small>`}</dd></div>`,
  )}</dl>`;
}

function textOf(value: number | undefined): string | undefined {
  return value === undefined ? undefined : numberText(value);
}
