import type { JobKind } from "../../../src/jobs/queue.ts";

/** A job whose loss is noticed soon. */
export const lostKind: JobKind = { name: "lost", expireSeconds: 2, leaseSeconds: 10, retries: 3, retryAfterSeconds: 1 };
