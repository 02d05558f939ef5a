import type { DescMessage } from "@bufbuild/protobuf";
import { field as fieldOption } from "../../gen/es/ids/options/v1/options_pb.ts";
import { kebab, type Operation, requiredTier } from "../contract/catalog.ts";
import { getOption } from "../contract/option.ts";
import { countryParameter, describeCountry, twinOfCountry } from "../contract/request/country-parameter.ts";
import { isRequired } from "../contract/rules/field-rules.ts";
import type { JsonSchema } from "../contract/rules/json-schema.ts";
import { described, fieldSchema, messageSchema, type SchemaPlace, schemaName, schemasOf } from "../contract/schema.ts";

/** A tool in the format of `tools/list` and `describe_tool`. */
export interface ToolDefinition {
  readonly name: string;
  /** Title; undefined if it would repeat the name. */
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: { readonly type: "object" } & JsonSchema;
  /** Schema of the result; undefined in the list of all tools, to keep it short. */
  readonly outputSchema?: { readonly type: "object" } & JsonSchema;
  readonly annotations: Readonly<Record<string, boolean>>;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** Hints that calls only read data and can be repeated. If `openWorldHint` is missing, clients assume true. */
export const readOnly = { readOnlyHint: true, destructiveHint: false };

/** Returns the tool name of an operation: `get_eu_gas_storage` for `GetEuGasStorage`. */
export function toolName({ name }: Operation): string {
  return kebab(name).replaceAll("-", "_");
}

export function toolDescription({ method }: Operation): string {
  return described(`${method.parent.typeName}.${method.name}`).description ?? "";
}

export function operationTool(operation: Operation): ToolDefinition {
  return {
    name: toolName(operation),
    title: operation.name.replace(/(?<=[a-z0-9])[A-Z]/g, " $&"),
    description: toolDescription(operation),
    inputSchema: { ...parametersSchema(operation), additionalProperties: false },
    outputSchema: responseSchema(operation),
    annotations: readOnly,
    _meta: { "ids/access": accessOf(operation) },
  };
}

/** Returns the parameters of an operation in short form, such as `country_code, category?`. */
export function signature(operation: Operation): string {
  return heeded(operation)
    .map((field) => (isRequired(field) ? field.name : `${field.name}?`))
    .join(", ");
}

export function accessOf(operation: Operation): string {
  const { access } = operation;
  if (access.anonymous) return "free";
  if (access.operator) return "operator";
  if (requiredTier(operation) > 0) return "subscription";
  return access.scope === "" ? "free-account" : `scope ${access.scope}`;
}

/** Parameters of every tool, in addition to those of its operation. */
const commonProperties: JsonSchema = {
  jmespath: {
    type: "string",
    maxLength: 1024,
    description: "JMESPath expression applied to the result, such as `keys(@)`. Its output is in `result`.",
  },
  detail: {
    type: "string",
    enum: ["concise", "full"],
    default: "concise",
    description: "`concise` shortens lists to about 2,000 tokens in total. `full` returns up to 131,072 bytes.",
  },
};

/** The common parameters without descriptions, for lists of tools. The instructions of the server describe them. */
export const briefCommonProperties: JsonSchema = {
  jmespath: { type: "string" },
  detail: { enum: ["concise", "full"] },
};

const requests: SchemaPlace = { base: "#/$defs/", isRequest: true };
const responses: SchemaPlace = { base: "#/$defs/", isRequest: false };

function parametersSchema(operation: Operation): ToolDefinition["inputSchema"] {
  const fields = heeded(operation);
  const required = fields.filter(isRequired).map(({ name }) => name);
  return {
    type: "object",
    properties: {
      ...Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field, requests)])),
      ...countryProperty(operation),
      ...commonProperties,
    },
    ...(required.length > 0 ? { required } : {}),
    ...definitions(operation.method.input, requests),
  };
}

/** A required country gets no alias, because some hosts reject a schema that requires one of two parameters. */
function countryProperty({ method: { input } }: Operation): JsonSchema {
  const twin = twinOfCountry(input);
  // A list of countries also accepts a single one, so it needs no alias.
  if (!twin || isRequired(twin) || twin.fieldKind === "list") return {};
  return { [countryParameter]: { type: "string", description: describeCountry(twin) } };
}

/** Returns the parameters without ignored ones, because an agent would believe that these filter the result. */
function heeded({ method }: Operation): DescMessage["fields"] {
  return method.input.fields.filter((field) => !getOption(field, fieldOption).ignored);
}

/** Returns the schema of a response. No member is required: expressions and shortening may leave out any. */
function responseSchema({ method }: Operation): NonNullable<ToolDefinition["outputSchema"]> {
  const { properties, description } = messageSchema(method.output, responses);
  return {
    type: "object",
    ...(description === undefined ? {} : { description }),
    properties: {
      ...(properties as JsonSchema),
      result: { description: "With `jmespath`: the output of the expression." },
      _budget_exceeded: {
        type: "object",
        description: "Present if the result was shortened: what was left out, and how to get it.",
      },
    },
    ...definitions(method.output, responses),
  };
}

/** Returns the schemas of messages that a message uses, which include its own only if it contains itself. */
function definitions(desc: DescMessage, place: SchemaPlace): JsonSchema {
  const schemas = schemasOf([desc], place);
  const own = schemaName(desc);
  if (!JSON.stringify(schemas).includes(`"${place.base}${own}"`)) delete schemas[own];
  return Object.keys(schemas).length === 0 ? {} : { $defs: schemas };
}
