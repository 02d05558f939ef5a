import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import type { ShippingService } from "../../../gen/es/ids/shipping/v2/shipping_pb.ts";
import type { WebhookDeliverySchema } from "../../../gen/es/ids/shipping/v2/webhook_delivery_pb.ts";
import type { WebhookSchema } from "../../../gen/es/ids/shipping/v2/webhook_pb.ts";
import { accountOf } from "../../access/caller.ts";
import { type DeliveryData, deliveryJob } from "../../delivery/delivery-kinds.ts";
import { bringForward, deliveryLog, type LoggedDelivery, queueAgain } from "../../delivery/delivery-log.ts";
import type { DeliveryTables, EndpointRow } from "../../delivery/delivery-table.ts";
import type { RegistrationParts } from "../../delivery/registration-parts.ts";
import { webhookPurpose } from "../../delivery/secret-renewal.ts";
import { newSecret } from "../../delivery/signature.ts";
import { targetChecker } from "../../delivery/target-check.ts";
import { Conflict, InvalidRequest } from "../../errors.ts";
import { useOneOf } from "../../reference/allowed-values.ts";
import { dayMs } from "../../reference/duration.ts";
import { chokepointById, chokepoints } from "../../reference/trade/chokepoints.ts";
import type { Store, Transaction } from "../../store/tables.ts";
import { queueEvents } from "./event.ts";
import { addWebhook, dropWebhook, lockedWebhook, webhookOf, webhooksOf } from "./registry.ts";

const defaultThreshold = 50;
const overlapMs = dayMs;

export const shipping = { implement };

type Context = Pick<HandlerContext, "values">;
type Work<T> = (webhook: EndpointRow, transaction: Transaction) => Promise<T>;

function implement(parts: RegistrationParts): ServiceImpl<typeof ShippingService> {
  return { ...registrationMethods(parts), ...deliveryMethods(parts) };
}

function registrationMethods(parts: RegistrationParts) {
  const { database, clock, randomBytes } = parts;
  const encryptionFor = parts.encryption(webhookPurpose);
  const checkCallback = targetChecker(parts.resolve, parts.webhooks);
  return {
    async registerWebhook({ callbackUrl, chokepointIds, alertThreshold = defaultThreshold }, context) {
      const chosen = knownChokepoints(chokepointIds);
      await checkCallback(accountOf(context), { field: "callbackUrl", url: callbackUrl });
      const id = `wh_${randomBytes(12).toString("hex")}`;
      const secret = newSecret(randomBytes);
      const row = {
        id,
        account: accountOf(context),
        callback_url: callbackUrl,
        chokepoint_ids: chosen,
        alert_threshold: alertThreshold,
        created_at: clock(),
        secret: encryptionFor.seal(secret),
      };
      await addWebhook(database, row);
      return { subscriberId: id, secret };
    },
    async listWebhooks(_request, context) {
      return { webhooks: (await webhooksOf(database, accountOf(context))).map(webhookMessage) };
    },
    async getWebhook({ subscriberId }, context) {
      return webhookMessage(await webhookOf(database, accountOf(context), subscriberId));
    },
    async deleteWebhook({ subscriberId }, context) {
      await dropWebhook(database, accountOf(context), subscriberId);
      return {};
    },
    rotateWebhookSecret: ({ subscriberId }, context) =>
      change(database, context, subscriberId, async ({ secret: earlier }, transaction) => {
        const now = clock();
        const until = new Date(now.getTime() + overlapMs);
        const secret = newSecret(randomBytes);
        await transaction
          .withTables<DeliveryTables>()
          .updateTable("webhook")
          .set({ secret: encryptionFor.seal(secret), earlier_secret: earlier, earlier_secret_until: until })
          .where("id", "=", subscriberId)
          .execute();
        return { subscriberId, secret, rotatedAt: now.toISOString(), earlierSecretUntil: until.toISOString() };
      }),
    reactivateWebhook: ({ subscriberId }, context) =>
      change(database, context, subscriberId, async (_webhook, transaction) => {
        await transaction
          .withTables<DeliveryTables>()
          .updateTable("webhook")
          .set({ inactive_reason: null, inactive_since: null })
          .where("id", "=", subscriberId)
          .execute();
        return { subscriberId, active: true };
      }),
  } satisfies Partial<ServiceImpl<typeof ShippingService>>;
}

function deliveryMethods({ database, clock, randomBytes, sender }: RegistrationParts) {
  const queue = async <T>(context: Context, id: string, work: Work<T>): Promise<T> => {
    const send = await sender();
    return change(database, context, id, async (webhook, transaction) => {
      if (webhook.inactive_reason !== null) throw new Conflict("The webhook is disabled: reactivate it first");
      const response = await work(webhook, transaction);
      await send<DeliveryData>(deliveryJob, { webhook: id }, { transaction });
      return response;
    });
  };
  return {
    testWebhook: ({ subscriberId }, context) =>
      queue(context, subscriberId, async (webhook, transaction) => {
        const [chokepoint = ""] = resolved(webhook);
        const { alert_threshold: alertThreshold } = webhook;
        const data = {
          subscriberId,
          chokepointId: chokepoint,
          chokepointName: chokepointById(chokepoint)?.name ?? chokepoint,
          score: alertThreshold,
          alertThreshold,
          reason: "test",
        };
        const events = [{ type: "webhook.test" as const, data }];
        const now = clock();
        const [deliveryId] = await queueEvents(transaction, events, { now, randomBytes });
        await bringForward(transaction, [subscriberId], now);
        return { deliveryId: deliveryId ?? "" };
      }),
    async listWebhookDeliveries({ subscriberId }, context) {
      const { id } = await webhookOf(database, accountOf(context), subscriberId);
      return { deliveries: (await deliveryLog(database, [id])).map(deliveryMessage) };
    },
    replayWebhookDelivery: ({ subscriberId, deliveryId }, context) =>
      queue(context, subscriberId, async ({ id }, transaction) => {
        await queueAgain(transaction, id, deliveryId, clock());
        return { deliveryId };
      }),
  } satisfies Partial<ServiceImpl<typeof ShippingService>>;
}

function change<T>(database: Store, context: Context, id: string, work: Work<T>): Promise<T> {
  return database
    .transaction()
    .execute(async (transaction) => work(await lockedWebhook(transaction, accountOf(context), id), transaction));
}

function knownChokepoints(ids: readonly string[]): string[] {
  const unknown = ids.flatMap((id, index) =>
    chokepointById(id)
      ? []
      : [
          {
            field: `chokepointIds[${index}]`,
            description: `Unknown chokepoint ID: ${id}${useOneOf(chokepoints)}`,
          },
        ],
  );
  if (unknown.length > 0) throw new InvalidRequest(unknown);
  return [...new Set(ids)];
}

function resolved({ chokepoint_ids: chosen }: EndpointRow): string[] {
  return chosen.length > 0 ? chosen : chokepoints.map(({ id }) => id);
}

function webhookMessage(row: EndpointRow): MessageInitShape<typeof WebhookSchema> {
  return {
    subscriberId: row.id,
    callbackUrl: row.callback_url,
    chokepointIds: resolved(row),
    alertThreshold: row.alert_threshold,
    createdAt: row.created_at.toISOString(),
    active: row.inactive_reason === null,
    inactiveReason: row.inactive_reason ?? "",
    ...(row.inactive_since ? { inactiveSince: row.inactive_since.toISOString() } : {}),
  };
}

function deliveryMessage(delivery: LoggedDelivery): MessageInitShape<typeof WebhookDeliverySchema> {
  return {
    deliveryId: delivery.id,
    type: delivery.type,
    state: delivery.state,
    createdAt: delivery.created_at.toISOString(),
    ...(delivery.state === "pending" ? { nextAttemptAt: delivery.next_attempt_at.toISOString() } : {}),
    attempts: delivery.attempts.map(({ at, status, error, milliseconds }) => ({
      // The attempts are stored as JSON, in which a time is text.
      at: new Date(at).toISOString(),
      error,
      milliseconds,
      ...(status === null ? {} : { status }),
    })),
  };
}
