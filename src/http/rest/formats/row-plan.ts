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
import { pageOf, thingsOf } from "../../../pages/reference/contents.ts";
import { headerOf } from "../../exchange.ts";
import type { Basis } from "../prepared-response.ts";
import { fileTable } from "./file-columns.ts";
import type { FileMetadata } from "./file-metadata.ts";
import type { FileRequest } from "./file-request.ts";
import { redistributableTable, type Withheld } from "./withheld-rows.ts";

/** How the rows of one read are written to files, feeds, and standard formats, and where the response has them. */
export interface RowPlan {
  /** The table without columns that must not be redistributed. */
  readonly table: Table;
  readonly metadata: FileMetadata;
  /** Returns the rows of a response that may be redistributed. */
  readonly rowsOf: (response: JsonObject) => readonly Place[];
  /** Returns the path and query of the same rows in another format. */
  readonly urlOf: (format: FileFormat) => string;
  readonly subject: Subject;
}

/** Names of the rows for people, and the parameters and operation that identify them. */
export interface Subject {
  /** Plural, such as `Conflict events`. */
  readonly things: string;
  /** Name of the operation and of the table, such as `list-conflict-events:events`. */
  readonly id: string;
  /** Parameters that select the rows, without those that select a page. */
  readonly selection: readonly [name: string, value: string][];
  /** Path of a page for people. */
  readonly page: string;
}

/** Properties of the response that contains the rows. */
export type PlanBasis = Pick<Basis, "lasting" | "readAt">;

export type RowPlanner = (rows: Omit<FileRequest, "raw" | "feed">, message: Message, basis: PlanBasis) => RowPlan;

/** Returns the terms of all sources of an operation, or only those of the named sources. */
export type TermsOf = (named?: readonly string[]) => readonly string[];

export function rowPlanner(
  operation: Operation,
  termsOf: TermsOf,
  restrictedOf: (request: JsonObject) => Withheld,
  page = pageOf(operation),
): RowPlanner {
  const { method, inPath } = operation;
  const plainRequest = plainMaker(method.input);
  const documentation = pageOf(operation);
  const [main] = tablesOf(operation);
  const { page: paged } = getOption(method, operationOption);
  const jsonNameOf = (wanted?: string) => method.input.fields.find(({ name }) => name === wanted)?.jsonName;
  /** The page size is not part of the file name if the file contains all pages. */
  const pageSize = jsonNameOf(paged?.size);
  const ofPage = [pageSize, jsonNameOf(paged?.cursor)];
  const defaults = new Map<string, JsonValue | undefined>(
    method.input.fields.map((field) => [field.jsonName, getOption(field, fieldOption).clamp?.default]),
  );
  return (file, message, { lasting, readAt }) => {
    const { table: wanted, all, columns } = file;
    const request = plainRequest(message);
    const { table: allowed, withheld, isWithheld } = redistributableTable(wanted, restrictedOf(request));
    const table = fileTable(allowed, file);
    const isSample = headerOf(lasting, "X-Data-Origin") === "sample";
    const given = Object.entries(request).filter(
      ([name, value]) => isGiven(value) && value !== defaults.get(name) && !(all && name === pageSize),
    );
    const query = new URLSearchParams(
      given.filter(([name]) => !inPath.includes(name)).flatMap(([name, value]) => parametersOf(name, value)),
    );
    query.set("rows", table.name);
    if (columns !== "path") query.set("columns", columns);
    // The path is built from the operation and not from the URL, because metadata must not contain the secret of a feed
    // URL.
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
    const subject: Subject = {
      things: thingsOf(operation),
      id: `${kebab(operation.name)}:${table.name}`,
      selection: given.filter(([name]) => !ofPage.includes(name)).flatMap(([name, value]) => parametersOf(name, value)),
      page,
    };
    return { table, metadata, rowsOf, urlOf, subject };
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
