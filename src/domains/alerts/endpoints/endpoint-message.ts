import type { MessageInitShape } from "@bufbuild/protobuf";
import type { DeliverySchema } from "../../../../gen/es/ids/alerts/v1/delivery_pb.ts";
import type { EndpointSchema } from "../../../../gen/es/ids/alerts/v1/endpoint_pb.ts";
import type { LoggedDelivery } from "../../../delivery/delivery-log.ts";
import type { EndpointRow } from "../../../delivery/delivery-table.ts";
import { confirmationType } from "./confirmation.ts";
import { stateOf } from "./endpoint-store.ts";

/** An endpoint as its owner sees it. */
export function endpointMessage(row: EndpointRow): MessageInitShape<typeof EndpointSchema> {
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

/** A delivery as its owner sees it; a code is for who reads at the address. */
export function deliveryMessage(row: LoggedDelivery): MessageInitShape<typeof DeliverySchema> {
  return {
    id: row.id,
    endpointId: row.webhook,
    type: row.type,
    state: row.state,
    createdAt: BigInt(row.created_at.getTime()),
    ...(row.state === "pending" && { nextAttemptAt: BigInt(row.next_attempt_at.getTime()) }),
    body: row.type === confirmationType ? "" : row.body,
    attempts: row.attempts.map(({ at, status, error, milliseconds }) => ({
      // Comes by way of JSON.
      at: BigInt(Date.parse(String(at))),
      error,
      milliseconds,
      ...(status !== null && { status }),
    })),
  };
}
