import { createHash } from "node:crypto";
import type { Plan } from "../../../access/plans.ts";
import type { DeliveryTables, EndpointRow } from "../../../delivery/delivery-table.ts";
import { type NewDelivery, queueDeliveries } from "../../../delivery/queue-deliveries.ts";
import type { Transaction } from "../../../store/tables.ts";
import { stateOf } from "./endpoint-store.ts";

export type Receiver = Pick<EndpointRow, "id" | "kind">;

/** Returns the active endpoints by account. They are locked, so that an endpoint is not disabled before the commit. */
export async function receivers(
  transaction: Transaction,
  plans: ReadonlyMap<string, Plan>,
): Promise<ReadonlyMap<string, readonly Receiver[]>> {
  if (plans.size === 0) return new Map();
  const rows = await transaction
    .withTables<DeliveryTables>()
    .selectFrom("webhook")
    .select(["id", "account", "kind", "inactive_reason", "confirmed_at"])
    .where("account", "in", [...plans.keys()])
    .where("kind", "<>", "chokepoints")
    .orderBy("created_at")
    .orderBy("id")
    .forShare()
    .execute();
  return new Map(
    [...Map.groupBy(rows, ({ account }) => account)].map(([account, own]) => [
      account,
      own.slice(0, plans.get(account)?.endpoints).filter((row) => stateOf(row) === "active"),
    ]),
  );
}

/** An event that several endpoints receive. With a mark, a delivery has the same ID each time it is queued. */
export type SharedEvent = Pick<NewDelivery, "type" | "body" | "rule" | "requiredTier"> & { readonly mark?: string };

export function queueForEndpoints(
  transaction: Transaction,
  endpoints: readonly Receiver[],
  event: SharedEvent,
  how: Parameters<typeof queueDeliveries>[2],
): Promise<string[]> {
  return queueDeliveries(transaction, deliveriesTo(endpoints, event), how);
}

/** Creates a delivery per endpoint. Deliveries to feeds count as sent, because clients read feeds from the store. */
export function deliveriesTo(endpoints: readonly Receiver[], { mark, ...event }: SharedEvent): NewDelivery[] {
  return endpoints.map(({ id, kind }) => ({
    ...event,
    endpoint: id,
    ...(mark !== undefined && { id: deliveryId(id, mark) }),
    state: kind === "feed" ? "delivered" : "pending",
  }));
}

function deliveryId(endpoint: string, mark: string): string {
  return `whd_${createHash("sha256").update(`${endpoint} ${mark}`).digest("hex").slice(0, 32)}`;
}
