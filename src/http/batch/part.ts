import { type Exchange, splitTarget } from "../exchange.ts";
import type { ReadRequest } from "../read-request.ts";

/** One read of a batch. It uses only the key, the host, and the `Prefer` header of the batch request. */
export interface Part extends ReadRequest {
  readonly query: string;
  /** Path and query, as the client wrote them. */
  readonly target: string;
}

/** Creates a read of a batch. The signal `over` is aborted when the batch no longer waits for the read. */
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
