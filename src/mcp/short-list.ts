import type { Operation } from "../contract/catalog.ts";
import { areaTool, maxGistLength } from "./area-tool.ts";
import { operationTool, type ToolDefinition } from "./operation-tool.ts";

/** At 4 characters a token, of which English and JSON have 4.2 (o200k_base), and beside the tool that describes the others. */
const maxCharacters = 4 * 4_000 - 500;
/** The more operations there are, the less is told of each. */
const gistLengths = [maxGistLength, 75, 60, 45];

/** One tool for each area, and those that the contract lists by themselves: short enough that an agent holds it in mind. */
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

/** As many whole sentences as are short together, the first in any case. */
function leading(description: string): string {
  const [first = "", ...more] = description.split(/(?<=\.)\s+/);
  let text = first;
  for (const sentence of more) {
    if (text.length + 1 + sentence.length > maxLeading) break;
    text += ` ${sentence}`;
  }
  return text;
}

/** As in the short list: what a parameter is for is left to `describe_tool`, and so is the answer. */
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
