import type { DescMessage } from "@bufbuild/protobuf";
import {
  ChangeEventSchema,
  DigestEventSchema,
  NoticeEventSchema,
  SeriesEventSchema,
} from "../../gen/es/ids/alerts/v1/alert_event_pb.ts";
import { WebhookEventSchema } from "../../gen/es/ids/shipping/v2/webhook_event_pb.ts";
import { exampleOfFields } from "./example.ts";
import { fieldRules } from "./rules/field-rules.ts";

/** An event that the service sends to webhooks. All lists of events derive from this one. */
export interface EventType {
  /** Name of the event, such as `change.matched`. */
  readonly name: string;
  readonly body: DescMessage;
}

/** Messages of event bodies. The field `type` of a message lists its event types. */
export const eventBodies: readonly DescMessage[] = [
  WebhookEventSchema,
  ChangeEventSchema,
  SeriesEventSchema,
  DigestEventSchema,
  NoticeEventSchema,
];

export const eventTypes: readonly EventType[] = eventBodies.flatMap((body) =>
  typesOf(body).map((name) => ({ name, body })),
);

export function exampleEvent({ name, body }: EventType): object {
  return { ...exampleOfFields(body.fields), type: name };
}

function typesOf(body: DescMessage): readonly string[] {
  const field = body.fields.find(({ name }) => name === "type");
  const rules = field && fieldRules(field)?.type;
  return rules?.case === "string" ? rules.value.in : [];
}
