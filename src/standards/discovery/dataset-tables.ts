import { field as fieldOption, operation as operationOption } from "../../../gen/es/ids/options/v1/options_pb.ts";
import { tierNames } from "../../access/plans.ts";
import { type Operation, requiredTier } from "../../contract/catalog.ts";
import { downloadFormats, type FileFormat, hasAllPages } from "../../contract/file-format.ts";
import { getOption } from "../../contract/option.ts";
import { widestRows } from "../../contract/row-limit.ts";
import { alternatives, isNeeded } from "../../contract/rules/field-rules.ts";
import { type Table, tablesOf } from "../../contract/tables.ts";
import { wholeWorld } from "../../contract/widest-request.ts";
import { NotRedistributable } from "../../http/errors.ts";
import { fileEndings } from "../../http/rest/formats/file-response.ts";
import { type RowPlan, rowPlanner } from "../../http/rest/formats/row-plan.ts";
import type { Withheld } from "../../http/rest/formats/withheld-rows.ts";
import type { ReadOperation } from "../../http/rest/read-operation.ts";
import { exampleRequest } from "../../pages/reference/example-request.ts";

export interface Readable {
  readonly operation: Operation;
  readonly readOperation: Pick<ReadOperation, "decode">;
}

/** A table of a read, and its files. */
export interface DatasetTable {
  readonly operation: Operation;
  /** The columns of the CSV file. */
  readonly plan: RowPlan;
  /** Explains which rows the files contain and who may read them. */
  readonly note: string;
  readonly files: readonly { readonly format: FileFormat; readonly name: string; readonly path: string }[];
}

/** The tables of a dataset, and the reasons why other tables have no files. */
export interface DatasetTables {
  readonly tables: readonly DatasetTable[];
  readonly withheld: readonly string[];
}

/**
 * Returns the tables of the reads that need no parameter. If all reads need some, each is read with example values. A
 * read that requires a special scope or has a path per row is omitted.
 */
export function datasetTables(
  reads: readonly Readable[],
  withheldOf: (operation: Operation) => Withheld,
  isSample: boolean,
): DatasetTables {
  const shown = reads.filter(({ operation }) => operation.access.scope === "" && operation.inPath.length === 0);
  const whole = shown.filter(({ operation }) => inputsOf(operation).length === 0);
  const found = (whole.length > 0 ? whole : shown).flatMap((read) =>
    tablesOf(read.operation).map((table) => tableOf(read, table, withheldOf(read.operation), isSample)),
  );
  const reasons = found.filter((each) => typeof each === "string");
  return { tables: found.filter((each) => typeof each !== "string"), withheld: [...new Set(reasons)] };
}

/** Returns a table with its files, or the reason if the terms of a source forbid files. */
function tableOf(
  { operation, readOperation }: Readable,
  table: Table,
  withheld: Withheld,
  isSample: boolean,
): DatasetTable | string {
  const tables = tablesOf(operation);
  const isPaged = hasAllPages(operation) && table === tables[0];
  // A public read has a file of its largest page, because a file of all pages requires an API key.
  const all = isPaged && !operation.access.anonymous;
  const { message } = readOperation.decode(`${widestQuery(operation)}`);
  const lasting = isSample ? ["X-Data-Origin", "sample"] : [];
  try {
    const file = { table, all, format: "csv", columns: "path" } as const;
    const plan = rowPlanner(
      operation,
      () => [],
      () => withheld,
    )(file, message, { lasting, readAt: undefined });
    const formats = downloadFormats([table]).filter((format) => format !== "csvw");
    const files = formats.map((format) => ({
      format,
      name: `${plan.metadata.name}.${fileEndings[format]}`,
      path: `${plan.urlOf(format)}${all ? "&all=true" : ""}`,
    }));
    return { operation, plan, note: noteOf(operation, plan.metadata, isPaged && !all), files };
  } catch (error) {
    if (error instanceof NotRedistributable) return `${error.message}.`;
    throw error;
  }
}

/** Returns the parameters that a request must contain. */
function inputsOf({ method }: Operation): readonly string[] {
  const choices = alternatives(method.input);
  return method.input.fields.filter((field) => isNeeded(field) || choices.includes(field.name)).map(({ name }) => name);
}

/** Returns the request for the most rows, with an example of each parameter that it must contain. */
function widestQuery(operation: Operation): URLSearchParams {
  const inputs = inputsOf(operation);
  const given = exampleRequest(operation).inQuery.filter(({ field }) => inputs.includes(field.name));
  const limits = { ...wholeWorld(operation), ...widestRows(operation), ...largestPage(operation) };
  return new URLSearchParams([
    ...Object.entries(limits).map(([name, value]): [string, string] => [name, String(value)]),
    ...given.flatMap(({ field, value }) => [value].flat().map((each): [string, string] => [field.name, String(each)])),
  ]);
}

function largestPage({ method }: Operation): Readonly<Record<string, number>> {
  const { page } = getOption(method, operationOption);
  const size = method.input.fields.find(({ name }) => name === page?.size);
  const clamp = size && getOption(size, fieldOption).clamp;
  return size && clamp ? { [size.name]: clamp.max } : {};
}

function noteOf(operation: Operation, { title }: RowPlan["metadata"], isPage: boolean): string {
  const inputs = inputsOf(operation);
  const other =
    inputs.length > 0 ? `These rows are an example: other values of ${inputs.join(", ")} return` : "Parameters select";
  const page = isPage ? " This is the largest page. With an API key, all=true returns all pages." : "";
  return `${title} ${other} other rows. ${accessText([operation])}${page}`;
}

/** Returns a sentence on the lowest plan that one of these reads requires. */
export function accessText(operations: readonly Operation[]): string {
  if (operations.some(({ access }) => access.anonymous)) return "No API key is required.";
  return `Requires an API key of the plan ${tierNames[Math.min(...operations.map(requiredTier))]} or higher.`;
}
