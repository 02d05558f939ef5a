import type { JsonValue, Message } from "@bufbuild/protobuf";
import { field as fieldOption, operation as operationOption } from "../../../../gen/es/ids/options/v1/options_pb.ts";
import { kebab, type Operation } from "../../../contract/catalog.ts";
import type { Place } from "../../../contract/columns.ts";
import type { FileFormat } from "../../../contract/file-format.ts";
import { getOption } from "../../../contract/option.ts";
import { plainMaker } from "../../../contract/plain.ts";
import { isObject, type JsonObject } from "../../../contract/request/body.ts";
import { described, firstSentence } from "../../../contract/schema.ts";
import { type Table, tablesOf } from "../../../contract/tables.ts";
import { pageOf } from "../../../pages/reference/contents.ts";
import { headerOf } from "../../exchange.ts";
import type { Basis } from "../prepared-response.ts";
import type { FileMetadata } from "./file-metadata.ts";
import type { FileRequest } from "./file-request.ts";
import { redistributableTable, type Withheld } from "./withheld-rows.ts";

/** The rows of one read, for files, feeds, and standards: columns, key, origin, terms, and where the rows are. */
export interface RowPlan {
  /** The table without columns that must not be redistributed. */
  readonly table: Table;
  readonly metadata: FileMetadata;
  /** Returns the rows of a response that may be redistributed. */
  readonly rowsOf: (response: JsonObject) => readonly Place[];
  /** Returns the path and query of the same rows in another format. */
  readonly urlOf: (format: FileFormat) => string;
}

/** Properties of the response that contains the rows. */
export type PlanBasis = Pick<Basis, "lasting" | "readAt">;

export type RowPlanner = (rows: Pick<FileRequest, "table" | "all">, message: Message, basis: PlanBasis) => RowPlan;

/** Returns the terms of all sources of an operation, or only those of the named sources. */
export type TermsOf = (named?: readonly string[]) => readonly string[];

export function rowPlanner(operation: Operation, termsOf: TermsOf, restricted: Withheld): RowPlanner {
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
  return ({ table: wanted, all }, message, { lasting, readAt }) => {
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
    const urlOf = (format: FileFormat) => `${path}?${new URLSearchParams([...query, ["format", format]])}`;
    const metadata: FileMetadata = {
      name: nameOf(
        kebab(operation.name),
        wanted.name === main?.name ? given : [...given, ["rows", wanted.name]],
        isSample,
      ),
      title: firstSentence(described(`${method.parent.typeName}.${method.name}`).description ?? ""),
      csvUrl: urlOf("csv"),
      documentation,
      attribution: termsOf(headerOf(lasting, "X-Data-Sources")?.split(", ")),
      origin: isSample ? "sample" : "live",
      isStale: headerOf(lasting, "X-Data-Stale") === "true",
      missing: headerOf(lasting, "X-Data-Missing")?.split(", ") ?? [],
      withheld,
      ...(readAt && { readAt: readAt.toISOString() }),
    };
    const rowsOf = (response: JsonObject) => table.rowsIn(response, request).filter((place) => !isWithheld(place));
    return { table, metadata, rowsOf, urlOf };
  };
}

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
