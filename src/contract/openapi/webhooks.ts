import type { DescMessage, DescMethod } from "@bufbuild/protobuf";
import {
  ChangeEventSchema,
  DigestEventSchema,
  NoticeEventSchema,
  SeriesEventSchema,
} from "../../../gen/es/ids/alerts/v1/alert_event_pb.ts";
import { AlertsService } from "../../../gen/es/ids/alerts/v1/alerts_pb.ts";
import { ShippingService } from "../../../gen/es/ids/shipping/v2/shipping_pb.ts";
import { WebhookEventSchema } from "../../../gen/es/ids/shipping/v2/webhook_event_pb.ts";
import type { Operation } from "../catalog.ts";
import { type EventType, eventTypes } from "../event-types.ts";
import type { JsonSchema } from "../rules/json-schema.ts";
import { schemaName } from "../schema.ts";
import { type Components, component } from "./components.ts";

/** Tag that only webhooks have. Generators write a class per tag, so a tag of paths would be overwritten. */
export const deliveryTag: JsonSchema = {
  name: "Webhooks",
  description:
    "Deliveries that the service sends to callbacks. Each is repeated until it succeeds, so the same `webhook-id` may come twice.",
};

export function webhooks(components: Components): JsonSchema {
  const deliveryOf = ({ name, body }: EventType) => ({
    ...delivery(body, components),
    operationId: `On${name.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    summary: `Delivery of \`${name}\`.`,
  });
  return Object.fromEntries(eventTypes.map((type) => [type.name, { post: deliveryOf(type) }]));
}

/** Describes events as callbacks of the operation that registers a webhook, for generators that lack webhooks. */
export function callbacks({ method }: Operation, components: Components): JsonSchema {
  const registration = registrations.find((each) => each.method === method);
  if (!registration) return {};
  const { target, bodies } = registration;
  const calls = Object.entries(bodies).map(([name, body]) => {
    const operationId = `On${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    const types = eventTypes.filter((type) => type.body === body).map((type) => `\`${type.name}\``);
    const post = { ...delivery(body, components), operationId, summary: `Delivery of ${types.join(", ")}.` };
    return [name, { [`{$request.body#/${target}}`]: { post } }];
  });
  return { callbacks: Object.fromEntries(calls) };
}

interface Registration {
  readonly method: DescMethod;
  readonly target: string;
  readonly bodies: Readonly<Record<string, DescMessage>>;
}

const registrations: readonly Registration[] = [
  {
    method: ShippingService.method.registerWebhook,
    target: "callbackUrl",
    bodies: { event: WebhookEventSchema },
  },
  {
    method: AlertsService.method.createEndpoint,
    target: "target",
    bodies: {
      changeEvent: ChangeEventSchema,
      seriesEvent: SeriesEventSchema,
      digestEvent: DigestEventSchema,
      noticeEvent: NoticeEventSchema,
    },
  },
];

function delivery(body: DescMessage, components: Components): JsonSchema {
  const schema = { $ref: `#/components/schemas/${schemaName(body)}` };
  return {
    tags: [deliveryTag.name],
    description: `Delivers a \`${schemaName(body)}\`.`,
    security: [],
    parameters: Object.entries(deliveryHeaders).map(([name, description]) =>
      // References are needed, because openapi-generator ignores inline headers of webhooks.
      component(components, "parameters", name, {
        ...{ name, in: "header", required: true, description, schema: { type: "string" } },
      }),
    ),
    requestBody: { required: true, content: { "application/json": { schema } } },
    responses: Object.fromEntries(
      Object.entries(outcomes).map(([status, [name, description]]) => [
        status,
        component(components, "responses", name, { description }),
      ]),
    ),
  };
}

/** Describes what the service does after each status of a webhook's response. */
const outcomes = {
  "2XX": ["DeliveryReceived", "Received. Any body is ignored."],
  410: ["DeliveryEnded", "The endpoint is disabled immediately."],
  default: ["DeliveryFailed", "The delivery is retried, with ten attempts over about three days."],
} as const;

/** Headers of a delivery, as in Standard Webhooks 1.0. */
export const deliveryHeaders = {
  "webhook-id": "ID of the delivery, the same in every attempt.",
  "webhook-timestamp": "Time of the attempt, Unix seconds.",
  "webhook-signature":
    "`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`; one for each secret, separated by spaces.",
};
