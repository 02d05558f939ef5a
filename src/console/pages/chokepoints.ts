import { SupplyChainService } from "../../../gen/es/ids/supply_chain/v1/supply_chain_pb.ts";
import { type Html, html } from "../../pages/html.ts";
import { chokepoints, threatLevelsReviewedAt } from "../../reference/trade/chokepoints.ts";
import { operationFor } from "../metadata.ts";
import type { MakePage, PageContext } from "../page-context.ts";
import type { Sections } from "../sections.ts";
import { blockMaker } from "../view/block.ts";
import { bar, numberText } from "../view/figures.ts";
import { labelOf } from "../view/labels.ts";
import { sparkline } from "../view/line-chart.ts";
import { type ChartLine, pointsTable } from "../view/points-table.ts";
import { dayText } from "../view/times.ts";
import { dayBefore, readSeries, type SeriesRead, seriesProvenance } from "./series/series-read.ts";

const madeBy = operationFor(SupplyChainService.method.getChokepointDependencies);

export function readDisruption(page: PageContext, ids: readonly string[], days: number): Promise<SeriesRead> {
  const from = dayBefore(page, days);
  return readSeries(page, { series: "chokepoint.disruption", keys: ids.join(","), from, interval: "day" });
}

export function chokepointsPage({ metadata }: Sections): MakePage {
  return async (page) => {
    const read = await readDisruption(
      page,
      chokepoints.map(({ id }) => id),
      90,
    );
    const list = blockMaker(
      page,
      metadata,
    )({
      id: "disruption",
      title: "Disruption",
      about:
        "0 is calm, 100 is closed: from threat levels, navigational warnings and ship transits. The line shows 90 days.",
      content: read.response.kind === "answered" ? listMarkup(read.lines) : undefined,
      provenance: seriesProvenance(read, madeBy),
    });
    const body = html`<main id="content" tabindex="-1"><header class="top"><h1>Chokepoints</h1><p class="lead">Straits and canals that much of world trade passes. Choose one for the countries and commodities that depend on it.</p></header>${list.markup}</main>`;
    return { title: "Chokepoints", description: "Maritime chokepoints and their disruption.", body, blocks: [list] };
  };
}

function listMarkup(lines: readonly ChartLine[]): Html {
  const byId = new Map(lines.map((line) => [line.key.toLowerCase(), line]));
  const rows = chokepoints
    .map(({ id, name, threat }) => {
      const values = (byId.get(id)?.points ?? []).flatMap(({ value }) => (value === undefined ? [] : [value]));
      return { id, name, threat, values, last: values.at(-1) };
    })
    .sort((a, b) => (b.last ?? -1) - (a.last ?? -1));
  const named = chokepoints.flatMap(({ id, name }) => {
    const line = byId.get(id);
    return line ? [{ ...line, label: name }] : [];
  });
  return html`<div class="wide" role="region" aria-label="Table: Chokepoints" tabindex="0"><table class="cards"><thead><tr><th scope="col">Chokepoint</th><th scope="col" class="number">Disruption</th><th scope="col">90 days</th><th scope="col">Threat level</th></tr></thead><tbody>${rows.map(
    ({ id, name, threat, values, last }) =>
      html`<tr><th scope="row"><a href="/chokepoints/${id}">${name}</a></th><td class="number" data-label="Disruption">${last === undefined ? "–" : html`<span class="bar-cell">${bar(last, 100, "risk")}<span>${numberText(last)}</span></span>`}</td><td data-label="90 days">${values.length > 1 && sparkline(values)}</td><td data-label="Threat level">${labelOf(threat)}</td></tr>\n`,
  )}</tbody></table></div>${pointsTable(named, { title: "Disruption of chokepoints", unit: "", maxRows: 15 })}<p class="small soft">Threat levels are set manually, last reviewed on ${dayText(Date.parse(threatLevelsReviewedAt))}.</p>`;
}
