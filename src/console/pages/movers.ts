import {
  HistoryService,
  type ListMoversResponse,
  type Mover,
  type Series,
} from "../../../gen/es/ids/history/v1/history_pb.ts";
import { labelOf } from "../../contract/labels.ts";
import { type Html, html } from "../../pages/html.ts";
import { countries } from "../../reference/countries/countries.ts";
import { roundedAway } from "../../reference/rounding.ts";
import { addressWith } from "../address.ts";
import { operationNamed, readMessage } from "../metadata.ts";
import type { Block, PageContext } from "../page-context.ts";
import type { ReadResponse } from "../read-response.ts";
import { blockOf, provenanceOf } from "../view/block.ts";
import { countryLink } from "../view/data-table.ts";
import { evenly, numberText } from "../view/figures.ts";
import { sparkline } from "../view/line-chart.ts";
import { type Tab, tabs } from "../view/tabs.ts";
import { dailySeries, maxKeys, seriesName } from "./series/series-read.ts";

interface MoversRead {
  readonly response: ReadResponse;
  /** The largest changes of the series. Undefined if the read was rejected. */
  readonly message: ListMoversResponse | undefined;
  /** The known values of each key over the days of the change, by key. */
  readonly spans: ReadonlyMap<string, readonly number[]>;
}

/** Reads the largest changes of a series. Also reads the values of these and further keys over the same days. */
export async function readMovers(
  page: PageContext,
  series: string,
  days: number,
  more: Readonly<Record<string, string | number>>,
  others: readonly string[] = [],
): Promise<MoversRead> {
  const { listMovers } = HistoryService.method;
  const { response, message } = await readMessage(page.read, listMovers, { series, days, ...more });
  const known = new Set([...(message?.movers ?? []).map(({ key }) => key), ...others]);
  const keys = [...known].slice(0, Number(maxKeys));
  if (keys.length === 0) return { response, message, spans: new Map() };
  const { lines } = await dailySeries(page, series, keys, days);
  const spans = lines.map(({ key, points }) => [key, points.flatMap(({ value }) => value ?? [])] as const);
  return { response, message, spans: new Map(spans) };
}

/** Returns the series whose changes can be explained, because a value is the sum of components. */
export async function explainedSeries({ read }: PageContext): Promise<readonly Series[]> {
  const { message } = await readMessage(read, HistoryService.method.listSeries);
  return (message?.series ?? []).filter(({ components, keys }) => components !== "" && keys > 0);
}

/** Formats a change: `+4.1`, `−0.8`, `0`. */
export function changeText(change: number, text: (value: number) => string = numberText): string {
  return `${change > 0 ? "+" : change < 0 ? "−" : ""}${text(Math.abs(change))}`;
}

/** Maximum components that a list of changes names. The pages of a country name all. */
const maxReasons = 3;

/**
 * Returns the components that changed most, and the sum of the others: `Conflict +4.1, Unrest −0.8; others +0.2`. The
 * others include what rounding and limits of the score change.
 */
function reasonText({ change, components }: Pick<Mover, "change" | "components">, max = maxReasons): string {
  const isSmall = components.every(({ change: own = 0 }) => roundedAway(own, 1) === 0);
  const decimals = isSmall || /\.\d\d/.test(String(change)) ? 2 : 1;
  const moved = components.flatMap(({ name, change: own = 0 }) => {
    const shown = roundedAway(own, decimals);
    return shown === 0 ? [] : [{ name, shown }];
  });
  const named = moved.slice(0, max);
  if (named.length === 0) return "Components are not known";
  const inDecimals = (value: number) => value.toFixed(decimals);
  const sumOf = (of: typeof moved) => of.reduce((sum, { shown }) => sum + shown, 0);
  const further = [
    ["others", roundedAway(sumOf(moved.slice(max)), decimals)],
    ["rounding and limits", roundedAway(change - sumOf(moved), decimals)],
  ] as const;
  const text = named.map(({ name, shown }) => `${labelOf(name)} ${changeText(shown, inDecimals)}`).join(", ");
  const rest = further.flatMap(([name, value]) => (value === 0 ? [] : [`${name} ${changeText(value, inDecimals)}`]));
  return [text, ...rest].join("; ");
}

const exclusions: Readonly<Record<string, string>> = {
  no_value_then: "no value at the start",
  no_value_now: "no value since then",
  break: "a break: the method, the sources, or the missing inputs changed",
};

/** The change of a key in a series, or the reason why it is unknown. */
interface Change {
  /** The change as a number. Undefined if there is no comparable earlier value. */
  readonly change?: number;
  readonly text: string;
  readonly reason: string;
}

/** Returns a function that returns the change of a key. A known key that the response does not list has not changed. */
export function changesIn({ movers, excludedKeys, emptyReason, unknownKeys }: ListMoversResponse, max?: number) {
  const changes = new Map<string, Change | undefined>(unknownKeys.map((key) => [key, undefined]));
  for (const mover of movers)
    changes.set(mover.key, { change: mover.change, text: changeText(mover.change), reason: reasonText(mover, max) });
  for (const { key, reason } of excludedKeys)
    changes.set(key, { text: "–", reason: `No comparable value: ${exclusions[reason] ?? reason}` });
  const isLoaded = emptyReason === "" || emptyReason === "no_points";
  const unchanged = isLoaded ? { change: 0, text: "0", reason: "No change" } : undefined;
  return (key: string): Change | undefined => (changes.has(key) ? changes.get(key) : unchanged);
}

/** Span of the changes that pages of countries explain. */
const reasonDays = 30;

/** Returns the change of a country's score, with all components. Undefined if the series does not cover the country. */
async function readChange(page: PageContext, series: string, code: string): Promise<Change | undefined> {
  const { message } = await readMovers(page, series, reasonDays, { keys: code });
  return message && changesIn(message, Number.POSITIVE_INFINITY)(code);
}

/** Returns `−4 in 30 days`. Undefined if there is no comparable value. */
export async function readChangeText(page: PageContext, series: string, code: string): Promise<string | undefined> {
  const change = await readChange(page, series, code);
  return change?.change === undefined ? undefined : `${change.text} in ${reasonDays} days`;
}

/** Returns the change of a country's score in words. Undefined if the series does not cover the country. */
export async function reasonMarkup(page: PageContext, series: string, code: string): Promise<Html | undefined> {
  const change = await readChange(page, series, code);
  return change && html`In ${reasonDays} days: <strong>${change.text}</strong>. ${change.reason}.`;
}

const periods = [7, 30, 90];

/** Maximum rises and falls that a list shows: on the page of one score, and on the home page. */
const maxMovers = 5;
const maxMoversOfAll = 3;
/** Series whose higher values are worse. */
const worseIfHigher: ReadonlySet<string> = new Set(["risk.score"]);
/** Maximum number of keys that are named because they cannot be compared. */
const maxNames = 5;

/** How many countries have a score, and how many of its components had data. */
export interface Basis {
  readonly series: string;
  readonly coverage: string;
  readonly byKey: ReadonlyMap<string, string>;
}

/** Returns the block with the largest changes of all series with components; undefined if none has values. */
export async function moversBlock(page: PageContext, basis: Basis): Promise<Block | undefined> {
  const wanted = Number(page.query.get("days"));
  const days = periods.includes(wanted) ? wanted : 30;
  const series = await explainedSeries(page);
  const reads = await Promise.all(
    series.map(async ({ id, operation }) => {
      const read = (direction: string) => readMovers(page, id, days, { limit: maxMoversOfAll, direction });
      const [up, down] = await Promise.all([read("up"), read("down")]);
      return { operation, response: up.response, lists: worseIfHigher.has(id) ? [up, down] : [down, up] };
    }),
  );
  const answered = reads
    .filter(({ lists }) => lists.every(({ message }) => message))
    .sort((a, b) => largestIn(b.lists) - largestIn(a.lists));
  const shown = answered.length > 0 ? answered : reads.slice(0, 1);
  if (shown.length === 0) return undefined;
  const content = html`${!page.isEmbed && periodLinks(page, days)}${answered.map(({ lists }) => moversMarkup(lists, basis))}`;
  return blockOf(page, {
    id: "movers",
    title: `Largest changes, ${days} days`,
    content: answered.length > 0 ? content : undefined,
    provenance: shown.map(({ response, operation }) => ({
      ...provenanceOf(response),
      madeBy: operationNamed(operation),
    })),
    span: "third",
  });
}

function largestIn(lists: readonly MoversRead[]): number {
  return Math.max(...lists.map(({ message }) => Math.abs(message?.movers[0]?.change ?? 0)));
}

function periodLinks(page: PageContext, days: number): Html {
  const linkOf = (each: number): Tab => [`${each} days`, addressWith(page, { days: String(each) }), each === days];
  return tabs("Period", periods.map(linkOf));
}

/** Shows the largest rises and falls of a series, which come from one read. */
export function splitMarkup({ response, message, spans }: MoversRead, basis: Basis): Html | undefined {
  if (!message) return undefined;
  const some = (sign: number) => {
    const movers = message.movers.filter(({ change }) => Math.sign(change) === sign).slice(0, maxMovers);
    return { response, spans, message: { ...message, movers } };
  };
  return moversMarkup(worseIfHigher.has(message.series) ? [some(1), some(-1)] : [some(-1), some(1)], basis);
}

/** Shows the largest changes of a series: first those for the worse, then those for the better. */
function moversMarkup(lists: readonly MoversRead[], basis: Basis): Html {
  const [first] = lists.flatMap(({ message }) => message ?? []);
  if (!first) return html``;
  const { series, excludedKeys } = first;
  const isBased = series === basis.series;
  const basisOf = (key: string) => (isBased && basis.byKey.has(key) ? ` · ${basis.byKey.get(key)}` : "");
  const shown = lists.flatMap(({ message }) => message?.movers ?? []);
  const values = evenly(shown.map(({ valueNow }) => valueNow));
  const changes = evenly(shown.map(({ change }) => Math.abs(change)));
  const list = ({ message, spans }: MoversRead, title: string) =>
    html`<div><h4>${title}</h4>${message?.movers.length === 0 && html`<p class="soft">${message.note || `No value changed for the ${title.toLowerCase()}.`}</p>`}<ul class="rows movers">${message?.movers.map(
      (mover) =>
        html`<li><p>${countryLink(mover.key)}</p><p class="number"><strong>${changeText(mover.change, changes)}</strong> <span class="soft">to</span> ${values(mover.valueNow)}</p>${sparkline(spans.get(mover.key) ?? [])}<p class="small soft">${reasonText(mover)}${basisOf(mover.key)}</p></li>\n`,
    )}</ul></div>`;
  return html`<h3><a href="/series/${series}">${seriesName(series)}</a>${isBased && html` <small class="soft">${basis.coverage}</small>`}</h3><div class="groups">${lists.map((each, at) => list(each, at === 0 ? "Worse" : "Better"))}</div>${
    excludedKeys.length > 0 &&
    html`<p class="small soft">No comparable value: ${excludedKeys
      .slice(0, maxNames)
      .map(({ key, reason }) => `${countries.get(key)?.name ?? key} (${exclusions[reason] ?? reason})`)
      .join(", ")}${excludedKeys.length > maxNames && ` and ${excludedKeys.length - maxNames} more`}.</p>`
  }`;
}
