import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import type { AlertsService } from "../../../gen/es/ids/alerts/v1/alerts_pb.ts";
import type { DeliverySchema } from "../../../gen/es/ids/alerts/v1/delivery_pb.ts";
import type { CreateEndpointRequest, EndpointSchema } from "../../../gen/es/ids/alerts/v1/endpoint_pb.ts";
import { accountOf, callerKey, principalOf } from "../../access/caller.ts";
import { alertFeedPath, newToken, tokenHash } from "../../access/feeds/feed-url.ts";
import type { DatasetTiers } from "../../changes/change-selection.ts";
import { type DeliveryParts, deliveryJobs } from "../../delivery/delivery-jobs.ts";
import { type DeliveryData, deliveryJob, sweepJob } from "../../delivery/delivery-kinds.ts";
import { deliveryLog, type LoggedDelivery, queueAgain } from "../../delivery/delivery-log.ts";
import { deliveryRetention } from "../../delivery/delivery-retention.ts";
import type { DeliveryTables, EndpointRow } from "../../delivery/delivery-table.ts";
import { eventBody, queueDeliveries } from "../../delivery/queue-deliveries.ts";
import type { RegistrationParts } from "../../delivery/registration-parts.ts";
import { webhookPurpose } from "../../delivery/secret-renewal.ts";
import { newSecret } from "../../delivery/signature.ts";
import { targetChecker } from "../../delivery/target-check.ts";
import { Conflict, invalidField, NotFound } from "../../errors.ts";
import type { ScheduledDataset } from "../../ingest/schedule/scheduled.ts";
import type { Job } from "../../jobs/job.ts";
import { dayMs } from "../../reference/duration.ts";
import type { Store, Transaction } from "../../store/tables.ts";
import { deliveryRules } from "./delivery-rules.ts";
import {
  checkAddress,
  checkCode,
  confirmationRetention,
  confirmationType,
  countCode,
  newCode,
} from "./endpoints/confirmation.ts";
import {
  addEndpoint,
  changeEndpoint,
  endpointsOf,
  type NewEndpoint,
  setEndpoint,
  stateOf,
} from "./endpoints/endpoint-store.ts";
import { evaluationJob, evaluationKind } from "./evaluation/evaluation-job.ts";
import type { EvaluationParts } from "./evaluation/evaluation-parts.ts";
import { type AlertsParts, ruleMethods } from "./rules/rule-methods.ts";
import { dropRuleEndpoint } from "./rules/rule-store.ts";
import { type WithheldSources, watched } from "./rules/rule-trigger.ts";

const overlapMs = dayMs;

/** An endpoint to be stored. Only the response to its creation contains `shown`, which is secret. */
interface Made extends Pick<NewEndpoint, "callback_url" | "secret"> {
  readonly token_hash?: string;
  readonly shown: string;
  readonly code?: string;
}

function endpointMethods(parts: AlertsParts) {
  const { database, clock, randomBytes } = parts;
  const encryption = parts.encryption(webhookPurpose);
  return {
    createEndpoint: (request, context) => createEndpoint(request, context, parts),
    confirmEndpoint: ({ endpointId, code }, context) =>
      changed(database, context, endpointId, async (endpoint, transaction) => {
        if (endpoint.kind !== "email") throw new Conflict("Only e-mail endpoints are confirmed");
        checkCode(encryption.open(endpoint.secret), code);
        const row = await setEndpoint(transaction, endpointId, { confirmed_at: endpoint.confirmed_at ?? clock() });
        return { endpoint: endpointMessage(row) };
      }),
    async listEndpoints(_request, context) {
      return { endpoints: (await endpointsOf(database, accountOf(context))).map(endpointMessage) };
    },
    async deleteEndpoint({ endpointId }, context) {
      await dropRuleEndpoint(database, accountOf(context), endpointId, clock());
      return {};
    },
    rotateEndpointSecret: ({ endpointId }, context) =>
      changed(database, context, endpointId, async ({ kind, secret: earlier }, transaction) => {
        if (kind === "feed") {
          const { shown, ...columns } = newFeed(parts);
          await setEndpoint(transaction, endpointId, columns);
          return { endpointId, secret: shown };
        }
        if (kind !== "webhook") throw new Conflict("Only webhooks and feeds have a secret");
        const until = new Date(clock().getTime() + overlapMs);
        const secret = newSecret(randomBytes);
        await setEndpoint(transaction, endpointId, {
          ...{ secret: encryption.seal(secret), earlier_secret: earlier, earlier_secret_until: until },
        });
        return { endpointId, secret, earlierSecretUntil: BigInt(until.getTime()) };
      }),
    reactivateEndpoint: ({ endpointId }, context) =>
      changed(database, context, endpointId, async (_endpoint, transaction) => {
        const row = await setEndpoint(transaction, endpointId, { inactive_reason: null, inactive_since: null });
        return { endpoint: endpointMessage(row) };
      }),
  } satisfies Partial<ServiceImpl<typeof AlertsService>>;
}

function deliveryMethods({ database, clock, sender }: AlertsParts) {
  return {
    async listDeliveries({ endpointId }, context) {
      const own = (await endpointsOf(database, accountOf(context))).map(({ id }) => id);
      const log = await deliveryLog(database, endpointId === "" ? own : own.filter((id) => id === endpointId));
      return { deliveries: log.map(deliveryMessage) };
    },
    async replayDelivery({ deliveryId }, context) {
      const endpointId = await endpointOfDelivery(database, accountOf(context), deliveryId);
      const send = await sender();
      return changed(database, context, endpointId, async (endpoint, transaction) => {
        if (stateOf(endpoint) === "disabled") throw new Conflict("The endpoint is disabled: reactivate it first");
        if (endpoint.kind === "feed")
          throw new Conflict("A feed receives every event, so its deliveries are not replayed");
        await queueAgain(transaction, endpointId, deliveryId, clock());
        await send<DeliveryData>(deliveryJob, { webhook: endpointId }, { transaction });
        return { deliveryId };
      });
    },
  } satisfies Partial<ServiceImpl<typeof AlertsService>>;
}

async function createEndpoint(
  { name, kind, target }: CreateEndpointRequest,
  context: HandlerContext,
  parts: AlertsParts,
) {
  const { database, clock, randomBytes } = parts;
  const { account, plan } = principalOf(context.values.get(callerKey));
  const { shown, code, ...columns } = await make({ account, kind, target: target.trim() }, parts);
  const send = await parts.sender();
  const now = clock();
  const id = `ep_${randomBytes(12).toString("hex")}`;
  const row = await database.transaction().execute(async (transaction) => {
    const endpoint = { id, account, kind: kindOf(kind), name, ...columns, created_at: now };
    const added = await addEndpoint(transaction, endpoint, plan);
    if (code === undefined) return added;
    await countCode(transaction, { account, address: columns.callback_url, now });
    const body = eventBody(confirmationType, now, { id, code });
    await queueDeliveries(transaction, [{ endpoint: id, type: confirmationType, body }], { now, randomBytes });
    await send<DeliveryData>(deliveryJob, { webhook: id }, { transaction });
    return added;
  });
  return { endpoint: endpointMessage(row), secret: shown };
}

async function make(
  { account, kind, target }: { readonly account: string; readonly kind: string; readonly target: string },
  parts: AlertsParts,
): Promise<Made> {
  const { randomBytes } = parts;
  const encryption = parts.encryption(webhookPurpose);
  if (kind === "feed") {
    if (target === "") return newFeed(parts);
    throw invalidField("target", "value must be empty for a feed");
  }
  if (kind === "email") {
    checkAddress(target, parts.sendsMail);
    const code = newCode(randomBytes);
    return { callback_url: target, secret: encryption.seal(code), shown: "", code };
  }
  await targetChecker(parts.resolve, parts.webhooks)(account, { field: "target", url: target });
  // The whole URL of a Slack-compatible hook is secret, because each client that knows it can write to the channel.
  if (kind === "slack") return { callback_url: new URL(target).host, secret: encryption.seal(target), shown: "" };
  const secret = newSecret(randomBytes);
  return { callback_url: target, secret: encryption.seal(secret), shown: secret };
}

function newFeed({ randomBytes, encryption }: AlertsParts): Made {
  const token = newToken(randomBytes);
  // Deliveries to a feed are not signed, so the signing secret is empty. The store has only a hash of the feed's token.
  const secret = encryption(webhookPurpose).seal("");
  return { callback_url: "", secret, token_hash: tokenHash(token), shown: alertFeedPath(token) };
}

function changed<T>(
  database: Store,
  context: Pick<HandlerContext, "values">,
  id: string,
  work: (endpoint: EndpointRow, transaction: Transaction) => Promise<T>,
): Promise<T> {
  return changeEndpoint(database, { account: accountOf(context), id }, work);
}

async function endpointOfDelivery(database: Store, account: string, id: string): Promise<string> {
  const row = await database
    .withTables<DeliveryTables>()
    .selectFrom("webhook_delivery")
    .select("webhook")
    .where("id", "=", id)
    .executeTakeFirst();
  const own = await endpointsOf(database, account);
  if (!row || own.every((endpoint) => endpoint.id !== row.webhook)) throw new NotFound("Delivery not found");
  return row.webhook;
}

/** Returns the kind of a new endpoint. The API has already rejected kinds other than these four. */
function kindOf(kind: string): NewEndpoint["kind"] {
  return kind === "slack" || kind === "email" || kind === "feed" ? kind : "webhook";
}

function endpointMessage(row: EndpointRow): MessageInitShape<typeof EndpointSchema> {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    target: row.callback_url,
    state: stateOf(row),
    disabledReason: row.inactive_reason ?? "",
    ...(row.inactive_since && { disabledAt: BigInt(row.inactive_since.getTime()) }),
    createdAt: BigInt(row.created_at.getTime()),
  };
}

/** Returns a delivery. The body of a confirmation is omitted, because only the mailbox's owner may see the code. */
function deliveryMessage(row: LoggedDelivery): MessageInitShape<typeof DeliverySchema> {
  return {
    id: row.id,
    endpointId: row.webhook,
    type: row.type,
    state: row.state,
    createdAt: BigInt(row.created_at.getTime()),
    ...(row.state === "pending" && { nextAttemptAt: BigInt(row.next_attempt_at.getTime()) }),
    body: row.type === confirmationType ? "" : row.body,
    attempts: row.attempts.map(({ at, status, error, milliseconds }) => ({
      // The attempts are stored as JSON, in which a time is text.
      at: BigInt(Date.parse(String(at))),
      error,
      milliseconds,
      ...(status !== null && { status }),
    })),
  };
}

interface AlertsDomainParts extends RegistrationParts {
  readonly alerts: { readonly sendsMail: boolean; readonly tiers: DatasetTiers };
  readonly history: { readonly withheldSources: WithheldSources };
  readonly data: "live" | "sample";
  readonly datasets: readonly ScheduledDataset[];
}

type AlertsJobParts = Omit<DeliveryParts, "textOf" | "mayHave" | "reportDisabled"> &
  Omit<EvaluationParts, "watched"> & {
    readonly tiers: DatasetTiers;
    readonly withheldSources: WithheldSources;
    readonly datasets: readonly ScheduledDataset[];
  };

export const alerts = {
  jobKinds: [deliveryJob, sweepJob, evaluationKind],
  retention: [deliveryRetention, confirmationRetention],
  jobs: (parts: AlertsJobParts): readonly Job[] => [
    ...deliveryJobs({ ...parts, ...deliveryRules(parts) }),
    evaluationJob({ ...parts, watched: watched(parts.datasets, parts.tiers, parts.withheldSources) }),
  ],
  implement(parts: AlertsDomainParts): ServiceImpl<typeof AlertsService> {
    const { sendsMail, tiers } = parts.alerts;
    const all = { ...parts, sendsMail, watched: watched(parts.datasets, tiers, parts.history.withheldSources) };
    return { ...ruleMethods(all), ...endpointMethods(all), ...deliveryMethods(all) };
  },
};
