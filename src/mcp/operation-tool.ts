import type { DescMessage } from "@bufbuild/protobuf";
import { field as fieldOption } from "../../gen/es/ids/options/v1/options_pb.ts";
import { kebab, type Operation, requiredTier } from "../contract/catalog.ts";
import { getOption } from "../contract/option.ts";
import { countryParameter, describeCountry, twinOfCountry } from "../contract/request/country-parameter.ts";
import { isRequired } from "../contract/rules/field-rules.ts";
import type { JsonSchema } from "../contract/rules/json-schema.ts";
import { described, fieldSchema, messageSchema, type SchemaPlace, schemaName, schemasOf } from "../contract/schema.ts";

/** A tool as `tools/list` and `describe_tool` return it. */
export interface ToolDefinition {
  readonly name: string;
  /** Undefined if it would repeat the name. */
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: { readonly type: "object" } & JsonSchema;
  /** Undefined in the list of all tools. */
  readonly outputSchema?: { readonly type: "object" } & JsonSchema;
  readonly annotations: Readonly<Record<string, boolean>>;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** Tools change nothing, so calls may be repeated. Clients assume `openWorldHint` if it is not set. */
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

/** Returns the parameters in short form: `country_code, category?`. */
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

/** Parameters that every tool accepts in addition to those of its operation. */
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

/** Short form for lists of tools; the server's instructions describe the parameters. */
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

/** A required country has no alias, because hosts of models reject a schema with "one of two". */
function countryProperty({ method: { input } }: Operation): JsonSchema {
  const twin = twinOfCountry(input);
  // A list also accepts one country, so the alias is not needed.
  if (!twin || isRequired(twin) || twin.fieldKind === "list") return {};
  return { [countryParameter]: { type: "string", description: describeCountry(twin) } };
}

/** Parameters without effect are left out, because an agent would believe that they filter the result. */
function heeded({ method }: Operation): DescMessage["fields"] {
  return method.input.fields.filter((field) => !getOption(field, fieldOption).ignored);
}

/** Describes the response. No member is required, because a projection or a shortened response may replace them. */
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

/** Returns the schemas that a message refers to. The message itself is among them only if it is recursive. */
function definitions(desc: DescMessage, place: SchemaPlace): JsonSchema {
  const schemas = schemasOf([desc], place);
  const own = schemaName(desc);
  if (!JSON.stringify(schemas).includes(`"${place.base}${own}"`)) delete schemas[own];
  return Object.keys(schemas).length === 0 ? {} : { $defs: schemas };
}
