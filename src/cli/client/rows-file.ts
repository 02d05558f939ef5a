import { type DescMessage, fromJson, type JsonValue, toJson } from "@bufbuild/protobuf";
import { isObject, type JsonObject } from "../../contract/request/body.ts";
import { queryDecoder } from "../../contract/request/query.ts";
import { UpstreamError } from "../../egress/upstream-error.ts";
import { ConfigurationError } from "../../errors.ts";
import { useOneOf } from "../../reference/allowed-values.ts";
import { readTextFile } from "../../reference/file-failure.ts";
import { readCsvTable } from "../../upstream/csv.ts";

/** The rows of a file, each as a message. */
export interface FileRows {
  readonly file: string;
  readonly rows: readonly FileRow[];
  /** Rows of a CSV file that cannot be parsed, each with the reason. */
  readonly rejected: readonly { readonly row: string; readonly reason: string }[];
}

/** A message and its row number in the file. */
interface FileRow {
  readonly place: string;
  readonly record: JsonValue;
}

/** Reads messages from a CSV file whose header contains member names, or from a JSON list. */
export async function readRows(file: string, desc: DescMessage): Promise<FileRows> {
  const text = await readTextFile(file);
  const isJson = /^\s*[[{]/.test(text);
  const { rows, rejected } = isJson ? jsonRows(file, text) : csvRows(file, text);
  if (rows.length === 0 && rejected.length === 0) throw new ConfigurationError(`${file} contains no rows`);
  const known = new Set(desc.fields.flatMap(({ name, jsonName }) => [name, jsonName]));
  const allowed = useOneOf(desc.fields.map(({ jsonName }) => ({ id: jsonName })));
  const decode = queryDecoder(desc);
  const checked = rows.map(({ place, record }): FileRow => {
    const unknown = isObject(record) ? Object.keys(record).find((name) => !known.has(name)) : undefined;
    if (unknown !== undefined) throw new ConfigurationError(`${file}: unknown field "${unknown}"${allowed}`);
    try {
      if (isJson) fromJson(desc, record);
      return { place, record: isJson ? record : toJson(desc, decode(textsOf(record))) };
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new ConfigurationError(`${file}, ${place}: ${reason}`, { cause });
    }
  });
  return { file, rows: checked, rejected };
}

/** Reads a file with one JSON object. */
export async function readJsonObject(file: string): Promise<JsonObject> {
  const value = parsedJson(file, await readTextFile(file));
  if (isObject(value)) return value;
  throw new ConfigurationError(`${file} must be a JSON object`);
}

export function parsedJson(place: string, text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : "";
    throw new ConfigurationError(`${place} is not valid JSON: ${reason}`, { cause });
  }
}

type Rows = Pick<FileRows, "rows" | "rejected">;

function jsonRows(file: string, text: string): Rows {
  const value = parsedJson(file, text);
  if (!Array.isArray(value)) throw new ConfigurationError(`${file} must be a list`);
  return { rows: value.map((record, index) => ({ place: `item ${index + 1}`, record })), rejected: [] };
}

function csvRows(file: string, text: string): Rows {
  try {
    const { records, rejected } = readCsvTable(file, text);
    return { rows: records.map(({ line, record }) => ({ place: `line ${line}`, record })), rejected };
  } catch (cause) {
    throw cause instanceof UpstreamError ? new ConfigurationError(cause.message, { cause }) : cause;
  }
}

function textsOf(record: JsonValue): URLSearchParams {
  const texts = new URLSearchParams();
  for (const [name, text] of Object.entries(isObject(record) ? record : {})) texts.append(name, String(text));
  return texts;
}
