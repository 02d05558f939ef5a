import type { JsonValue } from "@bufbuild/protobuf";
import {
  Dimension as Facet,
  field as fieldOption,
  Role,
  TimeEncoding,
} from "../../gen/es/ids/options/v1/options_pb.ts";
import { isoDay } from "../reference/calendar.ts";
import { countryByNumeric } from "../reference/countries/countries.ts";
import { dayMs } from "../reference/duration.ts";
import { cellTime } from "./cell-time.ts";
import type { Column, Place } from "./columns.ts";
import { getOption } from "./option.ts";
import type { Table } from "./tables.ts";

/** A column, or a unit of time such as months, by which the rows of a table can be grouped. */
export interface Dimension {
  readonly name: string;
  readonly isTime: boolean;
  /** True if a row stands for a whole period, such as a year, so that it cannot be missing on single days. */
  readonly isOfPeriods?: boolean;
  /** Returns the group of a time, such as its month; undefined if the dimension is not a time. */
  readonly stepOf?: (at: Date) => string;
  /** The column with the values. */
  readonly column: Column;
  /** Returns the distinct values of a row. Empty if the value is unknown. */
  readonly valuesOf: (place: Place) => readonly string[];
}

/** Returns the dimensions of a table, from the roles and facets of its columns. */
export function dimensionsOf({ columns }: Pick<Table, "columns">): readonly Dimension[] {
  // The last matching column is used, because a row's own columns follow those of outer rows.
  const withRole = (...roles: Role[]) => columns.findLast(({ role }) => roles.includes(role));
  const withFacet = (facet: Facet) =>
    columns.findLast(({ field }) => field && getOption(field, fieldOption).dimension === facet);
  const time = withRole(Role.TIME);
  const others: readonly (readonly [name: string, column: Column | undefined])[] = [
    ["country", withRole(Role.COUNTRY, Role.COUNTRY_NUMERIC)],
    ["admin1", withFacet(Facet.ADMIN1)],
    ["type", withFacet(Facet.TYPE)],
    ["actor", withFacet(Facet.ACTOR)],
    ["source", withRole(Role.SOURCE)],
  ];
  return [
    ...(time ? timeDimensions(time) : []),
    ...others.flatMap(([name, column]) =>
      column ? [{ name, isTime: false, column, valuesOf: valuesIn(column) }] : [],
    ),
  ];
}

function valuesIn(column: Column): Dimension["valuesOf"] {
  const textOf = (value: JsonValue) =>
    column.role === Role.COUNTRY_NUMERIC ? (countryByNumeric(Number(value))?.alpha2 ?? String(value)) : String(value);
  return (place) => {
    const cell = column.read(place);
    const values = (Array.isArray(cell) ? cell : [cell]).filter((value) => value !== null && value !== "");
    return [...new Set(values.map(textOf))];
  };
}

const steps: readonly (readonly [name: string, stepOf: (at: Date) => string])[] = [
  ["day", isoDay],
  ["week", weekOf],
  ["month", (at) => at.toISOString().slice(0, 7)],
  ["quarter", (at) => `${at.getUTCFullYear()}-Q${Math.floor(at.getUTCMonth() / 3) + 1}`],
  ["year", (at) => String(at.getUTCFullYear())],
];

/**
 * Returns the units of time by which the column can be grouped. A value that is longer than the unit, such as a year if
 * rows are grouped by month, belongs to no group.
 */
function timeDimensions(column: Column): Dimension[] {
  const finest = { [TimeEncoding.YEAR]: "year", [TimeEncoding.PERIOD]: "month" }[Number(column.time)] ?? "day";
  return steps.slice(steps.findIndex(([name]) => name === finest)).map(([name, stepOf]) => ({
    ...{ name, column, stepOf },
    isTime: true,
    isOfPeriods: finest !== "day",
    valuesOf(place) {
      const interval = cellTime(column, column.read(place));
      if (!interval || !isDate(interval.from) || !isDate(interval.to)) return [];
      const [first, last] = [stepOf(new Date(interval.from)), stepOf(new Date(interval.to))];
      return first === last ? [first] : [];
    },
  }));
}

function isDate(at: number): boolean {
  return Math.abs(at) <= 8.64e15;
}

/** Returns the ISO 8601 week, which belongs to the year of its Thursday. */
function weekOf(at: Date): string {
  const thursday = new Date(at.getTime() + (4 - (at.getUTCDay() || 7)) * dayMs);
  const days = (thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0)) / dayMs;
  return `${thursday.getUTCFullYear()}-W${String(Math.floor(days / 7) + 1).padStart(2, "0")}`;
}
