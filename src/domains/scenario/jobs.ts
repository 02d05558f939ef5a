import { randomUUID } from "node:crypto";
import { create, toJson } from "@bufbuild/protobuf";
import { ScenarioResultSchema } from "../../../gen/es/ids/scenario/v1/scenario_job_pb.ts";
import { Unavailable } from "../../errors.ts";
import type { Job } from "../../jobs/job.ts";
import type { JobKind, Run, Send } from "../../jobs/queue.ts";
import type { Store } from "../../store/tables.ts";
import { computeScenario } from "./compute.ts";
import { isFromSamples } from "./inputs.ts";
import { claimJob, deleteExpiredJobs, isAnyFree, settleJob } from "./job-store.ts";
import type { ScenarioJobRow } from "./job-table.ts";

/** Each run computes the oldest free job, in any process. A periodic sweep finds the jobs of processes that died. */
export const scenarioJob: JobKind = { name: "scenario", retries: 0, cacheSeconds: 3_600 };

/** Finds free jobs periodically. Sweeps may overlap, because one whose process died must not block the next. */
export const scenarioSweep: JobKind = { name: "scenario-sweep", retries: 0, cacheSeconds: 3_600 };

export interface ScenarioJobParts {
  readonly database: Store;
  readonly clock: () => Date;
  readonly data: "live" | "sample";
  readonly send: Send;
  readonly scenarioTimes?: Partial<ScenarioTimes>;
}

export interface ScenarioTimes {
  /** The time limit of a computation, after which the partial result is stored. */
  readonly limitMs: number;
  /** How long a worker holds a job before others may claim it: the time limit and the slowest statement, and more. */
  readonly leaseMs: number;
  /** The pause before a failed computation is repeated. It doubles after the second failure. */
  readonly pauseMs: number;
}

const defaultTimes: ScenarioTimes = { limitMs: 45_000, leaseMs: 90_000, pauseMs: 2_000 };
const concurrently = 2;
const maxFailures = 3;

export function scenarioJobs({ database, clock, data, send, scenarioTimes }: ScenarioJobParts): readonly Job[] {
  const { limitMs, leaseMs, pauseMs } = { ...defaultTimes, ...scenarioTimes };
  const elapsed = () => performance.now();

  /** Computes one job. Returns false if no job is free. */
  async function computeNext({ signal }: Pick<Run, "signal">): Promise<boolean> {
    const now = clock();
    const until = new Date(now.getTime() + leaseMs);
    const job = await claimJob(database, { lease: randomUUID(), until, now });
    if (!job) return false;
    try {
      const message = await computeScenario(job, signal, { database, clock, data, elapsed, limitMs });
      const result = toJson(ScenarioResultSchema, create(ScenarioResultSchema, message));
      const fromSamples = data === "sample" && (await isFromSamples(database));
      await settleJob(database, job, { status: "done", result, fromSamples, at: clock() });
    } catch (error) {
      // The store is unavailable, so the outcome cannot be stored. Another worker claims the job after the lease ends.
      if (error instanceof Unavailable) throw error;
      if (!signal.aborted) {
        await fail(job);
        // The queue logs this error, so its message names the job.
        throw new Error(`${job.id}: ${error}`, { cause: error });
      }
      // A shutdown has stopped the computation, so the job waits again, and the attempt does not count as a failure.
      await settleJob(database, job, { status: "pending", failures: job.failures, dueAt: clock() });
    }
    return true;
  }

  async function fail(job: ScenarioJobRow): Promise<void> {
    const failures = job.failures + 1;
    const now = clock();
    if (failures >= maxFailures) {
      await settleJob(database, job, { status: "failed", failures, at: now });
      return;
    }
    const dueAt = new Date(now.getTime() + pauseMs * 2 ** job.failures);
    await database.transaction().execute(async (transaction) => {
      await settleJob(transaction, job, { status: "pending", failures, dueAt });
      await send(scenarioJob, {}, { startAfter: dueAt, transaction });
    });
  }

  return [
    {
      kind: scenarioJob,
      concurrency: concurrently,
      async work(_, run) {
        while (!run.signal.aborted && (await computeNext(run)));
      },
    },
    {
      kind: scenarioSweep,
      every: "* * * * *",
      async work() {
        await deleteExpiredJobs(database, clock());
        if (await isAnyFree(database, clock())) await send(scenarioJob, {});
      },
    },
  ];
}
