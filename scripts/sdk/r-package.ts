import { comments } from "../../gen/es/comments.ts";
import { TimeEncoding } from "../../gen/es/ids/options/v1/options_pb.ts";
import { catalog, kebab, type Operation } from "../../src/contract/catalog.ts";
import type { Column } from "../../src/contract/columns.ts";
import { hasAllPages } from "../../src/contract/file-format.ts";
import { pagingOf } from "../../src/contract/paging.ts";
import { tablesOf } from "../../src/contract/tables.ts";
import { operationOrigins } from "../../src/domains/index.ts";
import { type ArchiveFile, filesBelow, tarballOf } from "./archive.ts";
import { type OperationParameter, operationParameters } from "./operation-parameters.ts";
import { type HelpItem, helpPage } from "./r-help.ts";

/** An argument of a function in R. */
interface Argument {
  readonly name: string;
  /** Undefined for a required argument. */
  readonly value?: string;
  readonly text: string;
}

const writtenFunctions = ["ids_client", "provenance"];

/** Returns the R client as a source package. The functions of the reads are written from the contract. */
export async function rPackage(folder: string): Promise<Buffer> {
  const reads = catalog.filter(({ read, verb }) => read && verb === "GET");
  const names = reads.map(nameOf);
  const exports = [...writtenFunctions, ...names].map((name) => `export(${name})`);
  const files = [
    ...filesBelow(folder, ["DESCRIPTION", "LICENSE", "README.md", "R/*.R", "man/*.Rd", "tests/**/*.R"]),
    textFile("NAMESPACE", [...exports, "S3method(print, ids_client)"].join("\n")),
    textFile("R/operations.R", reads.map(functionText).join("\n")),
    textFile(
      "inst/operations.json",
      JSON.stringify(Object.fromEntries(reads.map((each) => [nameOf(each), facts(each)]))),
    ),
    ...reads.map((operation) => textFile(`man/${nameOf(operation)}.Rd`, help(operation))),
  ];
  return tarballOf("idsclient", files);
}

function textFile(name: string, text: string): ArchiveFile {
  return { name, content: Buffer.from(`${text}\n`) };
}

function nameOf({ name }: Operation): string {
  return kebab(name).replaceAll("-", "_");
}

/** Returns what the package must know of an operation to call it and to type its columns. */
function facts(operation: Operation): object {
  const tables = tablesOf(operation);
  const paging = pagingOf(operation);
  const origins = operationOrigins.find(({ method }) => method === operation.method);
  const sources = [...(origins?.datasets.flatMap((dataset) => dataset.sources) ?? []), ...(origins?.lookups ?? [])];
  return {
    path: operation.path,
    sources: [...new Set(sources.map(({ name }) => name))],
    ...(paging ? { cursor: paging.cursor.name, whole: hasAllPages(operation) } : {}),
    tables: Object.fromEntries(
      tables.map(({ name, columns }) => [
        name,
        Object.fromEntries(columns.map((column) => [column.name, typeOf(column)])),
      ]),
    ),
  };
}

function typeOf({ type, time }: Column): string {
  if (time === TimeEncoding.EPOCH_MS) return "milliseconds";
  if (time === TimeEncoding.RFC3339) return "time";
  if (time === TimeEncoding.DAY) return "day";
  return type === "bigint" ? "number" : type;
}

function argumentsOf(operation: Operation): Argument[] {
  const tables = tablesOf(operation);
  const own = operationParameters(operation).map((parameter) => ({
    name: parameter.name,
    ...(parameter.isNeeded ? {} : { value: "NULL" }),
    text: textOf(parameter),
  }));
  const all = [
    { name: "client", text: "A client from `ids_client`." },
    ...own,
    ...(tables.length > 1 ? [{ name: "rows", value: "NULL", text: tablesText(tables.map(({ name }) => name)) }] : []),
    ...(pagingOf(operation) && tables.length > 0 ? [{ name: "all", value: "FALSE", text: allText }] : []),
  ];
  const twice = all.find(({ name }, index) => all.findIndex((other) => other.name === name) !== index);
  if (twice) throw new Error(`Two arguments of ${operation.name} are named ${twice.name}`);
  return all;
}

const allText =
  "Whether to read all pages. With a key, they are one file, if the list ends. Their rows count against the plan's exported rows.";

function tablesText([first = "", ...others]: readonly string[]): string {
  return `Table of the response: ${[first, ...others].map((name) => `\`${name}\``).join(", ")}. Default: \`${first}\`.`;
}

function textOf({ field, text }: OperationParameter): string {
  const names = field?.enum?.values.filter(({ number }) => number !== 0).map(({ name }) => `\`${name}\``) ?? [];
  return names.length === 0 ? text : `${text} Values: ${names.join(", ")}.`;
}

function functionText(operation: Operation): string {
  const passed = operationParameters(operation).map(({ name }) => `${name} = ${name}`);
  const given = argumentsOf(operation).map(({ name }) => name);
  const read = tablesOf(operation).length > 0 ? "read_table" : "read_json";
  const options = ["rows", "all"].filter((name) => given.includes(name)).map((name) => `, ${name} = ${name}`);
  return `${nameOf(operation)} <- function(
${signature(operation, "  ")}
) {
  ${read}(client, "${nameOf(operation)}", list(${passed.join(", ")})${options.join("")})
}
`;
}

function signature(operation: Operation, indent: string): string {
  const lines = argumentsOf(operation).map(({ name, value }) => (value === undefined ? name : `${name} = ${value}`));
  return lines.map((line) => indent + line).join(",\n");
}

function help(operation: Operation): string {
  const { method } = operation;
  const items: HelpItem[] = argumentsOf(operation);
  return helpPage({
    name: nameOf(operation),
    text: comments[`${method.parent.typeName}.${method.name}`] ?? operation.name,
    usage: `${nameOf(operation)}(\n${signature(operation, "  ")}\n)`,
    items,
    tables: tablesOf(operation).map(({ name, columns }) => ({
      name,
      columns: columns.map((column) => ({
        name: column.name,
        text: comments[`${column.field?.parent.typeName}.${column.field?.name}`] ?? "Key of the row.",
      })),
    })),
  });
}
