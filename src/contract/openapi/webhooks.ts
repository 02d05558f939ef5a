import { ShippingService } from "../../../gen/es/ids/shipping/v2/shipping_pb.ts";
import type { Operation } from "../catalog.ts";
import { type EventType, eventTypes } from "../event-types.ts";
import { described, type JsonSchema, schemaName } from "../schema.ts";
import { type Components, component } from "./components.ts";

/** Of the deliveries alone: generators write the class of a tag once for the paths and once for the webhooks, over it. */
export const deliveryTag: JsonSchema = {
  name: "Webhooks",
  description: "Deliveries that the service sends to callbacks.",
};

/** What the service sends to callbacks, by the type of the event. */
export function webhooks(components: Components): JsonSchema {
  return Object.fromEntries(eventTypes.map((type) => [type.name, { post: delivery(type, components) }]));
}

/** The same as what a registration calls for; generators that know no webhooks know these. */
export function callbacks(operation: Operation, components: Components): JsonSchema {
  const [type] = eventTypes;
  if (!type || !isRegistration(operation)) return {};
  const { operationId: _, ...described } = delivery(type, components);
  const post = { ...described, operationId: "OnEvent", summary: "Delivery of any event." };
  return { callbacks: { event: { "{$request.body#/callbackUrl}": { post } } } };
}

function isRegistration({ method }: Operation): boolean {
  return method === ShippingService.method.registerWebhook;
}

function delivery({ name: type, body }: EventType, components: Components): JsonSchema {
  const { description = "" } = described(body.typeName);
  const schema = { $ref: `#/components/schemas/${schemaName(body)}` };
  return {
    operationId: `On${type.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    tags: [deliveryTag.name],
    summary: `Delivery of \`${type}\`.`,
    description: `${description} Deliveries are repeated until one succeeds, so the same \`webhook-id\` may come twice.`,
    security: [],
    parameters: Object.entries(headers).map(([name, description]) =>
      // By reference: openapi-generator types no header that a webhook writes out.
      component(components, "parameters", name, {
        ...{ name, in: "header", required: true, description, schema: { type: "string" } },
      }),
    ),
    requestBody: { required: true, content: { "application/json": { schema } } },
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
