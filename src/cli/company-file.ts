import { readFile } from "node:fs/promises";
import { fromJson, type JsonObject, type JsonValue } from "@bufbuild/protobuf";
import { CsvError, type Info, parse as parseCsv } from "csv-parse/sync";
import {
  type CompanyImport,
  CompanyImportSchema,
  MonitoredCompanyStateSchema,
} from "../../gen/es/ids/company_monitoring/v1/companies_pb.ts";
import { ConfigurationError } from "../errors.ts";
import { whyUnreadable } from "../reference/file-failure.ts";

/** A company and where the file has it. */
export interface FileRow {
  readonly place: string;
  readonly company: CompanyImport;
}

/** Reads companies from CSV, whose head names members of an import, or from JSON: a list of imports. */
export async function readCompanies(file: string): Promise<readonly FileRow[]> {
  const text = await readText(file);
  const records = /^\s*[[{]/.test(text) ? jsonRecords(file, text) : csvRecords(file, text);
  if (records.length === 0) throw new ConfigurationError(`${file} contains no companies`);
  return records.map(({ place, record }) => {
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
    // Some programs begin a file with a byte-order mark.
    return (await readFile(file, "utf8")).replace(/^\uFEFF/, "");
  } catch (cause) {
    throw new ConfigurationError(`${file} cannot be read: ${whyUnreadable(cause)}`, { cause });
  }
}

interface FileRecord {
  readonly place: string;
  readonly record: JsonValue;
}

function jsonRecords(file: string, text: string): FileRecord[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ConfigurationError(`${file} is not valid JSON: ${cause instanceof Error ? cause.message : ""}`, {
      cause,
    });
  }
  if (!Array.isArray(value)) throw new ConfigurationError(`${file} must be a list of companies`);
  return value.map((record, index) => ({ place: `item ${index + 1}`, record }));
}

function csvRecords(file: string, text: string): FileRecord[] {
  const options = { columns: true, trim: true, skipEmptyLines: true, info: true } as const;
  try {
    const rows = parseCsv(text, options) as unknown as { readonly info: Info; readonly record: JsonObject }[];
    // The parser tells the line on which a row ends.
    return rows.map(({ info, record }) => ({ place: `line ${info.lines}`, record }));
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    throw new ConfigurationError(`${file} is not a valid CSV table: ${cause.message}`, { cause });
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
