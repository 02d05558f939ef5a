import type { JobKind, Queue, Run } from "./queue.ts";

/** Work that is done without a request: what the queue hands out, and what is done with it. */
export interface Job {
  readonly kind: JobKind;
  // A method, so that a job may say what its data are: parameters of methods are compared loosely.
  work(data: object, run: Run): Promise<void>;
  /** Side by side in one process; 1 when absent. */
  readonly atOnce?: number;
  /** It is also begun at the start and at every time this cron expression names, in UTC. */
  readonly every?: string;
}

/** Hands the jobs to a queue that knows their kinds. */
export async function takeUp(queue: Pick<Queue, "work" | "schedule" | "send">, jobs: readonly Job[]): Promise<void> {
  for (const job of jobs) {
    const { kind, atOnce, every } = job;
    await queue.work(kind, (data, run) => job.work(data, run), atOnce);
    if (every === undefined) continue;
    await queue.schedule(kind, every, {}, kind.name);
    await queue.send(kind, {}, { key: kind.name });
  }
}
