import {
  HistoryService,
  type ListMoversResponse,
  type Series,
  type SeriesPoint,
} from "../../../../gen/es/ids/history/v1/history_pb.ts";
import { columnUnit, labelOf } from "../../../contract/labels.ts";
import { type Html, html } from "../../../pages/html.ts";
import { table } from "../../../pages/layout.ts";
import { addressWith } from "../../address.ts";
import { operationNamed, readMessage } from "../../metadata.ts";
import type { PageContext } from "../../page-context.ts";
import { type BlockParts, provenanceOf } from "../../view/block.ts";
import { amountText, evenly, numberText, unknown } from "../../view/figures.ts";
import { tabs } from "../../view/tabs.ts";
import { dayText } from "../../view/times.ts";
import { changeText } from "../movers.ts";
import { isOfCountries, keyName } from "./key-names.ts";

/** Maximum number of keys of a series for which the page shows the latest values. */
const maxRead = 500;
const maxRows = 100;
const spans = [7, 30, 90, 365];
export const usualSpan = 30;
const shortest: Readonly<Record<string, number>> = { month: 30, quarter: 90, year: 365 };

/** Returns the spans in days over which changes of a series are shown. They are not shorter than its interval. */
export function spansOf({ step }: Pick<Series, "step">): readonly number[] {
  return spans.filter((days) => days >= (shortest[step] ?? 0));
}

/** Returns whether the page of a series lists the values and changes of its keys: it has several, but not too many. */
export function hasChanges({ keys }: Series): boolean {
  return keys >= 2 && keys <= maxRead;
}

/**
 * Returns the last value of each key. If the URL has `days`, returns the changes instead, the largest first. Counts
 * have only changes, because a single day says little. Undefined for a series with one key or too many keys.
 */
export async function latestValues(series: Series, page: PageContext): Promise<BlockParts | undefined> {
  const { aggregation, operation } = series;
  if (!hasChanges(series)) return undefined;
  const isCount = aggregation === "sum";
  const offered = spansOf(series);
  const wanted = Number(page.query.get("days"));
  const days = offered.includes(wanted) ? wanted : isCount ? usualSpan : undefined;
  const links = offered.map((each) => [`${each} days`, each] as const);
  const views = isCount ? links : [["Latest", undefined] as const, ...links];
  const choice = tabs(
    "Changes",
    views.map(([text, each]) => [text, `${addressWith(page, { days: each?.toString() })}#latest`, each === days]),
  );
  const { title, about, read, content } =
    days === undefined ? await readValues(series, page) : await readChanges(series, days, page);
  return {
    ...{ id: "latest", span: "two-thirds", title, about: `${inUnit(series)}${about}` },
    content: content && html`${choice}${content}`,
    provenance: { ...provenanceOf(read), madeBy: operationNamed(operation) },
  };
}

async function readValues(series: Series, page: PageContext) {
  const requested = { series: series.id, interval: "latest" };
  const { response, message } = await readMessage(page.read, HistoryService.method.getSeries, requested);
  const about = "Keys whose last value is too old, or unknown, are left out.";
  return { title: "Latest values", about, read: response, content: message && valuesMarkup(message.points, series) };
}

async function readChanges(series: Series, days: number, page: PageContext) {
  const requested = { series: series.id, days, limit: maxRows };
  const { response, message } = await readMessage(page.read, HistoryService.method.listMovers, requested);
  const about =
    series.aggregation === "sum"
      ? `Sums of the last ${days} days that are counted, and of the ${days} days before.`
      : `Values now and ${days} days before.`;
  const content = message && changesMarkup(message, series);
  return { title: `Largest changes, ${days} days`, about, read: response, content };
}

function inUnit({ unit, scale }: Series): string {
  const measure = columnUnit(unit, scale);
  return measure === "" ? "" : `In ${measure}. `;
}

function keyHeading(series: Series): string {
  return isOfCountries(series) ? "Country" : labelOf(series.keyParts[0] ?? "key");
}

function keyLink({ id }: Series, key: string): Html {
  return html`<a href="/series/${id}?${new URLSearchParams({ keys: key })}">${keyName(key)}</a>`;
}

function valuesMarkup(points: readonly SeriesPoint[], series: Series): Html {
  const rows = points
    .slice(0, maxRows)
    .map(({ key, at, value = 0 }) => [keyLink(series, key), numberText(value), dayText(Number(at))]);
  const extent =
    points.length > maxRows
      ? `The first ${maxRows} of ${points.length}. The file has all.`
      : amountText(points.length, "key");
  return html`${table([keyHeading(series), "Value", "Day"], rows, [1])}<p class="small soft">${extent}</p>`;
}

function changesMarkup({ movers, excludedKeys, note }: ListMoversResponse, series: Series): Html {
  const text = evenly(movers.flatMap(({ valueThen, valueNow }) => [valueThen, valueNow]));
  const rows = movers.map(({ key, valueThen, valueNow, change, relativeChange, atNow }) => [
    ...[keyLink(series, key), text(valueThen), text(valueNow), changeText(change, text)],
    relativeChange === undefined ? unknown : `${changeText(Math.round(relativeChange * 100))}%`,
    dayText(Number(atNow)),
  ]);
  const left = excludedKeys.length > 0 && ` ${amountText(excludedKeys.length, "key")} without a comparable value.`;
  const extent = html`<p class="small soft">${amountText(movers.length, "key")}${movers.length === maxRows && " with the largest changes"}.${left}</p>`;
  const head = [keyHeading(series), "Before", "Now", "Change", "Percent", "Last day"];
  return rows.length === 0 ? html`<p class="soft">${note}</p>` : html`${table(head, rows, [1, 2, 3, 4])}${extent}`;
}
