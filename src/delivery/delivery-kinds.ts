import type { JobKind } from "../jobs/queue.ts";

/** The job that sends the queued deliveries of one endpoint. If its process crashes, the sweep starts another job. */
export const deliveryJob: JobKind = { name: "webhook-delivery", retries: 0, cacheSeconds: 3_600 };

/** The sweep, a job that finds endpoints with due deliveries that no process is sending. */
export const sweepJob: JobKind = { name: "webhook-sweep", onePerKey: true, retries: 0, cacheSeconds: 3_600 };

export interface DeliveryData {
  readonly webhook: string;
}
