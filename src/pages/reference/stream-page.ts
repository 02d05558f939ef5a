import { requiredTier, type StreamOperation } from "../../contract/catalog.ts";
import { exampleOf } from "../../contract/example.ts";
import { endEvent, eventOf, exampleEvents } from "../../contract/openapi/event-streams.ts";
import { described, type KnownBounds } from "../../contract/schema.ts";
import { type Block, heading, prose, type ReferencePage, text } from "./blocks.ts";
import { shellWord } from "./code-samples.ts";
import { slugOf, titleOf } from "./contents.ts";
import { describedOperation } from "./described-operation.ts";
import { answerEntries } from "./fields.ts";
import { accessBlocks, errorBlocks, parameterBlocks } from "./operation-page.ts";

/** Everything about one stream as server-sent events. */
export function streamPage(stream: StreamOperation, origin: string, known: KnownBounds): ReferencePage {
  const operation = describedOperation(stream);
  const tier = requiredTier(stream);
  return {
    slug: slugOf(stream),
    title: titleOf(stream),
    lead: operation.summary,
    badges: [
      { text: "Key required", tone: "plain" },
      ...(tier > 0 ? [{ text: `Tier ${tier} and higher`, tone: "strict" } as const] : []),
      { text: "Stream", tone: "plain" },
    ],
    intro: prose(operation.description),
    samples: [
      heading("Request"),
      { kind: "code", label: "Path", language: "http", text: `${stream.verb} ${stream.path}` },
      { kind: "code", label: "curl", language: "sh", text: curl(stream, origin) },
      heading("Response"),
      { kind: "code", label: "200, text/event-stream", language: "text", text: exampleEvents(stream).trimEnd() },
      text("Example from the contract; the values are not real."),
    ],
    body: [
      ...accessBlocks(stream),
      ...parameterBlocks(stream, operation, known),
      ...eventBlocks(stream),
      ...errorBlocks(operation),
      heading("Limits and caching"),
      {
        kind: "list",
        items: ["The [plan](/plans) bounds the open streams of an account.", "Streams are never cached."],
      },
    ],
  };
}

/** With the first filter, and without buffering what comes. */
function curl({ method, path }: StreamOperation, origin: string): string {
  const filter = method.input.fields.find((field) => field.fieldKind === "list" && exampleOf(field) !== undefined);
  const query = filter ? `?${new URLSearchParams({ [filter.name]: [exampleOf(filter)].flat().join() })}` : "";
  return `curl -N ${shellWord(origin + path + query)} \\\n  -H "X-Service-Key: $IDS_API_KEY"`;
}

function eventBlocks({ method }: StreamOperation): Block[] {
  const data = eventOf(method.output);
  return [
    heading("Events"),
    ...prose(described(data.typeName).description ?? ""),
    text(
      `The \`data\` of each event is a JSON object with these members. Members marked \`optional\` are left out when they have no value. ${endEvent}`,
    ),
    { kind: "fields", of: "response", fields: answerEntries(data) },
  ];
}
