import { expect, test } from "vitest";
import { type Job, registerJobs, runAfter } from "../../src/jobs/job.ts";
import { openQueue } from "../../src/jobs/queue.ts";
import { eventually } from "../support/app.ts";
import { describeOnce } from "../support/databases.ts";

describeOnce("jobs that follow refreshes", (openFresh) => {
  test("begin after the refresh of their dataset, or after each", async () => {
    const begun: string[] = [];
    const job = (name: string, rest: Partial<Job>): Job => ({
      kind: { name, onePerKey: true },
      work: async () => void begun.push(name),
      ...rest,
    });
    const jobs = [job("ofOne", { after: "one" }), job("ofEach", { afterEach: true }), job("never", {})];
    const kinds = jobs.map(({ kind }) => kind);
    const database = await openFresh();
    const queue = await openQueue(database, { kinds, role: "work", log: () => undefined });
    await registerJobs(queue, jobs);
    await runAfter(queue, jobs, "other");
    await eventually(
      async () => begun,
      ({ length }) => length === 1,
    );
    // One that has begun and not ended yet is not sent again.
    await eventually(
      async () => (await database.query("select from pgboss.job where name = 'ofEach' and state <> 'completed'")).rows,
      ({ length }) => length === 0,
    );
    await runAfter(queue, jobs, "one");
    await eventually(
      async () => begun,
      ({ length }) => length === 3,
    );
    expect(begun[0]).toBe("ofEach");
    expect(new Set(begun.slice(1))).toEqual(new Set(["ofEach", "ofOne"]));
    await queue.close(500);
  });
});
