import type { DescMethod } from "@bufbuild/protobuf";
import { operation as operationOption } from "../../gen/es/ids/options/v1/options_pb.ts";
import { asOfParameter } from "../contract/as-of.ts";
import { catalog, kebab, type Operation } from "../contract/catalog.ts";
import { hasAllPages, offeredFormats } from "../contract/file-format.ts";
import { getOption } from "../contract/option.ts";
import { tablesOf } from "../contract/tables.ts";
import { contents } from "../pages/reference/contents.ts";
import type { OperationSources } from "../pages/reference/operation-sources.ts";
import type { Viewer } from "./viewer.ts";

/** A source as pages name it. */
export interface SourceProperty {
  readonly name: string;
  readonly kind: string;
  readonly terms: string;
}

/** What pages say of an operation's data, from the graph of datasets. */
export interface Metadata {
  /** Of `named`, where an answer names its own, the only ones. */
  readonly sourcesOf: (operation: Operation, named?: readonly string[]) => readonly SourceProperty[];
  /** Sources whose terms do not permit to show the public what an operation answers. */
  readonly withheldRows: (operation: Operation) => readonly string[];
  /** Whether an operation tells an account what is its own: of the public there is nothing. */
  readonly isOfAccount: (operation: Operation) => boolean;
  /** Page of the dataset that an operation gives out; undefined where there is none. */
  readonly pageOf: (operation: Operation) => string | undefined;
}

export function metadataFrom(inputs: readonly OperationSources[], withheldRows: Metadata["withheldRows"]): Metadata {
  const sources = new Map<DescMethod, readonly SourceProperty[]>(
    inputs.map(({ method, datasets, lookups }) => [
      method,
      distinct([...datasets.flatMap(({ sources: own }) => own), ...lookups]).map(({ name, license }) => ({
        name,
        kind: license.kind,
        terms: license.terms,
      })),
    ]),
  );
  const pages = new Map<DescMethod, string>(
    inputs.flatMap(({ method, datasets: [first] }) => (first ? [[method, `/data/${first.name}`] as const] : [])),
  );
  const subjects = contents((method) => sources.has(method));
  const data = new Set(subjects.filter(({ kind }) => kind === "data").flatMap(({ operations }) => operations));
  return {
    withheldRows,
    isOfAccount: (operation) => !data.has(operation),
    sourcesOf: ({ method }, named) => (sources.get(method) ?? []).filter(({ name }) => named?.includes(name) ?? true),
    pageOf: ({ method }) => pages.get(method),
  };
}

function distinct<T extends { readonly name: string }>(listed: readonly T[]): T[] {
  return [...new Map(listed.map((each) => [each.name, each])).values()];
}

const byName = new Map(catalog.map((operation) => [operation.name, operation]));

/** An operation by the name that answers have for it. */
export function operationNamed(name: string): Operation | undefined {
  return byName.get(name);
}

/** The operation of a method. Throws for one that is not in the contract. */
export function operationFor(method: DescMethod): Operation {
  const operation = byName.get(method.name);
  if (!operation) throw new TypeError(`${method.name} is not in the contract`);
  return operation;
}

const bySlug = new Map(catalog.map((operation) => [kebab(operation.name), operation]));

export function operationOfSlug(slug: string): Operation | undefined {
  return bySlug.get(slug);
}

/** Formats of files that an operation offers beside JSON. */
export function formatsOf(operation: Operation): readonly string[] {
  return offeredFormats(tablesOf(operation)).filter((format) => format !== "csvw");
}

export interface ExportPathParts {
  readonly operation: Operation;
  /** Path and query of the read. */
  readonly target: string;
  readonly format: string;
  /** The table of the answer; undefined: its first. */
  readonly rows?: string | undefined;
  /** Rows of all pages are counted by account, so that nobody else gets them as one file. */
  readonly viewer: Pick<Viewer, "isSignedIn">;
}

/** Where a browser gets what a read returns, with the rights by which its page is shown. */
export function exportPath(parts: ExportPathParts): string {
  const { operation, format, rows } = parts;
  const query = queryOf(parts);
  query.set("format", format);
  if (rows !== undefined && !isFirstTable(parts)) query.set("rows", rows);
  if (isOfAllPages(parts)) {
    const { page } = getOption(operation.method, operationOption);
    for (const name of [page?.cursor, page?.size]) query.delete(name ?? "");
    query.set("all", "true");
  }
  return `/export/${kebab(operation.name)}?${query}`;
}

/**
 * Whether a file has the rows of all pages, not of one: that of who is signed in, of the table that is paged; but for
 * JSON, which is the answer itself.
 */
export function isOfAllPages(parts: ExportPathParts): boolean {
  const { operation, format, viewer } = parts;
  const isOffered = hasAllPages(operation) && isFirstTable(parts) && !queryOf(parts).has(asOfParameter);
  return viewer.isSignedIn && format !== "json" && isOffered;
}

function queryOf({ target }: Pick<ExportPathParts, "target">): URLSearchParams {
  return new URLSearchParams(target.split("?")[1] ?? "");
}

function isFirstTable({ operation, rows }: Pick<ExportPathParts, "operation" | "rows">): boolean {
  return rows === undefined || rows === tablesOf(operation)[0]?.name;
}
