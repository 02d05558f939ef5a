import type { DescField } from "@bufbuild/protobuf";
import type { CountRowsResponse } from "../../../../gen/es/ids/catalog/v1/count_rows_pb.ts";
import { field as fieldOption, Role } from "../../../../gen/es/ids/options/v1/options_pb.ts";
import type { Operation } from "../../../contract/catalog.ts";
import { getOption } from "../../../contract/option.ts";
import { parseRequestTime } from "../../../contract/request/request-time.ts";
import { splitTarget } from "../../../http/exchange.ts";
import { isoDay } from "../../../reference/calendar.ts";
import { addressWith } from "../../address.ts";
import type { PageContext } from "../../page-context.ts";
import { yearBefore } from "../series/series-views.ts";
import type { CountedSpan } from "./counted-span.ts";

/** Filters of the counted read. */
export interface Filters {
  /** The fields for the country and the period. */
  readonly fields: readonly DescField[];
  readonly values: URLSearchParams;
  /** Name of the parameter for the first day. */
  readonly start: string | undefined;
  readonly end: string | undefined;
}

/** Returns the filters for counting rows. Without a first day, the last 12 months are counted. */
export function filtersOf({ method }: Operation, page: PageContext): Filters {
  const { fields } = method.input;
  const named = (...names: readonly string[]) => fields.find(({ name }) => names.includes(name));
  const country = fields.find((field) => getOption(field, fieldOption).role === Role.COUNTRY) ?? named("country");
  const [start, end] = [named("start", "published_from"), named("end", "published_to")];
  const values = new URLSearchParams(page.query);
  if (start && !values.get(start.name)) values.set(start.name, isoDay(yearBefore(page.now)));
  return {
    fields: [country, start, end].filter((field) => field !== undefined),
    values,
    start: start?.name,
    end: end?.name,
  };
}

export function withStart(path: string, { start, values }: Filters): string {
  return start === undefined ? path : addressWith(splitTarget(path), { [start]: values.get(start) ?? "" });
}

/** Returns the times that the filters choose, without those that are not held or are after `now`. */
export function requestedSpan({ values, start, end }: Filters, now: number, held?: CountRowsResponse): CountedSpan {
  const timeOf = (name = "") => parseRequestTime(values.get(name) ?? "");
  return {
    from: Math.max(
      timeOf(start)?.start ?? Number.NEGATIVE_INFINITY,
      Number(held?.heldFrom ?? Number.NEGATIVE_INFINITY),
    ),
    until: Math.min(timeOf(end)?.end ?? now, Number(held?.heldTo ?? now), now),
  };
}
