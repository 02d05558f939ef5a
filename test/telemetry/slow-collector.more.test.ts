import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freshFolder } from "../cli/terminal.ts";
import { eventually } from "../support/app.ts";
import { startServeProcess } from "../support/processes/serve-process.ts";
import { type Collector, startCollector } from "../support/servers/collector.ts";
import { hasPostgres, startPostgres } from "../support/servers/postgres-server.ts";

const program = fileURLToPath(new URL("../../bin/ids", import.meta.url));
/** The limit of an end with a slow collector. Other work has a second, and running refreshes take some more. */
const withinMs = { serve: 5_000, work: 7_000 };

let collector: Collector;
let environment: Record<string, string>;
beforeAll(async () => {
  collector = await startCollector();
  collector.behave("hangs");
  environment = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: "1" };
});
afterAll(() => collector[Symbol.asyncDispose]());

const requested = (path: string) => collector.requests.filter((request) => request.path === path).length;

test("`ids serve` ends in time although its collector never responds", {
  timeout: 120_000,
}, async () => {
  await using service = await startServeProcess({ ...environment, IDS_DATA_DIR: freshFolder() }, ["--no-work"]);
  const [traces, metrics] = [requested("/v1/traces"), requested("/v1/metrics")];
  await service.firstSuccess("/livez");
  await service.firstSuccess("/plans");
  await eventually(
    async () => requested("/v1/traces"),
    (count) => count > traces,
  );
  await service.firstSuccess("/plans");
  expect(await service.stop()).toBeLessThan(withinMs.serve);
  expect(service.process).toMatchObject({ exitCode: 0, signalCode: null });
  // The last delivery of metrics, which the end begins, hung too.
  expect(requested("/v1/metrics")).toBeGreaterThan(metrics);
});

test.skipIf(!hasPostgres)(
  "`ids work` ends in time although its collector never responds",
  { timeout: 60_000 },
  async () => {
    await using server = await startPostgres();
    const settings = { IDS_DATA: "sample", IDS_DATA_DIR: freshFolder(), DATABASE_URL: server.url };
    const before = collector.requests.length;
    const child = spawn(program, ["work"], {
      env: { PATH: process.env.PATH, IDS_SECRET_KEY: "5e".repeat(32), ...environment, ...settings },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let log = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      log += text;
    });
    await eventually(
      async () => log.includes('"working"') && collector.requests.length > before,
      (isWaiting) => isWaiting,
    );
    const began = performance.now();
    child.kill("SIGTERM");
    const [status] = await once(child, "exit");
    expect(performance.now() - began).toBeLessThan(withinMs.work);
    expect(status).toBe(0);
  },
);
