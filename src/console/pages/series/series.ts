import { HistoryService, type Series } from "../../../../gen/es/ids/history/v1/history_pb.ts";
import { columnUnit, labelOf } from "../../../contract/labels.ts";
import { lastSegment } from "../../../http/rest/path-parameters.ts";
import { type Html, html } from "../../../pages/html.ts";
import { inlineMarkup } from "../../../pages/reference/markup/block-markup.ts";
import { intervals } from "../../../reference/calendar.ts";
import { countries } from "../../../reference/countries/countries.ts";
import { dayMs } from "../../../reference/duration.ts";
import { chokepointById } from "../../../reference/trade/chokepoints.ts";
import { operationNamed, readMessage } from "../../metadata.ts";
import { type MakePage, Moved, type PageContext } from "../../page-context.ts";
import type { Sections } from "../../sections.ts";
import { availabilityOf } from "../../view/availability.ts";
import { blockMaker, nothing } from "../../view/block.ts";
import { amountText } from "../../view/figures.ts";
import { lineChart } from "../../view/line-chart.ts";
import type { ChartLine } from "../../view/points-table.ts";
import { codesOfNames } from "../../view/request-form.ts";
import { hasPeriods } from "../../view/times.ts";
import { sentence } from "./series-list.ts";
import {
  dayBefore,
  differsByKey,
  maxKeys,
  namedSeries,
  readSeries,
  type SeriesRead,
  seriesName,
  seriesProvenance,
  shownStep,
  stepBetween,
  withOwnTerms,
} from "./series-read.ts";

interface SeriesRequest {
  readonly keys: readonly string[];
  /** Keys in the URL that exceed the maximum number of keys in a chart. */
  readonly leftOut: readonly string[];
  readonly isChosen: boolean;
  readonly from: string;
  readonly to: string;
  readonly interval: string;
  readonly aggregation: string;
}

/** Default keys by series. The first list with a key that the series has is used. */
const firstKeys: Readonly<Record<string, readonly (readonly string[])[]>> = {
  country: [
    ["UA", "SD", "MM", "US"],
    ["DE", "FR", "IT", "PL"],
  ],
  reporter: [["US", "DE", "CN"]],
  chokepoint: [["suez", "bab_el_mandeb", "hormuz_strait", "panama"]],
  place: [["EU", "world"]],
  metal: [["gold", "silver"]],
  topic: [["military", "cyber", "sanctions"]],
  "publisher's series": [["USPRIV"], ["VIXCLS"]],
};

/** Returns whether the first part of a key is a country, which users may write by name. */
function isOfCountries({ keyParts: [first] }: Series): boolean {
  return first === "country" || first === "reporter";
}

export const seriesParameters = ["keys", "add", "from", "to", "interval", "aggregation"];

function seriesRequest(series: Series, page: PageContext, proposal = 0): SeriesRequest {
  const { keyParts, step, aggregation } = series;
  const { query } = page;
  const texts = [...query.getAll("keys"), ...query.getAll("add")];
  const written = isOfCountries(series) ? codesOfNames(texts) : texts.flatMap((text) => text.split(","));
  const given = written.map((key) => key.trim()).filter((key) => key !== "");
  const first = firstKeys[keyParts[0] ?? ""]?.[proposal] ?? [];
  const proposed = keyParts.length > 1 ? first.slice(0, 1) : first;
  const wanted = [...new Set(given.length > 0 ? given : proposed)];
  const max = Number(maxKeys);
  return {
    keys: wanted.slice(0, max),
    leftOut: wanted.slice(max),
    isChosen: given.length > 0,
    from: query.get("from") || firstDay(series, page),
    to: query.get("to") ?? "",
    interval: query.get("interval") || (step === "refresh" ? "day" : "raw"),
    aggregation: query.get("aggregation") || aggregation,
  };
}

/**
 * Returns the first day: a year of values that change with refreshes, within the viewer's plan, and much more for
 * values of months or years.
 */
function firstDay({ step, firstAt, lastAt }: Series, page: PageContext): string {
  if (step === "refresh") return dayBefore(page, 365);
  const isSlow = step === "year" || step === "quarter" || step === "month";
  const last = lastAt === undefined ? page.now : Math.min(Number(lastAt), page.now);
  const earliest = firstAt === undefined ? 0 : Number(firstAt) - dayMs;
  return new Date(Math.max(last - (isSlow ? 30 : 1) * 365 * dayMs, earliest)).toISOString().slice(0, 10);
}

/** Returns the URL of a view of the series. It also contains the keys that the chart leaves out. */
function seriesAddress(
  id: string,
  { keys, leftOut, from, to, interval, aggregation }: Omit<SeriesRequest, "isChosen">,
): string {
  const named = [...keys, ...leftOut].join(",");
  const pairs = Object.entries({ keys: named, from, to, interval, aggregation }).filter(([, value]) => value !== "");
  return `/series/${id}?${new URLSearchParams(pairs)}`;
}

export function seriesPage({ metadata }: Sections): MakePage {
  return async (page) => {
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
    const read = { ...reported, lines: await withOwnTerms(series, reported.lines, page) };
    const step = shownStep(series, read.lines, wanted.interval);
    const block = blockMaker(page, metadata);
    const chart = block({
      id: "chart",
      title: "Over time",
      about: read.response.kind === "answered" ? aboutOf(series, read.lines, wanted) : undefined,
      content: contentOf(series, read, { ...wanted, step, isCut: page.isCut === true }),
      provenance: seriesProvenance(read, operationNamed(series.operation), {
        lastAt: Number(series.lastAt ?? 0),
        interval: wanted.interval,
        step: differsByKey(series) || hasPeriods(series.step) ? step : undefined,
      }),
    });
    const body = html`<main id="content" tabindex="-1"><header class="top"><p class="crumbs"><a href="/series">Series</a> / <a href="/data/${series.dataset}">${labelOf(series.dataset)}</a></p><h1>${namedSeries(id)}</h1><p class="lead">${inlineMarkup(series.title)}</p></header>
${seriesForm(series, wanted)}
${chart.markup}</main>`;
    return { title: seriesName(id), description: sentence(series.title), body, blocks: [chart] };
  };
}

interface WantedSeries {
  readonly wanted: SeriesRequest;
  readonly reported: SeriesRead;
}

/** Reads the requested keys, or else the first default list with a known key. */
async function readWanted(series: Series, page: PageContext, proposal = 0): Promise<WantedSeries> {
  const wanted = seriesRequest(series, page, proposal);
  const reported = await readKeys(series, page, wanted);
  if (wanted.isChosen) return { wanted, reported };
  // A rejected response does not say which keys exist, so no further list is tried.
  if (reported.response.kind === "refused") return { wanted: { ...wanted, keys: [] }, reported };
  const known = wanted.keys.filter((key) => !reported.unknownKeys.includes(key));
  if (known.length === 0 && proposal + 1 < (firstKeys[series.keyParts[0] ?? ""]?.length ?? 1))
    return readWanted(series, page, proposal + 1);
  const measured = known.filter((key) => reported.lines.some((line) => isOf(line, key)));
  const keys = measured.length > 0 ? measured : known;
  if (keys.length === 0 || keys.length === wanted.keys.length) return { wanted, reported };
  const some = { ...wanted, keys };
  return { wanted: some, reported: await readKeys(series, page, some) };
}

function readKeys({ id }: Series, page: PageContext, { keys, from, to, interval, aggregation }: SeriesRequest) {
  return readSeries(page, { series: id, keys: keys.join(","), from, to, interval, aggregation }, keyName);
}

/** Returns whether the line has values and its key starts with the requested key. */
function isOf({ key, points }: ChartLine, wanted: string): boolean {
  return (key === wanted || key.startsWith(`${wanted}/`)) && points.some(({ value }) => value !== undefined);
}

function aboutOf(
  series: Series,
  lines: readonly ChartLine[],
  { interval, aggregation }: Pick<SeriesRequest, "interval" | "aggregation">,
): string {
  const { methodologyVersion } = series;
  return [
    isOfCountries(series) && series.keys > 0 ? `Covers ${amountText(series.keys, "country", "countries")}.` : "",
    ...(differsByKey(series) ? keysText(lines, interval) : measureText(series)),
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
  { response, lines, note, relatedSeries }: SeriesRead,
  { step, isCut, ...request }: SeriesRequest & { readonly step: string | undefined; readonly isCut: boolean },
): Html | undefined {
  if (response.kind === "refused") return undefined;
  const { isChosen, leftOut } = request;
  const related = relatedSeries.map((id) => html` <a href="${seriesAddress(id, request)}">Show ${id}</a>`);
  const why = note !== "" && html`${note}${related}`;
  const isEmpty = lines.every(({ points }) => points.every(({ value }) => value === undefined));
  const drawn = lines.length <= maxLines ? lines : [...lines].sort((a, b) => endOf(b) - endOf(a)).slice(0, maxLines);
  return html`${lineChart({ lines: drawn, title: sentence(series.title), unit: series.unit, scale: series.scale, step, height: 320, maxRows, whyEmpty: why })}
${drawn.length < lines.length && html`<p class="small soft">The ${maxLines} highest of ${lines.length} lines. Enter keys to choose others. Downloads have all lines.</p>`}
${why && isChosen && !isEmpty && html`<p class="small soft">${why}</p>`}
${leftOut.length > 0 && html`<p class="caution">Left out of chart, table, and downloads: ${leftOut.map(keyName).join("; ")}. A request accepts ${String(maxKeys)} keys.</p>`}
${isCut && html`<p class="caution">The address is too long and was ignored. Use fewer keys.</p>`}`;
}

function endOf({ points }: ChartLine): number {
  return points.findLast(({ value }) => value !== undefined)?.value ?? Number.NEGATIVE_INFINITY;
}

/** Creates the form for keys, time span, and interval. It works without a script, because each choice is a URL. */
function seriesForm(series: Series, request: SeriesRequest): Html {
  // A sum makes no sense for a level that is measured at each refresh.
  const { id, keyParts, step } = series;
  const { keys, from, to, interval, aggregation } = request;
  return html`<form class="filters" action="/series/${id}" autocomplete="off">
<span class="field wide-field"><label for="keys">${labelOf(keyParts.join(" / "))}, several with commas</label><input id="keys" name="keys" value="${keys.join(",")}" maxlength="1500" autocomplete="off" spellcheck="false"></span>
${isOfCountries(series) && countryChoice(keys)}
<span class="field"><label for="from">From</label><input id="from" name="from" class="day" value="${from.slice(0, 10)}" placeholder="YYYY-MM-DD" autocomplete="off"></span>
<span class="field"><label for="to">To</label><input id="to" name="to" class="day" value="${to.slice(0, 10)}" placeholder="YYYY-MM-DD" autocomplete="off"></span>
${choice("interval", "Interval", interval, intervals)}
${choice("aggregation", "Value of an interval", aggregation, ["last", "mean", "min", "max", ...(step === "refresh" ? [] : ["sum"])])}
<button>Show</button></form>
${keys.length > 1 && removals(id, request)}`;
}

function countryChoice(keys: readonly string[]): Html {
  const others = [...countries.values()]
    .filter(({ alpha2 }) => !keys.includes(alpha2))
    .sort((a, b) => a.name.localeCompare(b.name, "en"));
  return html`<span class="field"><label for="add">Add a country</label><input id="add" name="add" list="countries" maxlength="80" autocomplete="off"><datalist id="countries">${others.map(({ name }) => html`<option value="${name}"></option>`)}</datalist></span>`;
}

function choice(name: string, label: string, value: string, choices: readonly string[]): Html {
  return html`<span class="field"><label for="${name}">${label}</label><select id="${name}" name="${name}">${choices.map(
    (each) => html`<option${each === value && html` selected`}>${each}</option>`,
  )}</select></span>`;
}

function removals(id: string, request: SeriesRequest): Html {
  return html`<ul class="tabs" aria-label="Remove a line">${request.keys.map((key) => {
    const keys = request.keys.filter((each) => each !== key);
    return html`<li><a href="${seriesAddress(id, { ...request, keys })}"><span class="unseen">Remove </span>${keyName(key)} <span aria-hidden="true">×</span></a></li>`;
  })}</ul>`;
}

/** Returns `Ukraine, cobalt` for `UA/cobalt`. */
function keyName(key: string): string {
  const [first = "", ...rest] = key.split("/");
  const name = countries.get(first)?.name ?? chokepointById(first)?.name ?? first;
  return [name, ...rest.map((part) => labelOf(part).toLowerCase())].join(", ");
}
