import { fromJson } from "@bufbuild/protobuf";
import { SupplyChainService } from "../../../gen/es/ids/supply_chain/v1/supply_chain_pb.ts";
import {
  type ChokepointDependency,
  GetChokepointDependenciesResponseSchema,
} from "../../../gen/es/ids/supply_chain/v1/vulnerability_pb.ts";
import { lastSegment } from "../../http/rest/path-parameters.ts";
import { type Html, html } from "../../pages/html.ts";
import { chokepointById } from "../../reference/trade/chokepoints.ts";
import { operationFor } from "../facts.ts";
import type { Sections } from "../sections.ts";
import { bar } from "../view/bars.ts";
import { blockMaker, provenanceOf } from "../view/block.ts";
import { countryLink } from "../view/data-table.ts";
import { evenly, numberText } from "../view/figures.ts";
import { labelOf } from "../view/labels.ts";
import { lineChart } from "../view/line-chart.ts";
import type { MakePage } from "../visit.ts";
import { readDisruption } from "./chokepoints.ts";
import { seriesProvenance } from "./series/series-read.ts";

const operation = operationFor(SupplyChainService.method.getChokepointDependencies);
/** The most that the read answers. */
const maxDependencies = 100;

/** `/chokepoints/<id>`: its disruption over time, and who depends on it for what. */
export function chokepointPage({ facts }: Sections): MakePage {
  return async (visit) => {
    const chokepoint = chokepointById(lastSegment(visit.path));
    if (!chokepoint) return undefined;
    const { id, name, threat, oilBaseline } = chokepoint;
    const [disruption, dependencies] = await Promise.all([
      readDisruption(visit, [id], 365),
      visit.read(operation, { chokepoint_id: id, page_size: maxDependencies, sort: "share" }),
    ]);
    const block = blockMaker(visit, facts);
    const blocks = [
      block({
        id: "disruption",
        title: "Disruption",
        about: html`0 is calm, 100 is closed. <a href="/series/chokepoint.disruption?keys=${id}">Compare with others</a>`,
        content:
          disruption.answer.kind === "answered"
            ? lineChart({ lines: disruption.lines, title: `Disruption of ${name}`, unit: "", range: [0, 100] })
            : undefined,
        provenance: seriesProvenance(disruption, operation),
      }),
      block({
        id: "dependencies",
        title: "Who depends on it",
        about: `The ${maxDependencies} largest shares of imports that pass here, by country and commodity. Shares are modeled, not measured: from each import's exporters and the table of trade routes, or from the country's trade routes only.`,
        content:
          dependencies.kind === "answered"
            ? dependenciesMarkup(fromJson(GetChokepointDependenciesResponseSchema, dependencies.body).dependencies)
            : undefined,
        provenance: provenanceOf(dependencies),
      }),
    ];
    const body = html`<main id="content" tabindex="-1"><header class="top"><p class="crumbs"><a href="/chokepoints">Chokepoints</a></p><h1>${name}</h1><p class="lead">Threat level: ${labelOf(threat).toLowerCase()}.${oilBaseline && ` About ${numberText(oilBaseline.millionBarrelsPerDay)} million barrels of oil a day in a usual year.`}</p></header><div class="grid">${blocks.map(({ markup }) => markup)}</div></main>`;
    return { title: name, description: `Disruption of ${name} and who depends on it.`, body, blocks };
  };
}

function dependenciesMarkup(dependencies: readonly ChokepointDependency[]): Html {
  if (dependencies.length === 0)
    return html`<div class="nothing"><p><strong>None.</strong> No covered import passes here.</p></div>`;
  const shares = evenly(
    dependencies.flatMap(({ transitShare }) => (transitShare === undefined ? [] : percentOf(transitShare))),
  );
  const scores = evenly(dependencies.flatMap(({ score }) => score ?? []));
  return html`<div class="wide scrolls" role="region" aria-label="Table: Dependencies" tabindex="0"><table class="cards"><thead><tr><th scope="col">Country</th><th scope="col">Commodity</th><th scope="col" class="number">Share passing here (modeled)</th><th scope="col">Modeled from</th><th scope="col" class="number">Vulnerability</th><th scope="col">Band</th></tr></thead><tbody>${dependencies.map(
    ({ countryIso2, commodity, transitShare, shareBasis, score, band }) =>
      html`<tr><th scope="row">${countryLink(countryIso2)}</th><td data-label="Commodity">${commodity}</td><td class="number" data-label="Share passing here (modeled)">${transitShare === undefined ? "–" : `${shares(percentOf(transitShare))}%`}</td><td data-label="Modeled from">${shareBases[shareBasis] ?? "–"}</td><td class="number" data-label="Vulnerability">${score === undefined ? "–" : html`<span class="bar-cell">${bar(score, 100, "risk")}<span>${scores(score)}</span></span>`}</td><td data-label="Band">${band}</td></tr>\n`,
  )}</tbody></table></div>`;
}

const shareBases: Readonly<Record<string, string>> = {
  flow_weighted: "imports and routes",
  country_route_fallback: "routes only",
};

/** To a tenth. */
function percentOf(share: number): number {
  return Math.round(share * 1000) / 10;
}
