import { PassThrough } from "node:stream";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { Overloaded, Unavailable } from "../../../src/errors.ts";
import { createLog } from "../../../src/log/log.ts";
import { startWorkThread } from "../../../src/runtime/work/work-thread.ts";
import { eventually } from "../../support/app.ts";

/** Returns the log of a work thread whose first run ends with this error. */
async function logOf(error: Error): Promise<string> {
  const lines = new PassThrough();
  const log = createLog("info", lines, (text) => text);
  const script = `throw Object.assign(new Error(${JSON.stringify(error.message)}), { name: ${JSON.stringify(error.name)} })`;
  const settings = { kind: "postgres", address: "postgres://127.0.0.1:1/none" } as const;
  const thread = startWorkThread({}, settings, log, new Worker(script, { eval: true }));
  let failure: unknown;
  thread.failed.catch((reason) => {
    failure = reason;
  });
  let text = "";
  lines.on("data", (chunk) => {
    text += chunk;
  });
  await eventually(
    async () => text,
    (logged) => logged.includes("the work thread"),
  );
  await thread.close();
  expect(failure === undefined, "A thread that starts again has not failed.").toBe(text.includes("started again"));
  return text;
}

test("A database that is lost or overloaded starts the work thread again, and another error ends it", async () => {
  expect(await logOf(new Unavailable("The database is out of reach"))).toContain("is started again");
  expect(await logOf(new Overloaded("All connections to the database are in use", 5))).toContain("is started again");
  expect(await logOf(new TypeError("x is not a function"))).toContain("the work thread failed");
});
