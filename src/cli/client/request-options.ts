import { type DescField, type JsonValue, ScalarType, toJson } from "@bufbuild/protobuf";
import { type Command, Option } from "commander";
import { field as fieldOption } from "../../../gen/es/ids/options/v1/options_pb.ts";
import { choicesOf } from "../../contract/allowed-values.ts";
import { bodyFields, kebab, type Operation } from "../../contract/catalog.ts";
import { parametersOf } from "../../contract/openapi/parameters.ts";
import { getOption } from "../../contract/option.ts";
import { isObject, type JsonObject } from "../../contract/request/body.ts";
import { queryDecoder } from "../../contract/request/query.ts";
import { maxItems } from "../../contract/request/request-size.ts";
import { parseRequestTime, timeWords } from "../../contract/request/request-time.ts";
import { isRequired } from "../../contract/rules/field-rules.ts";
import type { JsonSchema } from "../../contract/rules/json-schema.ts";
import { fieldSchema, firstSentence } from "../../contract/schema.ts";
import { InvalidRequest } from "../../errors.ts";
import { knownLists } from "../../runtime/known-lists.ts";
import { timesOf } from "../../runtime/past-reads.ts";
import { WrongCommandLine } from "../terminal.ts";
import { type FileRows, parsedJson, readJsonObject, readRows } from "./rows-file.ts";

/** Path and query of a request, built from the command line. */
export interface RequestAddress {
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Bodies of the calls. A long list is split into several calls. */
export interface RequestBodies {
  readonly bodies: readonly JsonObject[];
  /** File with the list; undefined if the command line contains the whole body. */
  readonly file?: SentRows;
}

/** The rows of the file that are sent, and the number of rows per request. */
interface SentRows extends FileRows {
  readonly list: RowList;
  readonly size: number;
}

type RowList = DescField & { readonly fieldKind: "list"; readonly listKind: "message" };

/** Adds an option for each path and query parameter. Returns a function that reads their values. */
export function addParameterOptions(command: Command, operation: Operation): () => RequestAddress {
  const options = parametersOf(operation, timesOf(operation)).flatMap(({ name, description, schema }) => {
    const field = operation.method.input.fields.find((each) => each.name === name);
    // A parameter that the operation ignores gets no option.
    if (field && getOption(field, fieldOption).ignored) return [];
    return [optionOf({ field, name: String(name), description, schema: schema as JsonSchema })];
  });
  for (const { name, option } of options)
    command.addOption(option.makeOptionMandatory(operation.inPath.includes(name)));
  return () => {
    const query = new URLSearchParams();
    let { path } = operation;
    for (const { name, option } of options)
      for (const value of valuesOf(command, option)) {
        if (operation.inPath.includes(name)) path = path.replace(`{${name}}`, encodeURIComponent(value));
        else query.append(name, value);
      }
    return { path, query };
  };
}

/** Adds an option for each member of the body. Returns a function that reads their values, and files that they name. */
export function addBodyOptions(command: Command, operation: Operation): () => Promise<RequestBodies> {
  const { input } = operation.method;
  const options = bodyFields(operation).map((field) => {
    const { description, ...schema } = fieldSchema(field, { base: "", isRequest: true });
    return { field, ...optionOf({ field, name: field.name, description, schema }) };
  });
  for (const { option } of options) command.addOption(option);
  command.option("--body <file>", "File with the whole request as JSON; options replace its members.");
  const decode = queryDecoder(input);
  return async () => {
    const query = new URLSearchParams();
    const { body: whole } = command.opts<{ readonly body?: string }>();
    const members: Record<string, JsonValue> = whole === undefined ? {} : { ...(await readJsonObject(whole)) };
    let file: RequestBodies["file"];
    for (const { field, option } of options)
      for (const value of valuesOf(command, option)) {
        if (!isNested(field)) query.append(field.name, asEpoch(field, value));
        else if (/^\s*[[{]/.test(value)) members[field.jsonName] = parsedJson(flagOf(field.name), value);
        else if (isRowList(field))
          file = { list: field, size: maxItems(field), ...(await readRows(value, field.message)) };
        else members[field.jsonName] = await readJsonObject(value);
      }
    const plain = toJson(
      input,
      inWords(() => decode(query)),
    );
    const body = { ...members, ...(isObject(plain) ? plain : {}) };
    return file ? { file, bodies: batches(body, file) } : { bodies: [body] };
  };
}

/** Returns the option for a parameter or member. */
export function flagOf(name: string): string {
  return `--${kebab(name).replaceAll("_", "-")}`;
}

interface Parameter {
  /** Field of the parameter; undefined for parameters that every read has. */
  readonly field: DescField | undefined;
  readonly name: string;
  readonly description: unknown;
  readonly schema: JsonSchema;
}

function optionOf({ field, name, description, schema }: Parameter): { readonly name: string; readonly option: Option } {
  const text = firstSentence(String(description ?? ""));
  const flag = flagOf(name);
  if (field && isNested(field)) return { name, option: new Option(`${flag} <json>`, `${text} ${formOf(field)}`) };
  const allowed = choicesOf(field, schema, knownLists);
  const meaning = allowed.length === 0 ? text : `${text} One of: ${allowed.join(", ")}.`;
  if (schema.type === "boolean") return { name, option: new Option(`${flag} [boolean]`, meaning) };
  const option = new Option(`${flag} <value>`, meaning);
  if (schema.type === "array") option.argParser((value, before: readonly string[] = []) => [...before, value]);
  else if (field && isRequired(field) && allowed.length === 1) option.default(allowed[0]);
  return { name, option };
}

function formOf(field: DescField): string {
  if (!isRowList(field)) return "JSON, or a file with JSON.";
  return `JSON, or a file with JSON or CSV: ${field.message.fields.map(({ jsonName }) => jsonName).join(", ")}.`;
}

function valuesOf(command: Command, option: Option): readonly string[] {
  const value: unknown = command.getOptionValue(option.attributeName());
  return value === undefined ? [] : [value].flat().map(String);
}

/** Returns whether a member needs JSON, because it is not a plain value or a list of plain values. */
function isNested(field: DescField): boolean {
  return field.message !== undefined || field.fieldKind === "map";
}

function isRowList(field: DescField): field is RowList {
  return field.fieldKind === "list" && field.listKind === "message";
}

/** Converts a day or time to epoch milliseconds if the member is an integer. */
function asEpoch({ scalar, name }: DescField, text: string): string {
  if (scalar !== ScalarType.INT64 || /^-?\d+$/.test(text)) return text;
  const time = parseRequestTime(text);
  if (time) return String(time.start);
  throw new WrongCommandLine(`${flagOf(name)} must be an integer, or as a time ${timeWords}`);
}

function inWords<T>(decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    const texts = error.violations.map(({ field, description }) => `${flagOf(field)}: ${description}`);
    throw new WrongCommandLine(texts.join("; "));
  }
}

function batches(body: JsonObject, { list, rows, size }: SentRows): JsonObject[] {
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, batch) => ({
    ...body,
    [list.jsonName]: rows.slice(batch * size, (batch + 1) * size).map(({ record }) => record),
  }));
}
