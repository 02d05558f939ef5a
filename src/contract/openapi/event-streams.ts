import type { DescMessage } from "@bufbuild/protobuf";
import type { StreamOperation } from "../catalog.ts";
import { exampleOf } from "../example.ts";
import type { JsonSchema } from "../rules/json-schema.ts";
import { described, firstSentence, type SchemaPlace, schemaName } from "../schema.ts";
import { type Components, component } from "./components.ts";
import { failuresOf } from "./failures.ts";
import { headerRefs, ofAny } from "./headers.ts";
import { noteMembers, noteSentences } from "./operation-notes.ts";
import { ownParameters, prefer } from "./parameters.ts";

/** Describes a stream as server-sent events. An event contains the only message field of a streamed message. */
export function eventStreamPath(
  stream: StreamOperation,
  {
    title,
    components,
    requests,
  }: { readonly title: string; readonly components: Components; readonly requests: SchemaPlace },
): readonly [path: string, item: JsonSchema] {
  const { method, name, path } = stream;
  const { description = "" } = described(`${method.parent.typeName}.${method.name}`);
  const summary = firstSentence(description);
  const data = eventOf(method.output);
  return [
    path,
    {
      get: {
        operationId: name,
        tags: [title],
        summary,
        description: `${description.slice(summary.length).trim()}\n\n${noteSentences(stream, {})}`,
        ...noteMembers(stream, { maxAgeSeconds: 0, sources: [] }),
        parameters: [
          ...ownParameters(stream, requests),
          lastEventId,
          component(components, "parameters", "Prefer", prefer),
        ],
        responses: {
          200: {
            description: `Success. The data of each event is a \`${schemaName(data)}\` as JSON. ${endEvent}`,
            headers: headerRefs([...ofAny, "X-Data-Origin"]),
            content: {
              "text/event-stream": {
                schema: { type: "string" },
                example: exampleEvents(stream),
              },
            },
          },
          ...failuresOf(stream, false, components),
        },
      },
    },
  ];
}

export const endEvent = "That of `end` has `reason` and `position`.";

export function exampleEvents({ method }: StreamOperation): string {
  return `id: 81234\nevent: appeared\ndata: ${JSON.stringify(exampleOf(eventOf(method.output)))}\n\n`;
}

export function eventOf({ fields, typeName }: DescMessage): DescMessage {
  const event = fields.find(({ message }) => message)?.message;
  if (!event) throw new Error(`${typeName} contains no message that could be an event`);
  return event;
}

const lastEventId: JsonSchema = {
  name: "Last-Event-ID",
  in: "header",
  description: "Position after which the stream begins: the `id` of the last event. Counts before `after`.",
  schema: { type: "string", pattern: "^\\d{1,15}$" },
};
