import { execFile, spawnSync } from "node:child_process";
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../src/store/database.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { openOnce } from "../support/databases.ts";
import { startJobs } from "../support/processes/job-worker.ts";
import { type BuiltPackage, buildPackage } from "./built-package.ts";

const run = promisify(execFile);
const examples = fileURLToPath(new URL("../../examples", import.meta.url));

const hasCurl = spawnSync("curl", ["--version"]).status === 0;
if (!hasCurl) console.warn("No curl on this machine: ITS EXAMPLES ARE SKIPPED");

let built: BuiltPackage;
let database: Database;
let app: TestApp;
let jobs: AsyncDisposable;
const environment = { IDS_ALLOW_LOOPBACK_WEBHOOKS: "on" };
const keys = new Map<string, string>();
beforeAll(async () => {
  built = await buildPackage();
  writeFileSync(join(built.folder, "package.json"), '{ "type": "module" }');
  database = await openOnce();
  app = await startApp(database, { environment });
  jobs = await startJobs(database, { environment });
  await app.refresh("internet-outages");
  await app.refresh("conflict-events");
});
afterAll(async () => {
  await jobs[Symbol.asyncDispose]();
  await app[Symbol.asyncDispose]();
  await database.close();
  built[Symbol.dispose]();
});

/** The output of each, and the plan of its key. */
const expected: Readonly<Record<string, readonly [plan: string, printed: RegExp]>> = {
  "typescript/outages.ts": ["api_starter", /^UNSPECIFIED: 0\nPARTIAL: \d+\nMAJOR: \d+\nTOTAL: \d+\n299 requests left/],
  "typescript/plain.ts": [
    "free",
    /^[1-9]\d* conflict events in Ukraine in the last 30 days\n\[\n( {2}'.+',?\n){3}\]\n$/,
  ],
  "typescript/errors.ts": ["free", /^lat: must be .*\nstatus 400, request [0-9a-f-]{36}\n$/],
  "typescript/accounts.ts": ["operator", /^key of acme: ids_[0-9a-f]{40}\nacme: api_starter\n/],
  "typescript/agent.ts": ["free", /^\d+ tools\n\{\n {2}result: \[\n( {4}'.+',?\n){3} {2}\]\n\}\n$/],
  "typescript/webhooks.ts": ["pro_monthly", /^received: webhook\.test\nwebhooks left: 0\n$/],
  "curl/outages.sh": ["free", /^\{"outages":\[\{"id":"cf-.*"country":"SY"/],
  "curl/projection.sh": ["free", /^\["[^"]+","[^"]+","[^"]+"\]$/],
  "curl/failure.sh": ["free", /^\{"violations":\[\{"field":"lat".*\}\]\}\nstatus 400, request [0-9a-f-]{36}\n$/],
  "curl/create-key.sh": ["free", /^\{"secret":"ids_[0-9a-f]{40}","key":\{.*"name":"made by curl"/],
};

/** Returns the output of an example. Its key is the same each time. */
async function runExample(path: string): Promise<string> {
  const [plan] = expected[path] ?? ["free"];
  const key = keys.get(plan) ?? (await app.key(plan));
  keys.set(plan, key);
  const environment = { IDS_URL: app.url, IDS_API_KEY: key };
  if (path.endsWith(".sh"))
    return (await run(join(examples, path), { env: { PATH: process.env.PATH, ...environment } })).stdout;
  // An example without the client runs from its own folder.
  if (!readFileSync(join(examples, path), "utf8").includes("intelligence-data-service"))
    return (await run(process.execPath, [join(examples, path)], { env: environment })).stdout;
  copyFileSync(join(examples, path), join(built.folder, "example.ts"));
  return built.node("example.ts", environment);
}

test("every example of these folders is run here", () => {
  const programs = ["typescript", "curl"].flatMap((folder) =>
    readdirSync(join(examples, folder))
      .filter((name) => /\.(ts|sh)$/.test(name))
      .map((name) => `${folder}/${name}`),
  );
  expect(new Set(Object.keys(expected))).toEqual(new Set(programs));
});

test.for(Object.entries(expected))("%s does what it says", async ([path, [, printed]], { skip }) => {
  skip(path.endsWith(".sh") && !hasCurl);
  expect(await runExample(path)).toMatch(printed);
});

test.for(["typescript/accounts.ts", "curl/create-key.sh"])("%s changes something once", async (path, { skip }) => {
  skip(path.endsWith(".sh") && !hasCurl);
  const made = async () => /ids_[0-9a-f]{40}/.exec(await runExample(path))?.[0];
  const first = await made();
  expect(first).toBeDefined();
  expect(await made()).toBe(first);
});
