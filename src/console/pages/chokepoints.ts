import { ConflictService } from "../../../gen/es/ids/conflict/v1/conflict_pb.ts";
import { MilitaryService } from "../../../gen/es/ids/military/v1/military_pb.ts";
import { SupplyChainService } from "../../../gen/es/ids/supply_chain/v1/supply_chain_pb.ts";
import type { Place } from "../../contract/columns.ts";
import { labelOf } from "../../contract/labels.ts";
import { isObject, type JsonObject } from "../../contract/request/body.ts";
import { tablesOf } from "../../contract/tables.ts";
import { lastSegment } from "../../http/rest/path-parameters.ts";
import { type Html, html } from "../../pages/html.ts";
import {
  type Chokepoint,
  chokepointById,
  chokepoints,
  threatLevelsReviewedAt,
} from "../../reference/trade/chokepoints.ts";
import { commodities } from "../../reference/trade/commodities.ts";
import { areaGround } from "../map/country-map.ts";
import { mapMarkup, scaleMarkup } from "../map/map-figure.ts";
import { stepOf, worldGround } from "../map/world-map.ts";
import { operationFor } from "../metadata.ts";
import type { Block, PageContext, PageView } from "../page-context.ts";
import { blockOf, provenanceOf } from "../view/block.ts";
import { rowsMarkup } from "../view/data-table.ts";
import { amountText, barCell, keyFigure, numberText, unknown } from "../view/figures.ts";
import { lineChart, sparkline } from "../view/line-chart.ts";
import { type ChartLine, pointsTable } from "../view/points-table.ts";
import { requestForm } from "../view/request-form.ts";
import { ago, dayText } from "../view/times.ts";
import { watchPath } from "./alerts/watchlist.ts";
import { type Compared, shipsOfLastMonth, shipsView } from "./chokepoint-ships.ts";
import { closureCost, costFields, givenIn } from "./closure-cost.ts";
import { dailySeries, type SeriesRead, seriesProvenance } from "./series/series-read.ts";

const dependenciesOf = operationFor(SupplyChainService.method.getChokepointDependencies);

const series = "chokepoint.disruption";
const allIds = chokepoints.map(({ id }) => id);

/** Draws a map with links to all chokepoints, or to those around one. Colors show the last value of disruption. */
async function mapBlock(page: PageContext, read: SeriesRead, here?: Chokepoint): Promise<Block> {
  const title = "Disruption";
  const values = new Map(lastValues(read.lines));
  const pins = chokepoints.map(({ id, name, latitude, longitude }) => {
    const value = values.get(id);
    const text = `${name}\n${title}: ${value === undefined ? "unknown" : numberText(value)}`;
    const step = value === undefined ? undefined : stepOf(value, "risk");
    return { latitude, longitude, text, path: `/chokepoints/${id}`, step, isHere: id === here?.id };
  });
  const otherwise = values.size < chokepoints.length ? "unknown" : "";
  const shading = { id: "disruption", title, kind: "risk", otherwise, values } as const;
  const scale = scaleMarkup(shading, amountText(values.size, "chokepoint"));
  const label = "Map of chokepoints, each with a link to its page";
  return blockOf(page, {
    id: "map",
    title: here ? "Where" : "Where they are",
    content: await mapMarkup({ ground: here ? areaGround(here) : worldGround(), label, pins, scale }, page),
    provenance: seriesProvenance(read, dependenciesOf),
    ...(here && { span: "half" }),
  });
}

function lastValues(lines: readonly ChartLine[]): [id: string, value: number][] {
  return lines.flatMap(({ key, points }) => {
    const last = points.findLast(({ value }) => value !== undefined)?.value;
    return last === undefined ? [] : [[key.toLowerCase(), last]];
  });
}

export async function chokepointsPage(page: PageContext): Promise<PageView | undefined> {
  const [read, { month, ships }] = await Promise.all([
    dailySeries(page, series, allIds, 90),
    shipsOfLastMonth(page, allIds),
  ]);
  const map = await mapBlock(page, read);
  const list = blockOf(page, {
    id: "disruption",
    title: "Disruption",
    about: html`0 is calm, 100 is the highest level: from threat levels, navigational warnings and ship transits. The line shows 90 days. ${month !== undefined && `Ships are those of ${month}, compared with a year before.`}`,
    content: read.response.kind === "answered" ? listMarkup(read.lines, ships) : undefined,
    provenance: seriesProvenance(read, dependenciesOf),
  });
  const body = html`<main id="content" tabindex="-1"><header class="top"><h1>Chokepoints</h1><p class="lead">Straits and canals that much of world trade passes. Choose one for the countries and commodities that depend on it.</p></header><div class="grid">${map.markup}${list.markup}</div></main>`;
  const description = "Maritime chokepoints and their disruption.";
  return { title: "Chokepoints", description, body, blocks: [list, map] };
}

function listMarkup(lines: readonly ChartLine[], ships: ReadonlyMap<string, Compared>): Html {
  const byId = new Map(lines.map((line) => [line.key.toLowerCase(), line]));
  const rows = chokepoints
    .map(({ id, name, threat }) => {
      const values = (byId.get(id)?.points ?? []).flatMap(({ value }) => (value === undefined ? [] : [value]));
      return { id, name, threat, values, last: values.at(-1) };
    })
    .sort((a, b) => (b.last ?? -1) - (a.last ?? -1));
  const named = chokepoints.flatMap(({ id }) => byId.get(id) ?? []);
  return html`<div class="wide" role="region" aria-label="Table: Chokepoints" tabindex="0"><table class="cards"><thead><tr><th scope="col">Chokepoint</th><th scope="col" class="number">Disruption</th><th scope="col">90 days</th><th scope="col" class="number">Ships a day</th><th scope="col" class="number">Change over a year</th><th scope="col">Threat level</th></tr></thead><tbody>${rows.map(
    ({ id, name, threat, values, last }) =>
      html`<tr><th scope="row"><a href="/chokepoints/${id}">${name}</a></th><td class="number" data-label="Disruption">${last === undefined ? "–" : barCell(last, "risk", numberText(last))}</td><td data-label="90 days">${values.length > 1 && sparkline(values)}</td>${shipsCells(ships.get(id))}<td data-label="Threat level">${labelOf(threat)}</td></tr>\n`,
  )}</tbody></table></div>${pointsTable(named, { title: "Disruption of chokepoints", unit: "", maxRows: 15 })}<p class="small soft">Threat levels are set manually, last reviewed on ${dayText(Date.parse(threatLevelsReviewedAt))}.</p>`;
}

function shipsCells({ ships, change }: Partial<Compared> = {}): Html {
  const changed = change !== undefined && `${change > 0 ? "+" : ""}${numberText(change)}%`;
  return html`<td class="number" data-label="Ships a day">${ships === undefined ? unknown : numberText(ships)}</td><td class="number" data-label="Change over a year">${changed || unknown}</td>`;
}

const filterFields = ["country_code", "commodity_id", "sort"];

export const chokepointParameters = [...filterFields, ...costFields];

/** Maximum number of rows that the contract allows per read. */
const maxDependencies = 100;

/** Creates `/chokepoints/<id>`: its disruption over time, and the imports that depend on it. */
export async function chokepointPage(page: PageContext): Promise<PageView | undefined> {
  const chokepoint = chokepointById(lastSegment(page.path));
  if (!chokepoint) return undefined;
  const { id, name, threat, oilBaseline } = chokepoint;
  const filters = { sort: "share", ...givenIn(page, filterFields) };
  const requested = { ...filters, chokepoint_id: id, page_size: maxDependencies };
  const rolesOf = (trade_role: string) => page.read(dependenciesOf, { ...requested, trade_role });
  const [disruption, all, importers, exporters, ships, cost] = await Promise.all([
    dailySeries(page, series, [id]),
    dailySeries(page, series, allIds, 90),
    rolesOf("net_importer"),
    rolesOf("net_exporter"),
    shipsView(page, chokepoint),
    closureCost(page, id, filterFields),
  ]);
  const form =
    !page.isEmbed &&
    requestForm({
      ...{ response: importers, action: `${page.path}#dependencies` },
      ...{ values: new URLSearchParams(filters), hidden: givenIn(page, costFields) },
      without: ["chokepoint_id", "trade_role"],
      choices: { commodity_id: commodities.map((each) => [each.id, each.name]) },
    });
  const allRows = (trade_role?: string) => {
    const query = new URLSearchParams({
      op: dependenciesOf.name,
      ...(trade_role !== undefined && { ...filters, trade_role }),
    });
    query.set("chokepoint_id", id);
    return `${page.metadata.pageOf(dependenciesOf) ?? ""}?${query}#rows`;
  };
  const blocks = [
    blockOf(page, {
      id: "disruption",
      title: "Disruption",
      ownTitle: `${name}: disruption`,
      chart: { series, keys: [id], embedHeight: 580 },
      about: html`0 is calm, 100 is the highest level. <a href="/series/${series}?keys=${id}">Compare with others</a>`,
      content:
        disruption.response.kind === "answered"
          ? lineChart({ lines: disruption.lines, title: `Disruption of ${name}`, unit: "", range: [0, 100] })
          : undefined,
      provenance: seriesProvenance(disruption, dependenciesOf),
      span: "half",
    }),
    await mapBlock(page, all, chokepoint),
    ships.block,
    blockOf(page, {
      id: "dependencies",
      title: "Who depends on it",
      about: html`At most ${maxDependencies} shares of imports that pass here, by country and commodity, largest first, of countries that import more of the commodity than they export. Commodities of the same chapter share a row, with the highest of their scores. Shares are modeled, not measured: from each import's exporters and the table of trade routes, or from the country's trade routes only. Each share is of all imports of an HS chapter, such as 27 for crude oil, LNG, and refined petroleum together. Countries without imports on record are not listed here, but <a href="${allRows()}">in the dataset</a>.`,
      content: html`${form}${importers.kind === "answered" && dependenciesMarkup("Dependencies", importers.body, allRows("net_importer"))}`,
      provenance: provenanceOf(importers),
    }),
    blockOf(page, {
      id: "exporters",
      title: "Who exports through it",
      about:
        "Countries of which others import more of the commodity than they import themselves, such as oil exporters. A closure stops their sales. The values below are still of their imports of the same chapter, so they do not say how much the country depends on it. The service has no shares of exports.",
      content:
        exporters.kind === "answered"
          ? dependenciesMarkup("Exporters", exporters.body, allRows("net_exporter"))
          : undefined,
      provenance: provenanceOf(exporters),
    }),
    cost,
  ];
  const body = html`<main id="content" tabindex="-1"><header class="top"><p class="crumbs"><a href="/chokepoints">Chokepoints</a></p><h1>${name}</h1><p class="lead">Threat level: ${labelOf(threat).toLowerCase()}, set manually, last reviewed on ${dayText(Date.parse(threatLevelsReviewedAt))} (${ago(Date.parse(threatLevelsReviewedAt), page.now)}).${oilBaseline && ` About ${numberText(oilBaseline.millionBarrelsPerDay)} million barrels of oil a day in a usual year.`}</p>${figuresMarkup(disruption.lines, ships.figure)}<p class="actions"><a href="${watchPath(name, { chokepoints: id })}">Watch</a>${nearbyLinks(page, id)}</p></header><div class="grid">${blocks.map(({ markup }) => markup)}</div></main>`;
  return { title: name, description: `Disruption of ${name} and who depends on it.`, body, blocks };
}

const nearbyKm = 200;
const nearby = [
  ["Conflict events", operationFor(ConflictService.method.listConflictEvents)],
  ["Military bases", operationFor(MilitaryService.method.listMilitaryBases)],
] as const;

/** Links to lists of places, such as military bases, with a filter for those near a chokepoint. */
function nearbyLinks({ metadata }: PageContext, id: string): Html {
  const query = new URLSearchParams({ near: id, within_km: String(nearbyKm) });
  return html`${nearby.map(([title, operation]) => {
    const path = metadata.pageOf(operation);
    return path !== undefined && html` <a href="${path}?${query}">${title} within ${nearbyKm} km</a>`;
  })}`;
}

const [dependencyTable] = tablesOf(dependenciesOf);
const shown = ["countryIso2", "commodity", "transitShare", "shareChapter", "shareBasis", "score", "band"];

/** Maximum number of rows on the page. The page of the dataset has all rows. */
const maxShown = 10;

function dependenciesMarkup(caption: string, body: JsonObject, allRows: string): Html {
  const places = dependencyTable?.rowsIn(body, {}) ?? [];
  if (places.length === 0)
    return html`<div class="nothing"><p><strong>None known.</strong> No country of this group has imports on record that pass here. ${caption === "Exporters" && "This says nothing about its exports, which are not recorded."}</p></div>`;
  const columns = shown.flatMap((name) => dependencyTable?.columns.filter((column) => column.name === name) ?? []);
  const rows = byChapter(places);
  return html`<div class="whole">${rowsMarkup({ columns, places: rows.slice(0, maxShown), caption, bars: ["transitShare"] })}</div>
<p class="small soft">${rows.length > maxShown && `The first ${maxShown} of ${rows.length} shares. `}<a href="${allRows}">All rows<span class="unseen"> of ${caption}</span></a></p>`;
}

/** Joins the commodities of a country that have the same share, because it is that of their whole chapter. */
function byChapter(places: readonly Place[]): readonly Place[] {
  const rows = places.flatMap((place) => (isObject(place.row) ? [{ place, row: place.row }] : []));
  const groups = Map.groupBy(rows, ({ row: { countryIso2, shareChapter, transitShare } }) =>
    [countryIso2, shareChapter, transitShare].join(" "),
  );
  return [...groups.values()].flatMap((group) => {
    const [best] = group.toSorted((a, b) => Number(b.row.score ?? -1) - Number(a.row.score ?? -1));
    const commodity = group.map(({ row }) => String(row.commodity)).join(", ");
    return best ? [{ ...best.place, row: { ...best.row, commodity } }] : [];
  });
}

function figuresMarkup(lines: readonly ChartLine[], ships: readonly [string, string] | undefined): Html {
  const disruption = lastValues(lines)[0]?.[1];
  return html`<dl class="figures">${disruption !== undefined && keyFigure("Disruption", numberText(disruption), "of 100")}${ships && keyFigure("Ships a day", ...ships)}</dl>`;
}
