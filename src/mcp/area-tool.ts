import type { Operation } from "../contract/catalog.ts";
import { firstSentence } from "../contract/schema.ts";
import { readOnly, signature, type ToolDefinition, toolDescription, toolName } from "./operation-tool.ts";

export function areaToolName(area: string): string {
  return `ids_${area}_read`;
}

/** One tool for all operations of an area: short enough that an agent can hold the tools of all areas in mind. */
export function areaTool(area: string, operations: readonly Operation[]): ToolDefinition {
  const lines = operations.map((each) => `${toolName(each)}(${signature(each)}): ${gist(each)}`);
  return {
    name: areaToolName(area),
    description: lines.join("\n"),
    inputSchema: {
      type: "object",
      properties: {
        operation: { enum: operations.map(toolName) },
        parameters: { type: "object" },
        jmespath: { type: "string" },
        detail: { enum: ["concise", "full"] },
      },
      required: ["operation"],
    },
    outputSchema: { type: "object" },
    annotations: readOnly,
  };
}

const maxGist = 90;

/** The first sentence of what it is for, cut at a word where it is long. */
function gist(operation: Operation): string {
  const sentence = firstSentence(toolDescription(operation)).replace(/\s+/g, " ").replace(/\.$/, "");
  if (sentence.length <= maxGist) return sentence;
  return sentence.slice(0, sentence.lastIndexOf(" ", maxGist)).replace(/[,;:]$/, "");
}
