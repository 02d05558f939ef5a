import type { JobKind, Queue, Run } from "./queue.ts";

export interface Job {
  readonly kind: JobKind;
  // The type of `data` is checked less strictly for a method than for a function property, so a job can declare a
  // narrower type.
  work(data: object, run: Run): Promise<void>;
  /** Maximum number of concurrent runs per process. The default is 1. */
  readonly concurrency?: number;
  /** Schedule as a cron expression in UTC. The job also runs at startup. */
  readonly every?: string;
  /** Name of a dataset after whose refreshes the job runs. */
  readonly after?: string;
  /** If true, the job runs after every refresh of any dataset. */
  readonly afterEach?: true;
  /** Returns whether the job must run after a refresh. Without this function, it always runs. */
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
