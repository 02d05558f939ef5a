import type { Operation } from "../contract/catalog.ts";
import { firstSentence } from "../contract/schema.ts";
import {
  briefCommonProperties,
  readOnly,
  signature,
  type ToolDefinition,
  toolDescription,
  toolName,
} from "./operation-tool.ts";

export function areaToolName(area: string): string {
  return `ids_${area}_read`;
}

/** How many characters tell what an operation is for, where there is room. */
export const maxGistLength = 90;

/** One tool for all operations of an area, each with a line. */
export function areaTool(area: string, operations: readonly Operation[], maxGist = maxGistLength): ToolDefinition {
  const lines = operations.map((each) => `${toolName(each)}(${signature(each)}): ${gist(each, maxGist)}`);
  return {
    name: areaToolName(area),
    description: lines.join("\n"),
    inputSchema: {
      type: "object",
      properties: {
        operation: { enum: operations.map(toolName) },
        parameters: { type: "object" },
        ...briefCommonProperties,
      },
      required: ["operation"],
    },
    outputSchema: { type: "object" },
    annotations: readOnly,
  };
}

/** The first sentence of what it is for, without the verb that its name has too, cut at a word where it is long. */
function gist(operation: Operation, maxGist: number): string {
  const sentence = firstSentence(toolDescription(operation))
    .replace(/\s+/g, " ")
    .replace(/^(?:Lists|Returns) (?:the )?|\.$/g, "");
  return inWords(sentence, maxGist);
}

/** A text cut at a word if it is longer than `most` characters. */
export function inWords(text: string, max: number): string {
  return text.length <= max ? text : text.slice(0, text.lastIndexOf(" ", max)).replace(/[,;:]$/, "");
}
