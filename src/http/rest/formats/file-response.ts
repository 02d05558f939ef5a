import type { JsonValue, Message } from "@bufbuild/protobuf";
import { field as fieldOption, operation as operationOption } from "../../../../gen/es/ids/options/v1/options_pb.ts";
import { kebab, type Operation } from "../../../contract/catalog.ts";
import type { Place } from "../../../contract/columns.ts";
import { type FileFormat, mediaTypes } from "../../../contract/file-format.ts";
import { getOption } from "../../../contract/option.ts";
import { plainMaker } from "../../../contract/plain.ts";
import { isObject, type JsonObject } from "../../../contract/request/body.ts";
import { described, firstSentence } from "../../../contract/schema.ts";
import { tablesOf } from "../../../contract/tables.ts";
import { NotFound, NothingToServe } from "../../../errors.ts";
import { pageOf } from "../../../pages/reference/contents.ts";
import { headerOf } from "../../exchange.ts";
import type { Basis, Form } from "../prepared-response.ts";
import { csvStream } from "./csv.ts";
import { csvwFile } from "./csvw.ts";
import type { FileMetadata } from "./file-metadata.ts";
import type { FileRequest } from "./file-request.ts";
import { geojsonStream } from "./geojson.ts";
import { ndjsonStream } from "./ndjson.ts";
import { parquetWalk, parquetWhole } from "./parquet.ts";
import {
  atOnce,
  type FileWriter,
  type RowStreamer,
  type WalkStream,
  type WalkStreamer,
  wholeFile,
} from "./row-stream.ts";
import { redistributableTable, type Withheld } from "./withheld-rows.ts";

const streams: Readonly<Record<Exclude<FileFormat, "csvw">, { whole: FileWriter; walk: WalkStreamer }>> = {
  csv: text(csvStream),
  ndjson: text(ndjsonStream),
  geojson: text(geojsonStream),
  parquet: { whole: parquetWhole, walk: parquetWalk },
};

function text(stream: RowStreamer) {
  const whole: FileWriter = (table, metadata, raw, places) => wholeFile(stream(table, metadata, raw), places);
  return { whole, walk: atOnce(stream) };
}

/**
 * Rejects a file of data that JSON returns only with a flag, since a table cannot contain the flag. A table without rows would
 * look like "nothing there", and one with expired rows like current data. Throws `NothingToServe`, or `NotFound` if there never
 * will be rows.
 */
export function requireConfirmed(
  { table }: FileRequest,
  response: JsonObject,
  { isUnconfirmed = false, isExpired = false }: Pick<Basis, "isUnconfirmed" | "isExpired">,
): void {
  const { unavailableReason: reason = "" } = response;
  const isReported = !["", "UNSPECIFIED"].includes(String(reason));
  const isEmpty = () => table.rowsIn(response, {}).length === 0;
  if (!isExpired && !((isUnconfirmed || isReported) && isEmpty())) return;
  if (isUnconfirmed || isExpired)
    throw new NothingToServe("There is no confirmed data for a file now. Use JSON, which flags unconfirmed data");
  throw new NotFound(`There are no rows to write to a file: ${reason}`);
}

export const withheldHeader = "X-Data-Withheld";

export interface PlannedFile {
  readonly mediaType: string;
  /** Headers in addition to those of the JSON response, as flat pairs. */
  readonly headers: readonly string[];
  readonly rowsOf: (response: JsonObject) => readonly Place[];
  readonly stream: () => WalkStream;
  readonly whole: (rows: readonly Place[]) => Buffer | Promise<Buffer>;
}

export type FilePlanner = (file: FileRequest, message: Message, basis: Omit<Basis, "plain">) => PlannedFile;

/** Returns the terms of all sources of an operation, or only those of the named sources. */
export type TermsOf = (named?: readonly string[]) => readonly string[];

export function filePlanner(operation: Operation, termsOf: TermsOf, restricted: Withheld): FilePlanner {
  const { method, inPath } = operation;
  const plainRequest = plainMaker(method.input);
  const documentation = pageOf(operation);
  const [main] = tablesOf(operation);
  const { page } = getOption(method, operationOption);
  /** The page size is not part of the file name if the file contains all pages. */
  const pageSize = method.input.fields.find(({ name }) => name === page?.size)?.jsonName;
  const defaults = new Map<string, JsonValue | undefined>(
    method.input.fields.map((field) => [field.jsonName, getOption(field, fieldOption).clamp?.default]),
  );
  return ({ format, table: wanted, raw, all }, message, { lasting, readAt }) => {
    const request = plainRequest(message);
    const { table, withheld, isWithheld } = redistributableTable(wanted, restricted);
    const isSample = headerOf(lasting, "X-Data-Origin") === "sample";
    const given = Object.entries(request).filter(
      ([name, value]) => isGiven(value) && value !== defaults.get(name) && !(all && name === pageSize),
    );
    const query = new URLSearchParams(
      given.filter(([name]) => !inPath.includes(name)).flatMap(([name, value]) => parametersOf(name, value)),
    );
    query.set("rows", table.name);
    // Builds the path from the operation, because the metadata of a feed URL must name the read itself.
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const field = method.input.fields.find((each) => each.name === name);
      return encodeURIComponent(String(request[field?.jsonName ?? name]));
    });
    const url = (form: FileFormat) => `${path}?${new URLSearchParams([...query, ["format", form]])}`;
    const metadata: FileMetadata = {
      name: nameOf(
        kebab(operation.name),
        wanted.name === main?.name ? given : [...given, ["rows", wanted.name]],
        isSample,
      ),
      title: firstSentence(described(`${method.parent.typeName}.${method.name}`).description ?? ""),
      csvUrl: url("csv"),
      documentation,
      attribution: termsOf(headerOf(lasting, "X-Data-Sources")?.split(", ")),
      origin: isSample ? "sample" : "live",
      isStale: headerOf(lasting, "X-Data-Stale") === "true",
      missing: headerOf(lasting, "X-Data-Missing")?.split(", ") ?? [],
      withheld,
      ...(readAt && { readAt: readAt.toISOString() }),
    };
    const { whole, walk } = streams[format === "csvw" ? "csv" : format];
    return {
      mediaType: format === "csv" ? `${mediaTypes.csv}; charset=utf-8; header=present` : mediaTypes[format],
      headers: [
        "Content-Disposition",
        `attachment; filename="${metadata.name}.${endings[format]}"`,
        ...(withheld.length > 0 ? [withheldHeader, withheld.join(", ")] : []),
        ...(format === "csvw" ? [] : ["Link", `<${url("csvw")}>; rel="describedby"; type="${mediaTypes.csvw}"`]),
      ],
      rowsOf: (response) => table.rowsIn(response, request).filter((place) => !isWithheld(place)),
      stream: () => walk(table, metadata, raw),
      whole: (rows) => (format === "csvw" ? csvwFile(table, metadata) : whole(table, metadata, raw, rows)),
    };
  };
}

export function fileWriter(plan: FilePlanner) {
  return (file: FileRequest, message: Message, basis: Basis): Form | Promise<Form> => {
    const response = basis.plain();
    requireConfirmed(file, response, basis);
    const { mediaType, headers, rowsOf, whole } = plan(file, message, basis);
    const body = whole(rowsOf(response));
    const formOf = (bytes: Buffer): Form => ({ body: bytes, mediaType, headers });
    return body instanceof Promise ? body.then(formOf) : formOf(body);
  };
}

const endings: Readonly<Record<FileFormat, string>> = {
  ndjson: "ndjson",
  csv: "csv",
  geojson: "geojson",
  parquet: "parquet",
  csvw: "csv-metadata.json",
};

/** Returns whether the client set the parameter to a value other than its default. */
function isGiven(value: JsonValue): boolean {
  return (
    value !== "" && value !== 0 && value !== false && value !== "0" && !(Array.isArray(value) && value.length === 0)
  );
}

function parametersOf(name: string, value: JsonValue): [string, string][] {
  if (Array.isArray(value)) return value.flatMap((item) => parametersOf(name, item));
  return isObject(value) ? [] : [[name, String(value)]];
}

const maxNameLength = 100;

/** Returns a file name from the request, such as `list-conflict-events_country-SD`, with a suffix for sample data. */
function nameOf(operation: string, given: readonly [string, JsonValue][], isSample: boolean): string {
  const parts = given.map(([name, value]) => `_${name}-${String(value)}`.replaceAll(/[^A-Za-z0-9_.-]+/g, "-"));
  return `${operation}${parts.join("")}`.slice(0, maxNameLength) + (isSample ? ".sample" : "");
}
