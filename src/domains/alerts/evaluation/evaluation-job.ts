import type { Job } from "../../../jobs/job.ts";
import type { JobKind } from "../../../jobs/queue.ts";
import { areRules } from "../rules/rule-store.ts";
import { evaluateChanges, type KnownRules } from "./evaluate-changes.ts";
import { evaluatePoints } from "./evaluate-points.ts";
import type { EvaluationParts } from "./evaluation-parts.ts";

/** Only one process evaluates at a time. If a process dies, another process soon continues. */
export const evaluationKind: JobKind = {
  name: "alert-evaluation",
  onePerKey: true,
  retries: 0,
  leaseSeconds: 10,
  cacheSeconds: 3_600,
};

/** Evaluates the rules after each refresh, and every minute for data that other processes have stored. */
export function evaluationJob(parts: EvaluationParts): Job {
  let known: KnownRules | undefined;
  return {
    kind: evaluationKind,
    every: "* * * * *",
    afterEach: true,
    isDue: () => areRules(parts.database),
    async work(_, { signal }) {
      known = await evaluateChanges(parts, known, signal);
      await evaluatePoints(parts, signal);
    },
  };
}
