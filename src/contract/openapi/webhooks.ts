import type { DescMessage } from "@bufbuild/protobuf";
import { ShippingService } from "../../../gen/es/ids/shipping/v2/shipping_pb.ts";
import { WebhookEventSchema } from "../../../gen/es/ids/shipping/v2/webhook_event_pb.ts";
import type { Operation } from "../catalog.ts";
import { exampleOf } from "../example.ts";
import { fieldRules } from "../field-rules.ts";
import { described, type JsonSchema, schemaName } from "../schema.ts";
import type { Section } from "./openapi.ts";

/** Bodies of what the service sends to callbacks. */
export const deliveredBodies: readonly DescMessage[] = [WebhookEventSchema];

const rules = fieldRules(WebhookEventSchema.field.type)?.type;
const eventTypes: readonly string[] = rules?.case === "string" ? rules.value.in : [];

/** What the service sends to callbacks, by the type of the event. */
export function webhooks(sections: readonly Section[]): JsonSchema {
  const { title = "" } = sections.find(({ operations }) => operations.some(isRegistration)) ?? {};
  return Object.fromEntries(eventTypes.map((name) => [name, { post: delivery(name, title) }]));
}

/** The same as what a registration calls for; generators that know no webhooks know these. */
export function callbacks(operation: Operation, tag: string): JsonSchema {
  if (!isRegistration(operation)) return {};
  const [type = ""] = eventTypes;
  const { operationId: _, ...described } = delivery(type, tag);
  const post = { ...described, operationId: "OnEvent", summary: "Delivery of any event." };
  return { callbacks: { event: { "{$request.body#/callbackUrl}": { post } } } };
}

function isRegistration({ method }: Operation): boolean {
  return method === ShippingService.method.registerWebhook;
}

function delivery(type: string, tag: string): JsonSchema {
  const { description = "" } = described(WebhookEventSchema.typeName);
  const schema = { $ref: `#/components/schemas/${schemaName(WebhookEventSchema)}` };
  const example = { ...Object(exampleOf(WebhookEventSchema)), type };
  return {
    operationId: `On${type.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    tags: [tag],
    summary: `Delivery of \`${type}\`.`,
    description: `${description} Deliveries are repeated until one succeeds, so the same \`webhook-id\` may come twice.`,
    security: [],
    parameters: Object.entries(headers).map(([name, text]) => ({
      ...{ name, in: "header", required: true, description: text, schema: { type: "string" } },
    })),
    requestBody: { required: true, content: { "application/json": { schema, example } } },
    responses: {
      "2XX": { description: "Received. Any body is ignored." },
      410: { description: "The webhook is disabled at once." },
      default: { description: "The delivery is tried again, ten times in about three days." },
    },
  };
}

/** Of Standard Webhooks 1.0. */
const headers = {
  "webhook-id": "Id of the delivery, the same in every attempt.",
  "webhook-timestamp": "Time of the attempt, Unix seconds.",
  "webhook-signature":
    "`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`; one for each secret, separated by spaces.",
};
