import type { Operation } from "../../../contract/catalog.ts";
import {
  type ColumnNames,
  columnNames,
  downloadFormats,
  type FileFormat,
  fileFormats,
  hasAllPages,
  isFeed,
  lackFor,
  mediaTypes,
  offeredFormats,
} from "../../../contract/file-format.ts";
import { type Table, tablesOf } from "../../../contract/tables.ts";
import { InvalidRequest, type Violation } from "../../../errors.ts";
import { NotAcceptable } from "../../errors.ts";

export interface FileRequest {
  readonly format: FileFormat;
  readonly table: Table;
  /** Whether CSV text cells remain unescaped, even if a spreadsheet would run them. */
  readonly raw: boolean;
  readonly all: boolean;
  readonly columns: ColumnNames;
  /** URL under which the client reads a feed. Feeds contain absolute URLs, which are built from it. */
  readonly feed?: FeedAddress;
}

export interface FeedAddress {
  readonly origin: string;
  /** Whether the client uses the URL of the read. Otherwise it uses a feed URL, which is a secret. */
  readonly isOwn: boolean;
}

export const fileParameters = ["format", "rows", "raw", "all", "columns"] as const;

/** Reads the file format of a request; undefined for JSON. `accepted` comes from the `Accept` header. */
export type FileRequestReader = (
  parameters: URLSearchParams,
  accepted: FileFormat | undefined,
) => FileRequest | undefined;

export function fileRequestReader(operation: Operation): FileRequestReader {
  const tables = tablesOf(operation);
  const [first] = tables;
  const offered = offeredFormats(tables);
  const formats: readonly string[] = ["json", ...offered];
  const tableNames = tables.map(({ name }) => name);
  const streamed = downloadFormats(tables).filter((format) => format !== "csvw");
  const hasPages = hasAllPages(operation);
  return (parameters, accepted) => {
    const [wanted, rows, raw, all, columns] = fileParameters.map((name) => parameters.get(name) || undefined);
    const format = wanted ?? accepted ?? "json";
    const file = offered.find((each) => each === format);
    const fitting = file ? tables.find((each) => lackFor(file, each) === undefined) : first;
    const table = rows === undefined ? fitting : tables.find(({ name }) => name === rows);
    const violations: Violation[] = [];
    const reject = (field: string, description: string) => violations.push({ field, description });
    const lack = file && table && lackFor(file, table);
    if (!formats.includes(format)) reject("format", `value must be one of ${formats.join(", ")}`);
    // Generated clients always send the default table, so it is not an error for JSON.
    else if (rows !== undefined && format === "json" && table !== first)
      reject("rows", "value must be absent for JSON, which has all rows");
    else if (rows !== undefined && !table) reject("rows", `value must be one of ${tableNames.join(", ")}`);
    else if (lack !== undefined) reject("format", `value must not be ${format}: ${table?.name} has no ${lack}`);
    if (raw !== undefined && !isBoolean(raw)) reject("raw", "value must be true or false");
    else if (isTrue(raw) && format !== "csv") reject("raw", "value must be absent unless format is csv");
    if (all !== undefined && !isBoolean(all)) reject("all", "value must be true or false");
    else if (isTrue(all)) {
      if (!hasPages) reject("all", "value must be absent: the response has no further pages");
      else if (format === "json" || (file && !streamed.some((each) => each === file)))
        reject("all", `value must be absent for format ${format}: all pages are written as ${streamed.join(", ")}`);
      else if (table !== first) reject("all", `value must be absent for the rows ${rows}, which are not paged`);
    }
    const names = columnNames.find((each) => each === (columns ?? "path"));
    if (!names) reject("columns", `value must be one of ${columnNames.join(", ")}`);
    else if (names !== "path" && (format === "json" || (file && isFeed(file))))
      reject("columns", `value must be absent for format ${format}, which has no columns`);
    if (format !== "json" && parameters.get("jmespath"))
      reject("jmespath", `value must be absent for format ${format}`);
    if (violations.length > 0) throw new InvalidRequest(violations);
    return file && table && names
      ? { format: file, table, raw: isTrue(raw), all: isTrue(all), columns: names }
      : undefined;
  };
}

function isBoolean(text: string): boolean {
  return /^(true|false|1|0)$/.test(text);
}

function isTrue(text: string | undefined): boolean {
  return text === "true" || text === "1";
}

/** Returns the file format that an `Accept` header prefers, or undefined for JSON. Throws `NotAcceptable`. */
export type AcceptReader = (accept: string | undefined) => FileFormat | undefined;

export function acceptReader(operation: Operation): AcceptReader {
  const offered = offeredFormats(tablesOf(operation));
  return (accept) => {
    if (accept === undefined || accept === "*/*" || accept === "application/json") return undefined;
    const wanted = preferred(accept, (type) => formatOf.get(type) ?? (json.test(type) ? "json" : undefined));
    if (wanted === undefined || wanted === "json") return undefined;
    if (offered.includes(wanted)) return wanted;
    throw new NotAcceptable(["json", ...offered].join(", "));
  };
}

const formatOf = new Map<string, FileFormat>(fileFormats.map((format) => [mediaTypes[format], format]));
const json = /^(application\/(json|\*)|\*\/\*)$/;
/** Maximum number of parsed ranges in an `Accept` header, which limits the work for a long one. */
const maxRanges = 50;

/**
 * Returns the format with the highest weight in an `Accept` header, as in RFC 9110 12.5.1. The first one wins a tie.
 * `formatOf` returns the format of a media range; undefined if it has none.
 */
export function preferred<F>(accept: string, formatOf: (type: string) => F | undefined): F | undefined {
  let best: { readonly format: F | undefined; readonly weight: number } = { format: undefined, weight: 0 };
  for (const range of accept.split(",", maxRanges)) {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    const format = formatOf(type);
    if (format === undefined) continue;
    const weight = Number(parameters.find((part) => part.startsWith("q="))?.slice(2) ?? 1);
    if (weight > best.weight) best = { format, weight };
  }
  return best.format;
}
