import { HistoryService, type Series } from "../../../../gen/es/ids/history/v1/history_pb.ts";
import { columnUnit, labelOf, lowerFirst } from "../../../contract/labels.ts";
import { lastSegment } from "../../../http/rest/path-parameters.ts";
import { type Html, html } from "../../../pages/html.ts";
import { inlineMarkup } from "../../../pages/inline-markup.ts";
import { isoDay } from "../../../reference/calendar.ts";
import { dayMs } from "../../../reference/duration.ts";
import { operationNamed, readMessage } from "../../metadata.ts";
import { Moved, type PageContext, type PageView } from "../../page-context.ts";
import { availabilityOf } from "../../view/availability.ts";
import { blockOf, nothing } from "../../view/block.ts";
import { amountText, keyFigure, numberText } from "../../view/figures.ts";
import { lineChart } from "../../view/line-chart.ts";
import type { ChartLine } from "../../view/points-table.ts";
import { type Tab, tabs } from "../../view/tabs.ts";
import { hasPeriods, lastTimeText, periodText } from "../../view/times.ts";
import { isOfCountries, keyName } from "./key-names.ts";
import { latestValues } from "./latest-values.ts";
import { keyProposals, seriesForm } from "./series-form.ts";
import { sentence } from "./series-list.ts";
import {
  chartTitle,
  dayBefore,
  differsByKey,
  maxKeys,
  namedSeries,
  type SeriesRead,
  seriesName,
  seriesProvenance,
  shownStep,
  stepBetween,
} from "./series-read.ts";
import { firstKeys, type SeriesRequest, seriesAddress, seriesRequest } from "./series-request.ts";
import { readKeys, type ShownSeries, shownSeries } from "./series-shown.ts";
import { summaryMarkup } from "./series-summary.ts";
import { isSeriesView, seriesViews } from "./series-views.ts";

export async function seriesPage(page: PageContext): Promise<PageView | undefined> {
  const id = lastSegment(page.path);
  const { response, message: listed } = await readMessage(page.read, HistoryService.method.listSeries);
  if (!listed) {
    const rejected = html`<main id="content" tabindex="-1"><header class="top"><h1>${namedSeries(id)}</h1></header>${nothing(availabilityOf(response), page)}</main>`;
    return { title: seriesName(id), description: "A figure over time.", body: rejected };
  }
  const series = listed.series.find((each) => each.id === id);
  if (!series) return undefined;
  if (page.query.get("add") && !page.isEmbed) throw new Moved(seriesAddress(id, seriesRequest(series, page)));
  const { wanted, reported } = await readWanted(series, page);
  const [shown, proposals, latest] = await Promise.all([
    shownSeries(series, page, { wanted, reported }),
    page.isEmbed ? [] : keyProposals(series, page),
    page.isEmbed && page.query.get("block") !== "latest" ? undefined : latestValues(series, page),
  ]);
  const step = shownStep(series, shown.lines, shown.interval);
  const named = (wanted.view === "band" ? wanted.keys.slice(0, 1) : wanted.keys).map(keyName);
  const chart = blockOf(page, {
    id: "chart",
    title: wanted.view === "value" ? "Over time" : seriesViews[wanted.view],
    content: contentOf(series, shown, { ...wanted, step, page }),
    provenance: seriesProvenance({ ...shown, lines: reported.lines }, operationNamed(series.operation), {
      lastAt: Number(series.lastAt ?? 0),
      interval: shown.interval,
      step: differsByKey(series) || hasPeriods(series.step) ? step : undefined,
    }),
    span: "two-thirds",
    ownTitle: `${chartTitle(id, named)}${wanted.view === "value" ? "" : `, ${lowerFirst(seriesViews[wanted.view])}`}`,
    chart: { series: id, keys: wanted.keys, embedHeight: wanted.keys.length > 1 ? 780 : 700 },
  });
  const blocks = [chart, ...(latest ? [blockOf(page, latest)] : [])];
  const body = html`<main id="content" tabindex="-1"><header class="top"><p class="crumbs"><a href="/series">Series</a> / <a href="/data/${series.dataset}">${labelOf(series.dataset)}</a></p><h1>${namedSeries(id)}</h1><p class="lead">${inlineMarkup(series.title)}</p>${lastMarkup(series, wanted.view === "value" ? shown.lines : reported.lines, { step, now: page.now })}</header>
${!page.isEmbed && html`${viewsMarkup(id, wanted)}${!hasPeriods(series.step) && spansMarkup(series, wanted, page)}`}
<div class="grid">${blocks[0]?.markup}${seriesForm(series, wanted, proposals)}${blocks[1]?.markup}</div></main>`;
  return { title: seriesName(id), description: sentence(series.title), body, blocks };
}

/** Shows the last value of each line with its time and unit. */
function lastMarkup(
  { unit: ofAll, scale }: Series,
  lines: readonly ChartLine[],
  { step, now }: { readonly step: string | undefined; readonly now: number },
): Html {
  const figures = lines.slice(0, maxLines).flatMap(({ label, unit = ofAll, points }) => {
    const last = points.findLast(({ value }) => value !== undefined);
    if (last?.value === undefined) return [];
    const measure = columnUnit(unit, scale);
    const time = step === "year" ? lastTimeText(last.at, step, now) : periodText(last.at, step);
    const text = measure === "" ? time : `${time}, ${measure}`;
    return [keyFigure(label, numberText(last.value), text)];
  });
  return html`${figures.length > 0 && html`<dl class="figures">${figures}</dl>`}`;
}

interface WantedSeries {
  readonly wanted: SeriesRequest;
  readonly reported: SeriesRead;
}

/** Reads the requested keys, or else the first default list of which a key has points, or else is known. */
export async function readWanted(series: Series, page: PageContext, proposal = 0): Promise<WantedSeries> {
  const wanted = seriesRequest(series, page, proposal);
  const reported = await readKeys(series, page, wanted);
  if (wanted.isChosen) return { wanted, reported };
  // The response to a rejected read does not say which keys exist, so no other list of keys is tried.
  if (reported.response.kind === "refused") return { wanted: { ...wanted, keys: [] }, reported };
  const known = wanted.keys.filter((key) => !reported.unknownKeys.includes(key));
  const measured = known.filter((key) => reported.lines.some((line) => isOf(line, key)));
  if (measured.length === 0 && proposal + 1 < (firstKeys[series.keyParts[0] ?? ""]?.length ?? 1)) {
    const next = await readWanted(series, page, proposal + 1);
    if (known.length === 0 || next.reported.lines.some(({ points }) => points.length > 0)) return next;
  }
  const keys = measured.length > 0 ? measured : known;
  if (keys.length === 0 || keys.length === wanted.keys.length) return { wanted, reported };
  const some = { ...wanted, keys };
  return { wanted: some, reported: await readKeys(series, page, some) };
}

/** Returns whether the line has values and its key starts with the requested key. */
function isOf({ key, points }: ChartLine, wanted: string): boolean {
  return (key === wanted || key.startsWith(`${wanted}/`)) && points.some(({ value }) => value !== undefined);
}

function aboutOf(
  series: Series,
  { lines, interval, unit }: ShownSeries,
  { aggregation, view }: Pick<SeriesRequest, "aggregation" | "view">,
): string {
  const { methodologyVersion } = series;
  const viewed = view === "index" ? "The first point of each line is 100." : `In ${unit}.`;
  const measure = view === "value" || view === "band" ? measureText(series) : [viewed];
  return [
    isOfCountries(series) && series.keys > 0
      ? `${series.aggregation === "sum" ? "Has events of" : "Covers"} ${amountText(series.firstParts, "country", "countries")}.`
      : "",
    ...(differsByKey(series) ? keysText(lines, interval) : measure),
    interval === "raw" ? "" : `Shown by ${interval} (${aggregation}).`,
    methodologyVersion === "" ? "" : `Method ${methodologyVersion}; dashed lines mark a break.`,
  ]
    .filter((text) => text !== "")
    .join(" ");
}

function measureText({ unit, scale, step }: Series): readonly string[] {
  const measure = columnUnit(unit, scale);
  const pace = step === "refresh" ? "refresh that changed it, at least one a day" : step;
  return [measure === "" ? "" : `In ${measure}.`, `The series has a point for each ${pace}.`];
}

function keysText(lines: readonly ChartLine[], interval: string): readonly string[] {
  return [
    "Unit and step differ by key.",
    ...lines.map((line) => {
      const step = interval === "week" ? undefined : stepBetween(line);
      const parts = [line.unit ?? "unit not known", ...(step === undefined ? [] : [`a point for each ${step}`])];
      return `${line.label}: ${parts.join(", ")}.`;
    }),
  ];
}

/** Maximum number of table rows: one per day for more than a year, because the table is the main content. */
const maxRows = 400;
/** Maximum number of lines, above which their colors are hard to distinguish. */
const maxLines = 8;

function contentOf(
  series: Series,
  shown: ShownSeries,
  { step, page, ...request }: SeriesRequest & { readonly step: string | undefined; readonly page: PageContext },
): Html | undefined {
  const { response, lines, note, relatedSeries, unit, scale, area, more, lead, reasons } = shown;
  if (response.kind === "refused") return undefined;
  const { isChosen, leftOut } = request;
  const related = relatedSeries.map((id) => html` <a href="${seriesAddress(id, request)}">Show ${id}</a>`);
  const list =
    reasons.length > 0 && html`<ul class="small soft">${reasons.map((reason) => html`<li>${reason}</li>`)}</ul>`;
  const why = note !== "" && html`${note}${related}`;
  const isEmpty = lines.every(({ points }) => points.every(({ value }) => value === undefined));
  const drawn = lines.length <= maxLines ? lines : [...lines].sort((a, b) => endOf(b) - endOf(a)).slice(0, maxLines);
  // The text is below the chart, so that a phone shows the chart without scrolling.
  return html`${lead}${lineChart({ lines: drawn, title: sentence(series.title), unit, scale, step, height: 320, maxRows, area, more, whyEmpty: (why || list) && html`${why}${list}` })}
${response.kind === "answered" && html`<p class="about">${aboutOf(series, shown, request)}</p>`}
${!isEmpty && list}
${!page.isEmbed && !["band", "change"].includes(request.view) && summaryMarkup(drawn, { series, request, unit, step, now: page.now })}
${drawn.length < lines.length && html`<p class="small soft">The ${maxLines} highest of ${lines.length} lines. Remove some to see others. Downloads have all lines.</p>`}
${why && isChosen && !isEmpty && html`<p class="small soft">${why}</p>`}
${leftOut.length > 0 && html`<p class="caution">Left out of chart, table, and downloads: ${leftOut.map(keyName).join("; ")}. A request accepts ${String(maxKeys)} keys.</p>`}`;
}

/** Links to the views of the series, which can also be chosen in the form. */
function viewsMarkup(id: string, request: SeriesRequest): Html {
  const views = Object.entries(seriesViews).flatMap(([view, label]): readonly Tab[] =>
    isSeriesView(view) ? [[label, seriesAddress(id, { ...request, view }), view === request.view]] : [],
  );
  return tabs("View", views);
}

const spans = [
  ["30 days", 30],
  ["90 days", 90],
  ["1 year", 365],
] as const;

/** Links to charts of the last days of a series, and of all of its time within the viewer's plan. */
function spansMarkup({ id, step, firstAt, lastAt }: Series, request: SeriesRequest, page: PageContext): Html {
  const last = Math.min(Number(lastAt ?? page.now), page.now);
  const first = firstAt === undefined ? 0 : Math.ceil((last - Number(firstAt)) / dayMs);
  const links = [...spans, ["All", first] as const].map(([label, days]): Tab => {
    const from = step === "refresh" ? dayBefore(page, days) : isoDay(last - days * dayMs);
    const isHere = request.from.slice(0, 10) === from && request.to === "";
    return [label, seriesAddress(id, { ...request, from, to: "" }), isHere];
  });
  return tabs("Time", links);
}

function endOf({ points }: ChartLine): number {
  return points.findLast(({ value }) => value !== undefined)?.value ?? Number.NEGATIVE_INFINITY;
}
