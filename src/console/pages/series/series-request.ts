import type { Series } from "../../../../gen/es/ids/history/v1/history_pb.ts";
import { isoDay } from "../../../reference/calendar.ts";
import { dayMs } from "../../../reference/duration.ts";
import type { PageContext } from "../../page-context.ts";
import { hasPeriods } from "../../view/times.ts";
import { keysOf } from "./key-names.ts";
import { dayBefore, maxKeys } from "./series-read.ts";
import { isSeriesView, type SeriesView } from "./series-views.ts";

export interface SeriesRequest {
  readonly keys: readonly string[];
  /** Keys in the URL beyond the maximum that a chart can show. */
  readonly leftOut: readonly string[];
  readonly isChosen: boolean;
  readonly from: string;
  readonly to: string;
  readonly interval: string;
  readonly aggregation: string;
  readonly view: SeriesView;
}

/** Default keys by the first part of a series key. The first list of which the series has a key is used. */
export const firstKeys: Readonly<Record<string, readonly (readonly string[])[]>> = {
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

export const seriesParameters = ["keys", "add", "from", "to", "interval", "aggregation", "view", "days"];

export function seriesRequest(series: Series, page: PageContext, proposal = 0): SeriesRequest {
  const { keyParts, step, aggregation } = series;
  const { query } = page;
  const given = keysOf(series, [...query.getAll("keys"), ...query.getAll("add")]);
  const view = query.get("view");
  const first = firstKeys[keyParts[0] ?? ""]?.[proposal] ?? [];
  const proposed = keyParts.length > 1 ? first.slice(0, 1) : first;
  const wanted = given.length > 0 ? given : proposed;
  const max = Number(maxKeys);
  return {
    keys: wanted.slice(0, max),
    leftOut: wanted.slice(max),
    isChosen: given.length > 0,
    from: query.get("from") || firstDay(series, page),
    to: query.get("to") ?? "",
    interval: query.get("interval") || (step === "refresh" ? "day" : "raw"),
    aggregation: query.get("aggregation") || aggregation,
    view: isSeriesView(view) ? view : "value",
  };
}

/**
 * Returns the first day that is shown by default. It is a year ago for values recorded at refreshes, within the
 * viewer's plan, and much earlier for monthly or yearly values.
 */
function firstDay({ step, firstAt, lastAt }: Series, page: PageContext): string {
  if (step === "refresh") return dayBefore(page, 365);
  const last = lastAt === undefined ? page.now : Math.min(Number(lastAt), page.now);
  const earliest = firstAt === undefined ? 0 : Number(firstAt) - dayMs;
  return isoDay(Math.max(last - (hasPeriods(step) ? 30 : 1) * 365 * dayMs, earliest));
}

/** Returns the URL of a view of the series, with all requested keys, even those that the chart cannot show. */
export function seriesAddress(
  id: string,
  { keys, leftOut, from, to, interval, aggregation, view: shown }: Omit<SeriesRequest, "isChosen">,
): string {
  const named = [...keys, ...leftOut].join(",");
  const view = shown === "value" ? "" : shown;
  const pairs = Object.entries({ keys: named, from, to, interval, aggregation, view }).filter(
    ([, value]) => value !== "",
  );
  return `/series/${id}?${new URLSearchParams(pairs)}`;
}
