import type { JobKind } from "../jobs/queue.ts";

/** Sends the queued deliveries of one endpoint. The sweep finds those of crashed processes. */
export const deliveryJob: JobKind = { name: "webhook-delivery", retries: 0, cacheSeconds: 3_600 };

/** Finds endpoints with queued deliveries that no process is serving. */
export const sweepJob: JobKind = { name: "webhook-sweep", onePerKey: true, retries: 0, cacheSeconds: 3_600 };

export interface DeliveryData {
  readonly webhook: string;
}
