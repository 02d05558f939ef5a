import type { Job } from "../../../jobs/job.ts";
import type { JobKind } from "../../../jobs/queue.ts";
import { sendDigests } from "../digest/send-digests.ts";
import { areRules } from "../rules/rule-store.ts";
import { evaluateChanges, type KnownRules } from "./evaluate-changes.ts";
import { evaluatePoints } from "./evaluate-points.ts";
import type { EvaluationParts } from "./evaluation-parts.ts";

/** Only one process at a time runs this job. If the process dies, another one can run the job after ten seconds. */
export const evaluationKind: JobKind = {
  name: "alert-evaluation",
  onePerKey: true,
  retries: 0,
  leaseSeconds: 10,
  cacheSeconds: 3_600,
};

/** Evaluates the rules after each refresh. It also runs every minute, because other processes may have stored data. */
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
      await sendDigests(parts);
    },
  };
}
