import { expect, test } from "vitest";
import { repeater } from "../../../src/store/served/repeater.ts";

/** A task whose runs end when the test says so. */
function controlled() {
  const runs: { readonly end: () => void; readonly fail: (error: Error) => void }[] = [];
  const task = () => new Promise<void>((end, fail) => runs.push({ end, fail }));
  return { runs, task };
}

test("requests during a run make exactly one more run follow it", async () => {
  const { runs, task } = controlled();
  const { request, settled } = repeater(task, { what: "", log: () => {} });
  request();
  request();
  request();
  expect(runs).toHaveLength(1);
  runs[0]?.end();
  await expect.poll(() => runs.length).toBe(2);
  runs[1]?.end();
  await settled();
  expect(runs).toHaveLength(2);
});

test("a failed run is retried until it succeeds, and the log has the first failure and the end", async () => {
  let failures = 3;
  const lines: string[] = [];
  const { request, close } = repeater(
    async () => {
      if (failures-- > 0) throw new Error("no");
    },
    { what: "It fails", retryAfterMs: [1, 2], log: (line) => lines.push(line) },
  );
  request();
  await expect.poll(() => lines).toEqual(["It fails: Error: no", "It fails: no longer, after 3 failures"]);
  await close();
});

test("what was requested is settled when it was tried, even without success", async () => {
  const { request, settled, close } = repeater(() => Promise.reject(new Error("no")), { what: "", log: () => {} });
  request();
  await settled();
  await close();
});

test("closing waits for the run in progress and starts no other", async () => {
  const { runs, task } = controlled();
  const { request, close, settled } = repeater(task, { what: "", log: () => {} });
  request();
  request();
  const closing = close();
  runs[0]?.end();
  await closing;
  await settled();
  request();
  expect(runs).toHaveLength(1);
});
