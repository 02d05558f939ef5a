import { readFile } from "node:fs/promises";
import { fromJson, type JsonObject, type JsonValue } from "@bufbuild/protobuf";
import { CsvError, parse as parseCsv } from "csv-parse/sync";
import {
  type CompanyImport,
  CompanyImportSchema,
  MonitoredCompanyStateSchema,
} from "../../gen/es/ids/company_monitoring/v1/companies_pb.ts";
import { ConfigurationError } from "../errors.ts";

/** A company and where the file has it. */
export interface FileRow {
  readonly place: string;
  readonly company: CompanyImport;
}

/** Reads companies from CSV, whose head names members of an import, or from JSON: a list of imports. */
export async function readCompanies(file: string): Promise<readonly FileRow[]> {
  const text = await readText(file);
  const isJson = /^\s*[[{]/.test(text);
  const records = isJson ? jsonRecords(file, text) : csvRecords(file, text);
  return records.map((record, index) => {
    // A CSV's first line is its head.
    const place = isJson ? `item ${index + 1}` : `line ${index + 2}`;
    try {
      return { place, company: fromJson(CompanyImportSchema, withState(record)) };
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new ConfigurationError(`${file}, ${place}: ${reason}`, { cause });
    }
  });
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    throw new ConfigurationError(`${file} cannot be read`, { cause });
  }
}

function jsonRecords(file: string, text: string): JsonValue[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ConfigurationError(`${file} is no JSON: ${cause instanceof Error ? cause.message : ""}`, { cause });
  }
  if (!Array.isArray(value)) throw new ConfigurationError(`${file} must be a list of companies`);
  return value;
}

function csvRecords(file: string, text: string): JsonObject[] {
  try {
    return parseCsv(text, { bom: true, columns: true, trim: true, skipEmptyLines: true });
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    throw new ConfigurationError(`${file} is no table: ${cause.message}`, { cause });
  }
}

/** A state may be written short: `paused`. */
function withState(record: JsonValue): JsonValue {
  if (typeof record !== "object" || record === null || Array.isArray(record)) return record;
  const { state, ...rest } = record;
  if (state === "") return rest;
  const known = MonitoredCompanyStateSchema.values.find(({ localName }) => localName === String(state).toUpperCase());
  return known ? { ...rest, state: known.name } : record;
}
