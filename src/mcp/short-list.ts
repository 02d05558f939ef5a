import type { Operation } from "../contract/catalog.ts";
import { areaTool, maxGistLength } from "./area-tool.ts";
import { operationTool, type ToolDefinition } from "./operation-tool.ts";

/**
 * Maximum characters of the list of tools: 4,000 tokens, minus space for `describe_tool`. A token is assumed to have 4
 * characters; English and JSON have 4.2 (o200k_base).
 */
const maxCharacters = 4 * 4_000 - 500;
/** Maximum lengths of an operation's summary, from long to short. The first one with which the list fits is used. */
const gistLengths = [maxGistLength, 75, 60, 45, 36, 30];

/** Returns a list of tools that fits into the budget. */
export function shortList(operations: readonly Operation[]): ToolDefinition[] {
  const only = operations.filter(({ tool }) => tool.alone).map((operation) => inShort(operationTool(operation)));
  const together = operations.filter(({ tool }) => !tool.alone);
  const areas = [...Map.groupBy(together, ({ tool }) => tool.area)];
  const lists = gistLengths.map((maxGist) => [
    ...areas.map(([area, members]) => areaTool(area, members, maxGist)),
    ...only,
  ]);
  return lists.find((list) => JSON.stringify(list).length <= maxCharacters) ?? lists.at(-1) ?? [];
}

const maxLeading = 120;

/** Returns the first sentence of a description, and more sentences up to the maximum length. */
function leading(description: string): string {
  const [first = "", ...more] = description.split(/(?<=\.)\s+/);
  let text = first;
  for (const sentence of more) {
    if (text.length + 1 + sentence.length > maxLeading) break;
    text += ` ${sentence}`;
  }
  return text;
}

/** Shortens a tool for the list. `describe_tool` returns the full descriptions. */
function inShort(tool: ToolDefinition): ToolDefinition {
  const properties = Object.entries(tool.inputSchema.properties as Record<string, Record<string, unknown>>);
  const brief = properties.map(([name, { description, default: _, pattern, ...schema }]) => [name, schema]);
  return {
    ...tool,
    description: leading(tool.description),
    inputSchema: { ...tool.inputSchema, properties: Object.fromEntries(brief) },
    outputSchema: { type: "object" },
  };
}
