import type { JobKind, Queue, Run } from "./queue.ts";

export interface Job {
  readonly kind: JobKind;
  // A method instead of a property, because its parameters are bivariant. A job can narrow the type of its data.
  work(data: object, run: Run): Promise<void>;
  /** Maximum concurrent runs in one process; the default is 1. */
  readonly concurrency?: number;
  /** Cron expression in UTC. The job also runs at startup. */
  readonly every?: string;
  /** Name of a dataset. The job also runs after each refresh of it. */
  readonly after?: string;
  /** The job also runs after each refresh of any dataset. */
  readonly afterEach?: true;
  /** Whether there is work after a refresh; without it, the job always runs. */
  readonly isDue?: () => Promise<boolean>;
}

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

export async function runAfter(queue: Pick<Queue, "send">, jobs: readonly Job[], dataset: string): Promise<void> {
  for (const job of jobs) {
    const follows = job.afterEach || job.after === dataset;
    if (follows && (!job.isDue || (await job.isDue()))) await begin(queue, job);
  }
}

async function begin(queue: Pick<Queue, "send">, { kind }: Job): Promise<void> {
  await queue.send(kind, {}, { key: kind.name });
}
