import { fromJson } from "@bufbuild/protobuf";
import { CountryService, GetCountryBriefResponseSchema } from "../../../../gen/es/ids/country/v1/country_pb.ts";
import { lastSegment } from "../../../http/rest/path-parameters.ts";
import { type Html, html } from "../../../pages/html.ts";
import type { Country } from "../../../reference/countries/countries.ts";
import { countryOf } from "../../../reference/countries/countries.ts";
import { operationFor } from "../../facts.ts";
import { type LayerView, readLayer } from "../../map/layers.ts";
import type { Sections } from "../../sections.ts";
import { availabilityOf } from "../../view/availability.ts";
import { type Block, blockMaker, nothing, provenanceOf } from "../../view/block.ts";
import { type MakePage, Moved, type Visit } from "../../visit.ts";
import { changesList, readChanges } from "../changes-list.ts";
import { countrySeries } from "../series/series-read.ts";
import { chokepointsBlock, vulnerabilitiesBlock } from "./dependencies.ts";
import { macroBlock, tariffsBlock, tradeBlock } from "./economy.ts";
import { conflictBlock, mapBlock, outagesBlock } from "./events.ts";
import { keyFigures } from "./key-figures.ts";
import type { BriefView } from "./part-block.ts";
import { readParts } from "./resilience-parts.ts";
import { basesBlock, defenseBlock, gasBlock, tendersBlock } from "./security.ts";
import { resilienceBlock, riskBlock } from "./standing.ts";

const operation = operationFor(CountryService.method.getCountryBrief);

/** `/countries/XX`: everything that is known about a country. */
export function countryPage(sections: Sections): MakePage {
  return async (visit) => {
    const named = lastSegment(visit.path);
    const country = countryOf(named.trim());
    if (!country) return undefined;
    if (country.alpha2 !== named) throw new Moved(`/countries/${country.alpha2}`, { keepsQuery: true });
    const block = blockMaker(visit, sections.facts);
    const [answer, layers, parts] = await Promise.all([
      visit.read(operation, { country_code: country.alpha2 }),
      readLayers(visit, country, sections),
      readParts(visit, country.alpha2),
    ]);
    if (answer.kind === "refused") {
      // What is public about it is shown to everybody.
      const map = mapBlock({ country, block, visit }, layers, sections.facts);
      const hidden = nothing(availabilityOf(answer), visit);
      const body = pageMarkup(country, html`${hidden}<div class="grid open">${map.markup}</div>`);
      return { title: country.name, description: describe(country), body, blocks: [map], hidden };
    }
    const brief = fromJson(GetCountryBriefResponseSchema, answer.body);
    const columns = await columnsOf({ brief, country, visit, block, facts: sections.facts }, layers, parts, sections);
    const [first, ...rest] = columns;
    const content = html`<div class="grid">${first?.map(({ markup }) => markup)}${keyFigures(brief, parts)}</div>
<div class="two-columns">${rest.map((column) => html`<div class="column">${column.map(({ markup }) => markup)}</div>`)}</div>`;
    const body = pageMarkup(country, content);
    return { title: country.name, description: describe(country), body, blocks: columns.flat() };
  };
}

/** The layers that can be asked for one country. */
function readLayers({ read }: Visit, { alpha2 }: Country, { layers }: Sections): Promise<LayerView[]> {
  const ofCountry = layers.filter(({ operation: of }) => of.method.input.fields.some(({ name }) => name === "country"));
  return Promise.all(ofCountry.map((layer) => readLayer(layer, read, alpha2)));
}

/** The map, and what follows in two columns. */
async function columnsOf(
  view: BriefView,
  layers: readonly LayerView[],
  parts: Awaited<ReturnType<typeof readParts>>,
  sections: Sections,
): Promise<readonly (readonly Block[])[]> {
  const { visit, country, block } = view;
  const { alpha2: code } = country;
  const [risk, resilience, changes] = await Promise.all([
    countrySeries(visit, "risk.score", code),
    countrySeries(visit, "resilience.score", code),
    readChanges(visit, sections, code),
  ]);
  const last = block({
    id: "changes",
    title: "Last changes",
    about: `What moved about ${country.name} with the last refreshes.`,
    content: changesList(changes, visit, sections, { most: 8, country: code }),
    provenance: provenanceOf(changes),
  });
  return [
    await inTurns([() => mapBlock(view, layers, sections.facts)], view),
    await inTurns(
      [() => riskBlock(view, risk), conflictBlock, outagesBlock, defenseBlock, basesBlock, () => last],
      view,
    ),
    await inTurns(
      [
        ...[() => resilienceBlock(view, resilience, parts), chokepointsBlock, vulnerabilitiesBlock, macroBlock],
        ...[tradeBlock, tariffsBlock, tendersBlock, gasBlock],
      ],
      view,
    ),
  ];
}

/** Blocks one after another, each in a turn of its own: programs do not wait for a whole page. */
async function inTurns(makers: readonly ((view: BriefView) => Block | Block[])[], view: BriefView): Promise<Block[]> {
  const blocks: Block[] = [];
  for (const make of makers) {
    blocks.push(...[make(view)].flat());
    await view.visit.pause();
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
