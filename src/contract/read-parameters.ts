import { type DescField, ScalarType } from "@bufbuild/protobuf";
import { field as fieldOption, operation as operationOption, Role } from "../../gen/es/ids/options/v1/options_pb.ts";
import type { Box } from "../reference/box.ts";
import type { Operation } from "./catalog.ts";
import type { Interval } from "./cell-time.ts";
import { getOption } from "./option.ts";
import { isInPages } from "./paging.ts";
import { isEpochTime } from "./request/request-time.ts";
import { greatestOf, rowLimitOf, widestRows } from "./row-limit.ts";
import type { Table } from "./tables.ts";

/** The request parameters of a read, by purpose, for code that handles every read in the same way. */
export interface ReadParameters {
  /** Values of parameters that together select the most rows. */
  readonly widest: Readonly<Record<string, string>>;
  /** Whether the read has parameters for the corners of a box, and for the bounds of an interval. */
  readonly hasBox: boolean;
  readonly hasInterval: boolean;
  /** Parameter that selects a row by its ID; undefined if there is none, or if several rows can have the same ID. */
  readonly id: string | undefined;
  /** Parameters for the cursor and the size of a page, with its maximum; undefined if the rows are not paged. */
  readonly page: { readonly cursor: string; readonly size: string; readonly maxSize: number } | undefined;
  /** Number of rows at which an unpaged response may be incomplete. */
  readonly maxRows: number;
  /** Parameters that select rows by their values. */
  readonly filters: readonly DescField[];
}

/** Western, southern, eastern, and northern edge of a box. */
const cornerNames = ["sw_lon", "sw_lat", "ne_lon", "ne_lat"] as const;
const boundNames = ["start", "end"] as const;

export function readParameters(operation: Operation, { name, key, columns }: Table): ReadParameters {
  const { fields } = operation.method.input;
  const has = (wanted: readonly string[], isSuch: (field: DescField) => boolean) =>
    wanted.every((each) => fields.some((field) => field.name === each && isSuch(field)));
  const hasBox = has(cornerNames, ({ scalar }) => scalar === ScalarType.DOUBLE);
  const hasInterval = has(boundNames, isEpochTime);
  const page = isInPages(operation, name) ? getOption(operation.method, operationOption).page : undefined;
  const size = fields.find((field) => field.name === page?.size);
  const isById = key.length === 1 && columns.some((column) => column.name === key[0] && column.role === Role.ID);
  const id = fields.find((field) => isById && getOption(field, fieldOption).role === Role.ID)?.name;
  // A parameter with a default and a maximum limits the response, such as the days that it covers or the zoom of a map.
  // Its maximum selects the most rows.
  const bounding = fields.flatMap((field): [string, string][] => {
    const { clamp } = getOption(field, fieldOption);
    return clamp?.default === undefined || field.name === page?.size ? [] : [[field.name, String(clamp.max)]];
  });
  // The limits are read at first use, because they are in the comments of the contract, which are loaded then.
  let known: Pick<ReadParameters, "widest" | "maxRows" | "filters"> | undefined;
  const limits = () => {
    if (known) return known;
    const widest = { ...Object.fromEntries(bounding), ...widestRows(operation) };
    const taken = new Set([
      ...[id, page?.size, page?.cursor, ...Object.keys(widest)],
      ...(hasBox ? cornerNames : []),
      ...(hasInterval ? boundNames : []),
    ]);
    const maxRows = rowLimitOf(operation)?.max ?? Number.POSITIVE_INFINITY;
    known = { widest, maxRows, filters: fields.filter((field) => !taken.has(field.name) && isFilter(field)) };
    return known;
  };
  return {
    ...{ hasBox, hasInterval, id },
    page: page && { cursor: page.cursor, size: page.size, maxSize: size ? greatestOf(size) : 1 },
    get widest() {
      return limits().widest;
    },
    get maxRows() {
      return limits().maxRows;
    },
    get filters() {
      return limits().filters;
    },
  };
}

function isFilter(field: DescField): boolean {
  const isPlain = field.fieldKind === "scalar" || field.fieldKind === "enum" || field.fieldKind === "list";
  return isPlain && field.message === undefined && !field.deprecated && !getOption(field, fieldOption).ignored;
}

/** The rows that a program requests from a read. A member whose parameter the read does not have is ignored. */
export interface RequestedRows {
  readonly box?: Box | undefined;
  /** An undefined interval includes every time, whatever the default of the read. */
  readonly interval?: Interval | undefined;
  readonly id?: string | undefined;
  readonly size: number;
  /** Cursor of the page; empty for the first. */
  readonly cursor: string;
  readonly filters: readonly (readonly [name: string, value: string])[];
}

export function readQuery(parameters: ReadParameters, rows: RequestedRows): URLSearchParams {
  const { widest, hasBox, hasInterval, id, page } = parameters;
  const { box, interval = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY } } = rows;
  const corners = box && hasBox ? [box.west, box.south, box.east, box.north] : [];
  const bounds = hasInterval ? [boundText(interval.from), boundText(interval.to)] : [];
  return new URLSearchParams([
    ...[...Object.entries(widest), ...rows.filters].map(([name, value]): [string, string] => [name, value]),
    ...corners.map((degrees, index): [string, string] => [cornerNames[index] ?? "", String(degrees)]),
    ...bounds.map((bound, index): [string, string] => [boundNames[index] ?? "", bound]),
    ...(id !== undefined && rows.id !== undefined ? [[id, rows.id] as [string, string]] : []),
    ...(page ? [[page.size, String(Math.min(rows.size, page.maxSize))] as [string, string]] : []),
    ...(page && rows.cursor !== "" ? [[page.cursor, rows.cursor] as [string, string]] : []),
  ]);
}

/** Earliest and latest time that a request can contain. Every row is between them. */
const [earliest, latest] = [Date.parse("0001-01-01T00:00:00Z"), Date.parse("9999-12-31T23:59:59.999Z")];

function boundText(at: number): string {
  return new Date(Math.min(Math.max(at, earliest), latest)).toISOString();
}
