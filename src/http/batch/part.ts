import { type Exchange, splitTarget } from "../exchange.ts";
import type { ReadRequest } from "../read-request.ts";

/** A read of a batch: of its request's headers it has the key, the host and how strict it is alone. */
export interface Part extends ReadRequest {
  readonly query: string;
  /** Path and query as the caller wrote them. */
  readonly target: string;
}

/** `over` is aborted when the batch no longer waits. */
export function partOf(exchange: Exchange, target: string, over: AbortSignal): Part {
  const { id, now, request, head } = exchange;
  const { serviceKey = "", apiKey = "", prefer } = head;
  const { host } = request.headers;
  return {
    ...splitTarget(target),
    ...{
      id,
      now,
      target,
      startedAt: performance.now(),
      headers: [],
      head: { serviceKey, apiKey, ...(prefer && { prefer }) },
    },
    request: { method: "GET", url: target, headers: host === undefined ? {} : { host } },
    address: () => exchange.address(),
    edge: () => exchange.edge(),
    isGone: () => over.aborted || exchange.isGone(),
    isBackedUp: () => exchange.isBackedUp(),
    signal: () => over,
  };
}
