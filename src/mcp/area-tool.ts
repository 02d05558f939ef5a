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

export const maxGistLength = 90;

/** Creates one tool for all operations of an area. Its description has a line for each operation. */
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

/** Summarizes an operation by the first sentence of its description, without the leading verb. */
function gist(operation: Operation, maxGist: number): string {
  const sentence = firstSentence(toolDescription(operation))
    .replace(/\s+/g, " ")
    .replace(/^(?:Lists|Returns) (?:the )?|\.$/g, "");
  return inWords(sentence, maxGist);
}

/** Cuts a text after a clause, or else after a word, so that it has at most `max` characters with the ellipsis. */
export function inWords(text: string, max: number): string {
  if (text.length <= max) return text;
  const kept = text.slice(0, text.lastIndexOf(" ", max - 1));
  const [clause = ""] = /^.*(?=[,;:]\s|\s\()/.exec(kept) ?? [];
  return `${(clause.length > max / 2 ? clause : kept).replace(/[,;:]$/, "")}…`;
}
