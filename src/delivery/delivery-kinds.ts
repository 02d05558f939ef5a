import type { JobKind } from "../jobs/queue.ts";

/** Sends what waits for one endpoint. What is left by a process that died is found by the sweep. */
export const deliveryJob: JobKind = { name: "webhook-delivery", retries: 0, cacheSeconds: 3_600 };

/** Looks for endpoints that something waits for and nobody delivers to. */
export const sweepJob: JobKind = { name: "webhook-sweep", onePerKey: true, retries: 0, cacheSeconds: 3_600 };

export interface DeliveryData {
  readonly webhook: string;
}
