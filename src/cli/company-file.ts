import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import {
  type CompanyImport,
  CompanyImportSchema,
  MonitoredCompanyStateSchema,
} from "../../gen/es/ids/company_monitoring/v1/companies_pb.ts";
import { UpstreamError } from "../egress/upstream-error.ts";
import { ConfigurationError } from "../errors.ts";
import { useOneOf } from "../reference/allowed-values.ts";
import { readTextFile } from "../reference/file-failure.ts";
import { readCsvTable } from "../upstream/csv.ts";

export interface FileRow {
  readonly place: string;
  readonly company: CompanyImport;
}

interface CompanyFile {
  readonly rows: readonly FileRow[];
  /** CSV rows that cannot be read. */
  readonly rejected: readonly { readonly row: string; readonly reason: string }[];
}

/** Reads companies from CSV with member names in its header, or from a JSON list. */
export async function readCompanies(file: string): Promise<CompanyFile> {
  const text = await readTextFile(file);
  const { records, rejected } = /^\s*[[{]/.test(text) ? jsonRecords(file, text) : csvRecords(file, text);
  if (records.length === 0 && rejected.length === 0) throw new ConfigurationError(`${file} contains no companies`);
  const known = new Set(CompanyImportSchema.fields.flatMap(({ name, jsonName }) => [name, jsonName]));
  const allowed = useOneOf(CompanyImportSchema.fields.map(({ jsonName }) => ({ id: jsonName })));
  const rows = records.map(({ place, record }) => {
    const unknown = Object.keys(record ?? {}).find((name) => !known.has(name));
    if (unknown !== undefined) throw new ConfigurationError(`${file}: unknown field "${unknown}"${allowed}`);
    try {
      return { place, company: fromJson(CompanyImportSchema, withState(record)) };
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new ConfigurationError(`${file}, ${place}: ${reason}`, { cause });
    }
  });
  return { rows, rejected };
}

interface FileRecords extends Pick<CompanyFile, "rejected"> {
  readonly records: readonly { readonly place: string; readonly record: JsonValue }[];
}

function jsonRecords(file: string, text: string): FileRecords {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ConfigurationError(`${file} is not valid JSON: ${cause instanceof Error ? cause.message : ""}`, {
      cause,
    });
  }
  if (!Array.isArray(value)) throw new ConfigurationError(`${file} must be a list of companies`);
  return { records: value.map((record, index) => ({ place: `item ${index + 1}`, record })), rejected: [] };
}

function csvRecords(file: string, text: string): FileRecords {
  try {
    const { records, rejected } = readCsvTable(file, text);
    return { records: records.map(({ line, record }) => ({ place: `line ${line}`, record })), rejected };
  } catch (cause) {
    throw cause instanceof UpstreamError ? new ConfigurationError(cause.message, { cause }) : cause;
  }
}

/** A state may be abbreviated, such as `paused`. */
function withState(record: JsonValue): JsonValue {
  if (typeof record !== "object" || record === null || Array.isArray(record)) return record;
  const { state, ...rest } = record;
  if (state === "") return rest;
  const known = MonitoredCompanyStateSchema.values.find(({ localName }) => localName === String(state).toUpperCase());
  return known ? { ...rest, state: known.name } : record;
}
