import type { DescMessage } from "@bufbuild/protobuf";
import { field as fieldOption } from "../../gen/es/ids/options/v1/options_pb.ts";
import { kebab, type Operation, requiredTier } from "../contract/catalog.ts";
import { getOption } from "../contract/option.ts";
import { countryParameter, describeCountry, twinOfCountry } from "../contract/request/country-parameter.ts";
import { isRequired } from "../contract/rules/field-rules.ts";
import type { JsonSchema } from "../contract/rules/json-schema.ts";
import { described, fieldSchema, messageSchema, type SchemaPlace, schemaName, schemasOf } from "../contract/schema.ts";

/** A tool as `tools/list` and `describe_tool` tell it. */
export interface ToolDefinition {
  readonly name: string;
  /** Absent where the name says the same. */
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: { readonly type: "object" } & JsonSchema;
  /** Absent from the list of all tools. */
  readonly outputSchema?: { readonly type: "object" } & JsonSchema;
  readonly annotations: Readonly<Record<string, boolean>>;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** Nothing a tool does changes anything. That calls may be repeated follows; `openWorldHint` is true where it is not said. */
export const readOnly = { readOnlyHint: true, destructiveHint: false };

/** `GetEuGasStorage` as a tool is `get_eu_gas_storage`. */
export function toolName({ name }: Operation): string {
  return kebab(name).replaceAll("-", "_");
}

/** What a read is for, from its comment in the contract. */
export function toolDescription({ method }: Operation): string {
  return described(`${method.parent.typeName}.${method.name}`).description ?? "";
}

/** A read as a tool of its own, with every rule of its parameters and every field of its answer. */
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

/** Its parameters in short: `country_code, category?`. */
export function signature(operation: Operation): string {
  return heeded(operation)
    .map((field) => (isRequired(field) ? field.name : `${field.name}?`))
    .join(", ");
}

/** What a caller needs: nothing, any key, a subscription, a scope. */
export function accessOf(operation: Operation): string {
  const { access } = operation;
  if (access.anonymous) return "free";
  if (access.operator) return "operator";
  if (requiredTier(operation) > 0) return "subscription";
  return access.scope === "" ? "free-account" : `scope ${access.scope}`;
}

/** What every tool takes beside the parameters of its operation. */
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

/** The same in lists of tools; the server's instructions describe them. */
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

/** Where the country is required, its own name is: model hosts refuse a schema that says "one of two". */
function countryProperty({ method: { input } }: Operation): JsonSchema {
  const twin = twinOfCountry(input);
  // A list holds one country as well: an agent need not read of both.
  if (!twin || isRequired(twin) || twin.fieldKind === "list") return {};
  return { [countryParameter]: { type: "string", description: describeCountry(twin) } };
}

/** An agent that gave one of the others would take the answer for what it asked. */
function heeded({ method }: Operation): DescMessage["fields"] {
  return method.input.fields.filter((field) => !getOption(field, fieldOption).ignored);
}

/** The answer's message; nothing is required, because a projection or a shortened answer takes its place. */
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

/** What a message refers to, itself among them only where it contains itself. */
function definitions(desc: DescMessage, place: SchemaPlace): JsonSchema {
  const schemas = schemasOf([desc], place);
  const own = schemaName(desc);
  if (!JSON.stringify(schemas).includes(`"${place.base}${own}"`)) delete schemas[own];
  return Object.keys(schemas).length === 0 ? {} : { $defs: schemas };
}
