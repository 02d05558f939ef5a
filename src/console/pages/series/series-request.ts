import type { Series } from "../../../../gen/es/ids/history/v1/history_pb.ts";
import { dayMs } from "../../../reference/duration.ts";
import { codesOfNames } from "../../country-names.ts";
import type { PageContext } from "../../page-context.ts";
import { dayBefore, maxKeys } from "./series-read.ts";

export interface SeriesRequest {
  readonly keys: readonly string[];
  /** Keys in the URL above the maximum of one chart. */
  readonly leftOut: readonly string[];
  readonly isChosen: boolean;
  readonly from: string;
  readonly to: string;
  readonly interval: string;
  readonly aggregation: string;
}

/** The default keys: the first of these lists of which the series has any. */
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

/** Returns whether the first key part is a country, which users write by name. */
export function isOfCountries({ keyParts: [first] }: Series): boolean {
  return first === "country" || first === "reporter";
}

export const seriesParameters = ["keys", "add", "from", "to", "interval", "aggregation"];

export function seriesRequest(series: Series, page: PageContext, proposal = 0): SeriesRequest {
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

export function proposalsFor({ keyParts }: Series): number {
  return firstKeys[keyParts[0] ?? ""]?.length ?? 1;
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

/** Returns the URL of a view of a series. Keys that were left out remain in it. */
export function seriesAddress(
  id: string,
  { keys, leftOut, from, to, interval, aggregation }: Omit<SeriesRequest, "isChosen">,
): string {
  const named = [...keys, ...leftOut].join(",");
  const pairs = Object.entries({ keys: named, from, to, interval, aggregation }).filter(([, value]) => value !== "");
  return `/series/${id}?${new URLSearchParams(pairs)}`;
}
