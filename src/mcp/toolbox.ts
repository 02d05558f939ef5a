import { firstSentence } from "../contract/schema.ts";
import { invalidField } from "../errors.ts";
import type { Readable } from "../http/rest/read-operation.ts";
import { areaTool, areaToolName, inWords } from "./area-tool.ts";
import { briefCommonProperties, operationTool, readOnly, type ToolDefinition, toolName } from "./operation-tool.ts";
import { shortList } from "./short-list.ts";
import type { ToolArguments } from "./tool-arguments.ts";

export interface ToolCall extends Readable {
  readonly parameters: ToolArguments;
  readonly detail: "concise" | "full";
  readonly jmespath: string;
}

export interface Toolbox {
  /** Returns one tool per area, and the tools that the contract lists separately. */
  readonly short: () => readonly ToolDefinition[];
  /** Returns one tool per read. */
  readonly all: () => readonly ToolDefinition[];
  /** Finds the operation that a tool call runs; undefined for an unknown tool. Throws `InvalidRequest`. */
  readonly resolve: (name: string, given: ToolArguments) => ToolCall | undefined;
  /** Returns how to call an operation, which depends on whether the client sees tools per read or per area. */
  readonly callOf: (operation: string, listsAll: boolean) => string;
  readonly describe: (name: string) => ToolDefinition | undefined;
}

export const describeToolName = "describe_tool";

export function createToolbox(reads: readonly Readable[]): Toolbox {
  const byName = new Map(reads.map((read) => [toolName(read.operation), read]));
  const together = Map.groupBy(
    reads.filter(({ operation }) => !operation.tool.alone),
    ({ operation }) => operation.tool.area,
  );
  const areas = new Map(
    [...together].map(([area, members]) => [
      areaToolName(area),
      { area, members: new Map(members.map((read) => [toolName(read.operation), read])) },
    ]),
  );
  const areaDefinition = ({ area, members }: { readonly area: string; readonly members: typeof byName }) =>
    areaTool(
      area,
      [...members.values()].map(({ operation }) => operation),
    );
  // The lists are created for the first agent, because most processes never serve one.
  let short: readonly ToolDefinition[] | undefined;
  let all: readonly ToolDefinition[] | undefined;

  return {
    short() {
      short ??= [...shortList(reads.map(({ operation }) => operation)), describeTool];
      return short;
    },
    all() {
      all ??= [...reads.map(({ operation }) => inBrief(operationTool(operation))), describeTool];
      return all;
    },
    resolve(name, given) {
      const { jmespath, detail, ...rest } = given;
      const requested = { detail: detailOf(detail), jmespath: textOf("jmespath", jmespath) };
      const area = areas.get(name);
      if (!area) {
        const read = byName.get(name);
        return read && { ...read, ...requested, parameters: rest };
      }
      const { operation, parameters, ...adjacent } = rest;
      const read = area.members.get(String(operation));
      if (!read) throw invalidField("operation", `value must be one of ${[...area.members.keys()].join(", ")}`);
      return { ...read, ...requested, parameters: { ...parametersOf(parameters), ...adjacent } };
    },
    callOf(name, listsAll) {
      const tool = byName.get(name)?.operation.tool;
      return !tool || tool.alone || listsAll ? name : `${areaToolName(tool.area)} (operation ${name})`;
    },
    describe(name) {
      if (name === describeToolName) return describeTool;
      const [read, area] = [byName.get(name), areas.get(name)];
      return read ? operationTool(read.operation) : area && areaDefinition(area);
    },
  };
}

const describeTool: ToolDefinition = {
  name: describeToolName,
  title: "Describe tool",
  description: "Returns the full parameters and result of a tool, or of an operation that a tool lists.",
  inputSchema: {
    type: "object",
    properties: { tool_name: { type: "string" } },
    required: ["tool_name"],
    additionalProperties: false,
  },
  outputSchema: { type: "object" },
  annotations: { ...readOnly, openWorldHint: false },
  _meta: { "ids/access": "free" },
};

/** Longer descriptions of parameters make the list of all tools too long for an agent. */
const maxBriefLength = 66;

/** Shortens a tool for the list of all tools. `describe_tool` returns the full description. */
function inBrief({ title: _, outputSchema: __, inputSchema, ...tool }: ToolDefinition): ToolDefinition {
  // The schema does not say that unknown parameters are rejected, because that would repeat in each tool. Errors name
  // them.
  const { additionalProperties: ___, ...input } = inputSchema;
  const properties = Object.entries(input.properties as Record<string, Record<string, unknown>>);
  const brief = properties.map(([name, { description, ...schema }]) => [
    name,
    { ...withoutBounds(schema), description: inWords(firstSentence(String(description)), maxBriefLength) },
  ]);
  return {
    ...tool,
    description: firstSentence(tool.description),
    // The instructions of the server describe the common parameters, so these have no description here.
    inputSchema: { ...input, properties: { ...Object.fromEntries(brief), ...briefCommonProperties } },
    // Other hints have no meaning for a tool that only reads.
    annotations: { readOnlyHint: true },
  };
}

/** Removes bounds, lengths, and patterns from a schema. The error for an invalid value describes them. */
function withoutBounds(schema: Record<string, unknown>): Record<string, unknown> {
  const { format, pattern, minimum, maximum, minLength, maxLength, minItems, maxItems, uniqueItems, ...rest } = schema;
  return rest;
}

function detailOf(value: unknown): ToolCall["detail"] {
  if (value === undefined || value === null) return "concise";
  if (value === "concise" || value === "full") return value;
  throw invalidField("detail", "value must be one of concise, full");
}

function textOf(field: string, value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  throw invalidField(field, "value must be a string");
}

function parametersOf(value: unknown): ToolArguments {
  if (value === undefined || value === null) return {};
  if (typeof value === "object" && !Array.isArray(value)) return { ...value };
  throw invalidField("parameters", "value must be an object");
}
