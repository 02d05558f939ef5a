import type { JobKind, Queue, Run } from "./queue.ts";

/** Work that is done without a request: what the queue hands out, and what is done with it. */
export interface Job {
  readonly kind: JobKind;
  // A method, so that a job may say what its data are: parameters of methods are compared loosely.
  work(data: object, run: Run): Promise<void>;
  /** Side by side in one process; 1 when absent. */
  readonly concurrency?: number;
  /** It is also begun at the start and at every time this cron expression names, in UTC. */
  readonly every?: string;
  /** It is also begun after each refresh of this dataset. */
  readonly after?: string;
  /** It is also begun after each refresh. */
  readonly afterEach?: true;
  /** Whether a refresh leaves it anything to do; it always does when absent. */
  readonly isDue?: () => Promise<boolean>;
}

/** Hands the jobs to a queue that knows their kinds. */
export async function registerJobs(
  queue: Pick<Queue, "work" | "schedule" | "send">,
  jobs: readonly Job[],
): Promise<void> {
  for (const job of jobs) {
    const { kind, concurrency: concurrently, every } = job;
    await queue.work(kind, (data, run) => job.work(data, run), concurrently);
    if (every === undefined) continue;
    await queue.schedule(kind, every, {}, kind.name);
    await begin(queue, job);
  }
}

/** Begins what follows the refresh of a dataset. */
export async function runAfter(queue: Pick<Queue, "send">, jobs: readonly Job[], dataset: string): Promise<void> {
  for (const job of jobs) {
    const follows = job.afterEach || job.after === dataset;
    if (follows && (!job.isDue || (await job.isDue()))) await begin(queue, job);
  }
}

async function begin(queue: Pick<Queue, "send">, { kind }: Job): Promise<void> {
  await queue.send(kind, {}, { key: kind.name });
}
