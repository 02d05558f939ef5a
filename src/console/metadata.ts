import {
  type DescMessage,
  type DescMethod,
  type DescMethodUnary,
  fromJson,
  type MessageShape,
} from "@bufbuild/protobuf";
import { operation as operationOption } from "../../gen/es/ids/options/v1/options_pb.ts";
import { asOfParameter } from "../contract/as-of.ts";
import { catalog, kebab, type Operation } from "../contract/catalog.ts";
import { type CitationForm, citeParameter } from "../contract/citation.ts";
import { downloadFormats, hasAllPages } from "../contract/file-format.ts";
import { getOption } from "../contract/option.ts";
import { tablesOf } from "../contract/tables.ts";
import { contents } from "../pages/reference/contents.ts";
import type { OperationSources } from "../pages/reference/operation-sources.ts";
import { queryOf } from "./address.ts";
import type { Parameters, Read, ReadResponse } from "./read-response.ts";
import type { Viewer } from "./viewer.ts";

export interface SourceProperty {
  readonly name: string;
  readonly publisher: string;
  readonly kind: string;
  readonly terms: string;
}

export interface Metadata {
  /** Returns the sources of an operation, or only those that the response names. */
  readonly sourcesOf: (operation: Operation, named?: readonly string[]) => readonly SourceProperty[];
  readonly withheldSources: (operation: Operation) => readonly string[];
  /** Returns whether an operation returns data of the caller's account, which the public does not have. */
  readonly isOfAccount: (operation: Operation) => boolean;
  readonly pageOf: (operation: Operation) => string | undefined;
}

export function metadataFrom(
  inputs: readonly OperationSources[],
  withheldSources: Metadata["withheldSources"],
): Metadata {
  const sources = new Map<DescMethod, readonly SourceProperty[]>(
    inputs.map(({ method, datasets, lookups }) => {
      const all = [...datasets.flatMap(({ sources: own }) => own), ...lookups];
      return [method, [...new Map(all.map(({ name, license }) => [name, { name, ...license }])).values()]];
    }),
  );
  const pages = new Map<DescMethod, string>(
    inputs.flatMap(({ method, datasets: [first] }) => (first ? [[method, `/data/${first.name}`] as const] : [])),
  );
  const subjects = contents((method) => sources.has(method));
  const data = new Set(subjects.filter(({ kind }) => kind === "data").flatMap(({ operations }) => operations));
  return {
    withheldSources,
    isOfAccount: (operation) => !data.has(operation),
    sourcesOf: ({ method }, named) => (sources.get(method) ?? []).filter(({ name }) => named?.includes(name) ?? true),
    pageOf: ({ method }) => pages.get(method),
  };
}

const byName = new Map(catalog.map((operation) => [operation.name, operation]));

export function operationNamed(name: string): Operation | undefined {
  return byName.get(name);
}

/** Returns the operation of a method. Throws if the contract has none. */
export function operationFor(method: DescMethod): Operation {
  const operation = byName.get(method.name);
  if (!operation) throw new TypeError(`${method.name} is not in the contract`);
  return operation;
}

export interface MessageRead<O extends DescMessage> {
  readonly response: ReadResponse;
  /** The response message; undefined if the read was rejected. */
  readonly message: MessageShape<O> | undefined;
}

export async function readMessage<I extends DescMessage, O extends DescMessage>(
  read: Read,
  method: DescMethodUnary<I, O>,
  parameters?: Parameters,
): Promise<MessageRead<O>> {
  const response = await read(operationFor(method), parameters);
  return { response, message: response.kind === "answered" ? fromJson(method.output, response.body) : undefined };
}

export function formatsOf(operation: Operation): readonly string[] {
  return downloadFormats(tablesOf(operation)).filter((format) => format !== "csvw");
}

export interface ExportPathParts {
  readonly operation: Operation;
  readonly target: string;
  readonly format: string;
  /** Name of the table to export. The default is the first table of the response. */
  readonly rows?: string | undefined;
  /** A file with all pages counts rows against the account, so only signed-in viewers get one. */
  readonly viewer: Pick<Viewer, "isSignedIn">;
}

export function exportPath(parts: ExportPathParts): string {
  const { operation, format, rows } = parts;
  const query = queryOf(parts.target);
  query.set("format", format);
  if (rows !== undefined && !isFirstTable(parts)) query.set("rows", rows);
  if (isOfAllPages(parts)) {
    const { page } = getOption(operation.method, operationOption);
    for (const name of [page?.cursor, page?.size]) query.delete(name ?? "");
    query.set("all", "true");
  }
  return `/export/${kebab(operation.name)}?${query}`;
}

export type CitedRead = Pick<ExportPathParts, "operation" | "target">;

/** Returns the address of a citation of a read's response. */
export function citationPath({ operation, target }: CitedRead, form: CitationForm) {
  const query = queryOf(target);
  query.set(citeParameter, form);
  return `/export/${kebab(operation.name)}?${query}`;
}

/**
 * Returns whether a file has the rows of all pages of a list. It does for a signed-in viewer and the paged table. JSON
 * does not, because it is the response of one page.
 */
export function isOfAllPages(parts: ExportPathParts): boolean {
  const { operation, format, viewer } = parts;
  const isOffered = hasAllPages(operation) && isFirstTable(parts) && !queryOf(parts.target).has(asOfParameter);
  return viewer.isSignedIn && format !== "json" && isOffered;
}

function isFirstTable({ operation, rows }: Pick<ExportPathParts, "operation" | "rows">): boolean {
  return rows === undefined || rows === tablesOf(operation)[0]?.name;
}
