import type { JsonValue } from "@bufbuild/protobuf";
import type { CountRowsResponse } from "../../../../gen/es/ids/catalog/v1/count_rows_pb.ts";
import type { Operation } from "../../../contract/catalog.ts";
import type { Column, Place } from "../../../contract/columns.ts";
import { lowerFirst } from "../../../contract/labels.ts";
import { parseRequestTime } from "../../../contract/request/request-time.ts";
import { splitTarget } from "../../../http/exchange.ts";
import { type Html, html } from "../../../pages/html.ts";
import { isoDay } from "../../../reference/calendar.ts";
import { dayMs } from "../../../reference/duration.ts";
import { addressWith } from "../../address.ts";
import { amountText, numberText } from "../../view/figures.ts";
import type { Choice } from "../../view/form-field.ts";
import { dayText } from "../../view/times.ts";
import { type Filters, requestedSpan } from "./count-filters.ts";
import { heldText } from "./response.ts";

/** Choices of the parameter `compare`. */
export const comparisons: readonly Choice[] = [
  ["", "Nothing"],
  ["before", "As many days before"],
];

/** A span of whole days: the start of the first and of the last day, in Unix epoch milliseconds. */
export interface Days {
  readonly first: number;
  readonly last: number;
}

/** Returns the days directly before those that the filters choose and are held. Undefined without whole days. */
export function daysCompared(filters: Filters, now: number, held: CountRowsResponse | undefined): Days | undefined {
  const texts = [filters.start, filters.end].map((name = "") => filters.values.get(name) ?? "");
  if (texts.some((text) => parseRequestTime(text)?.isDay === false)) return undefined;
  const { from, until } = requestedSpan(filters, now, held);
  // A day that is not over counts as one if more than half of it is over.
  const days = Math.max(1, Math.round((until - from) / dayMs));
  return Number.isFinite(days) && until > from ? { first: from - days * dayMs, last: from - dayMs } : undefined;
}

/** Returns the path of a read with other days. */
export function pathOfDays(path: string, { first, last }: Days, { start = "", end = "" }: Filters): string {
  return addressWith(splitTarget(path), { [start]: isoDay(first), [end]: isoDay(last) });
}

/** Returns whether the counts of both periods can be compared. If some rows are not held, this would mislead. */
export function isComparable({ comparedTotalRows, comparedIsPartial, isPartial }: CountRowsResponse): boolean {
  return comparedTotalRows !== undefined && !comparedIsPartial && !isPartial;
}

/** Returns whether a read can be compared with earlier days. Lists of current rows, such as open tenders, cannot. */
export function canCompare({ method }: Operation, { end }: Filters): boolean {
  return end !== undefined && method.output.fields.some(({ name }) => name === "held_from");
}

function difference(now: JsonValue, before: JsonValue): JsonValue {
  return typeof now === "number" && typeof before === "number" ? now - before : null;
}

/** Returns columns for a count or sum before and for its change. The change is unknown if one of the values is. */
export function comparedColumns(all: readonly Column[], of: "rows" | "sum", name: string): readonly Column[] {
  const columnOf = (wanted: string) => all.filter((column) => column.name === wanted);
  const [now, before] = [columnOf(of)[0], columnOf(of === "rows" ? "comparedRows" : "comparedSum")[0]];
  if (!now || !before) return [];
  const change = (place: Place) => difference(now.read(place), before.read(place));
  return [
    { ...before, name: `${name}_before` },
    { ...now, name: "change", read: change },
  ];
}

/** Sorts rows by the size of their change, the largest first. */
export function byChange(places: readonly Place[], columns: readonly Column[]): readonly Place[] {
  const change = columns.find(({ name }) => name === "change");
  const sizeOf = (place: Place) => Math.abs(Number(change?.read(place) ?? 0));
  return [...places].sort((a, b) => sizeOf(b) - sizeOf(a));
}

/** Says with which days the rows are compared, or why they are not. */
export function comparisonText(counted: CountRowsResponse, { first, last }: Days): Html {
  const { comparedTotalRows = 0, totalRows, heldFrom, heldTo } = counted;
  const days = first === last ? dayText(first) : `${dayText(first)} to ${dayText(last)}`;
  if (!isComparable(counted)) {
    return html`<p>Not compared with ${days}: ${heldFrom === undefined ? "not all rows are held." : lowerFirst(heldText(heldFrom, heldTo))}</p>`;
  }
  const change = totalRows - comparedTotalRows;
  const direction = change === 0 ? "as many" : `${numberText(Math.abs(change))} ${change > 0 ? "more" : "fewer"}`;
  return html`<p>Compared with ${days}: ${amountText(comparedTotalRows, "row")} then, so there are ${direction} now.</p>`;
}
