import type { DescField } from "@bufbuild/protobuf";
import { type Command, Option } from "commander";
import { field as fieldOption } from "../../../gen/es/ids/options/v1/options_pb.ts";
import { choicesOf } from "../../contract/allowed-values.ts";
import type { Operation } from "../../contract/catalog.ts";
import { parametersOf } from "../../contract/openapi/parameters.ts";
import { getOption } from "../../contract/option.ts";
import type { JsonSchema } from "../../contract/rules/json-schema.ts";
import { firstSentence } from "../../contract/schema.ts";
import { knownBounds } from "../../runtime/known-bounds.ts";
import { hasPast } from "../../runtime/past-reads.ts";
import { hasUpdates } from "../../runtime/updates/followed-reads.ts";

interface ReadOption {
  readonly parameter: string;
  readonly option: Option;
}

export interface ReadAddress {
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Adds an option for every parameter of a read. Returns a function that reads them. */
export function addReadOptions(command: Command, operation: Operation): () => ReadAddress {
  const options = parametersOf(operation, { hasPast: hasPast(operation), hasUpdates: hasUpdates(operation) })
    .filter(({ name }) => !isIgnored(operation, String(name)))
    .map((parameter) => optionOf(parameter, operation));
  for (const { option } of options) command.addOption(option);
  return () => {
    const query = new URLSearchParams();
    let { path } = operation;
    for (const { parameter, option } of options)
      for (const value of [command.getOptionValue(option.attributeName()) ?? []].flat()) {
        if (operation.inPath.includes(parameter)) path = path.replace(`{${parameter}}`, encodeURIComponent(value));
        else query.append(parameter, String(value));
      }
    return { path, query };
  };
}

export function flagOf(parameter: string): string {
  return `--${parameter.replaceAll("_", "-")}`;
}

function optionOf(parameter: JsonSchema, operation: Operation): ReadOption {
  const name = String(parameter.name);
  const schema = parameter.schema as JsonSchema;
  const text = firstSentence(String(parameter.description ?? ""));
  const allowed = choicesOf(fieldOf(operation, name), schema, knownBounds);
  const meaning = allowed.length === 0 ? text : `${text} One of: ${allowed.join(", ")}.`;
  const flag = flagOf(name);
  if (schema.type === "boolean") return { parameter: name, option: new Option(`${flag} [boolean]`, meaning) };
  const option = new Option(`${flag} <value>`, meaning).makeOptionMandatory(operation.inPath.includes(name));
  if (schema.type === "array") option.argParser((value, before: readonly string[] = []) => [...before, value]);
  return { parameter: name, option };
}

/** Parameters that the service ignores get no option. */
function isIgnored(operation: Operation, parameter: string): boolean {
  const field = fieldOf(operation, parameter);
  return field !== undefined && getOption(field, fieldOption).ignored;
}

function fieldOf({ method }: Operation, parameter: string): DescField | undefined {
  return method.input.fields.find(({ name }) => name === parameter);
}
