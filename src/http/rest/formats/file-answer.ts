import { getOption, type JsonValue, type Message } from "@bufbuild/protobuf";
import { field as fieldOption } from "../../../../gen/es/ids/options/v1/options_pb.ts";
import { isObject, type JsonObject } from "../../../contract/body.ts";
import { kebab, type Operation } from "../../../contract/catalog.ts";
import { type FileFormat, mediaTypes } from "../../../contract/file-format.ts";
import { plainMaker } from "../../../contract/plain.ts";
import { described, firstSentence } from "../../../contract/schema.ts";
import { NothingToServe } from "../../../errors.ts";
import { pageOf } from "../../../pages/reference/contents.ts";
import { headerOf } from "../../exchange.ts";
import type { Basis, Form } from "../prepared-response.ts";
import { csvFile } from "./csv.ts";
import { csvwFile } from "./csvw.ts";
import type { FileFacts, TableWriter } from "./file-facts.ts";
import type { FileRequest } from "./file-request.ts";
import { geojsonFile } from "./geojson.ts";
import { ndjsonFile } from "./ndjson.ts";
import { parquetFile } from "./parquet.ts";
import { passedOn, type Withheld } from "./withheld-rows.ts";

const writers: Readonly<Record<Exclude<FileFormat, "csv">, TableWriter>> = {
  ndjson: ndjsonFile,
  geojson: geojsonFile,
  parquet: parquetFile,
  csvw: csvwFile,
};

/** A table has no place to say that nothing is known: one without rows would look like "nothing there". Throws `NothingToServe`. */
export function refuseEmptyFile({ table }: FileRequest, { plain }: Basis, isUnconfirmed: boolean): void {
  if (isUnconfirmed && table.rowsIn(plain(), {}).length === 0)
    throw new NothingToServe("There is no confirmed data to write to a file now; JSON says what is known");
}

/** Writes the answers of one operation as files. */
export function fileWriter(operation: Operation, attribution: readonly string[], restricted: Withheld) {
  const { method, inPath } = operation;
  const plainRequest = plainMaker(method.input);
  const { description = "" } = described(`${method.parent.typeName}.${method.name}`);
  const title = firstSentence(description);
  const documentation = pageOf(operation);
  const defaults = new Map<string, JsonValue | undefined>(
    method.input.fields.map((field) => [field.jsonName, getOption(field, fieldOption).clamp?.default]),
  );
  return ({ format, table: whole, raw }: FileRequest, message: Message, { lasting, readAt, plain }: Basis): Form => {
    const request = plainRequest(message) as JsonObject;
    const isSample = headerOf(lasting, "X-Data-Origin") === "sample";
    const given = Object.entries(request).filter(([name, value]) => isGiven(value) && value !== defaults.get(name));
    const query = new URLSearchParams(
      given.filter(([name]) => !inPath.includes(name)).flatMap(([name, value]) => parametersOf(name, value)),
    );
    query.set("rows", whole.name);
    const { table, rows, withheld } = passedOn(whole, whole.rowsIn(plain(), request), restricted);
    const url = (wanted: FileFormat) => `?${new URLSearchParams([...query, ["format", wanted]])}`;
    const facts: FileFacts = {
      name: nameOf(kebab(operation.name), given, isSample),
      title,
      csvUrl: url("csv"),
      documentation,
      attribution,
      origin: isSample ? "sample" : "live",
      isStale: headerOf(lasting, "X-Data-Stale") === "true",
      missing: headerOf(lasting, "X-Data-Missing")?.split(", ") ?? [],
      withheld,
      ...(readAt && { readAt: readAt.toISOString() }),
    };
    return {
      body: format === "csv" ? csvFile(table, rows, raw) : writers[format](table, rows, facts),
      mediaType: format === "csv" ? `${mediaTypes.csv}; charset=utf-8; header=present` : mediaTypes[format],
      headers: [
        "Content-Disposition",
        `attachment; filename="${facts.name}.${endings[format]}"`,
        ...(withheld.length > 0 ? ["X-Data-Withheld", withheld.join(", ")] : []),
        ...(format === "csv" ? ["Link", `<${url("csvw")}>; rel="describedby"; type="${mediaTypes.csvw}"`] : []),
      ],
    };
  };
}

const endings: Readonly<Record<FileFormat, string>> = {
  ndjson: "ndjson",
  csv: "csv",
  geojson: "geojson",
  parquet: "parquet",
  csvw: "csv-metadata.json",
};

/** What a parameter is without being asked for. */
function isGiven(value: JsonValue): boolean {
  return (
    value !== "" && value !== 0 && value !== false && value !== "0" && !(Array.isArray(value) && value.length === 0)
  );
}

function parametersOf(name: string, value: JsonValue): [string, string][] {
  if (Array.isArray(value)) return value.flatMap((item) => parametersOf(name, item));
  return isObject(value) ? [] : [[name, String(value)]];
}

const longestName = 100;

/** `list-conflict-events_country-SD.sample`: what was asked for, and that the values are invented. */
function nameOf(operation: string, given: readonly [string, JsonValue][], isSample: boolean): string {
  const parts = given.map(([name, value]) => `_${name}-${String(value)}`.replaceAll(/[^A-Za-z0-9_.-]+/g, "-"));
  return `${operation}${parts.join("")}`.slice(0, longestName) + (isSample ? ".sample" : "");
}
