import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServeProcess, startServeProcess } from "../../support/processes/serve-process.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "../../support/servers/postgres-server.ts";

/** Connections that the cache closes are noticed while it runs. */
const run = promisify(execFile);
const program = "varnishd";
const statistics = "varnishstat";
const hasVarnish = spawnSync(program, ["-V"]).status === 0;
if (!hasVarnish) console.warn(`No ${program} on this machine: what a shared cache does is not shown`);
const ids = fileURLToPath(new URL("../../../bin/ids", import.meta.url));
const minute = 60_000;
const requests = 10_000;
const lanes = 20;

/** Public reads in several forms, and one that needs a key. */
const open = [
  ...["SD", "UA", "MM", "ML", "NG", "ET", "CO", "MX", "IQ", "SY"].map(
    (country) => `/api/conflict/v1/list-conflict-events?country=${country}`,
  ),
  "/api/conflict/v1/count-conflict-events?group_by=country",
];
const keyed = "/api/infrastructure/v1/list-internet-outages?country=US";

describe.skipIf(!hasVarnish || !hasPostgres)("behind a shared cache", { timeout: 5 * minute }, () => {
  const folder = mkdtempSync(join(tmpdir(), "ids-varnish-"));
  let server: PostgresServer;
  let environment: Record<string, string> = {};
  let service: ServeProcess;
  let cache: ChildProcess;
  let cached = "";
  let key = "";
  beforeAll(async () => {
    const [port, cachePort] = [await freePort(), await freePort()];
    cached = `http://127.0.0.1:${cachePort}`;
    server = await startPostgres();
    const secret = { IDS_SECRET_KEY: "5e".repeat(32) };
    environment = { IDS_DATA: "sample", IDS_DATA_DIR: join(folder, "data"), DATABASE_URL: server.url, ...secret };
    service = await startServeProcess({ ...environment, IDS_PURGE_URL: cached }, [], { port });
    await service.firstSuccess("/readyz");
    key = JSON.parse(readFileSync(join(folder, "data", "demo-keys.json"), "utf8")).pro;
    const recipe = readFileSync(new URL("../../../deploy/varnish.vcl", import.meta.url), "utf8");
    writeFileSync(join(folder, "ids.vcl"), recipe.replace('"8080"', `"${port}"`));
    cache = spawn(
      program,
      [
        ...[
          "-j",
          "none",
          "-F",
          "-n",
          join(folder, "varnish"),
          "-a",
          `127.0.0.1:${cachePort}`,
          "-f",
          join(folder, "ids.vcl"),
        ],
        ...["-s", "malloc,64m"],
      ],
      { stdio: ["ignore", "ignore", "inherit"] },
    );
    const until = performance.now() + 30_000;
    while ((await status("/livez")) !== 200 && performance.now() < until) await wait(50);
  }, 3 * minute);
  afterAll(async () => {
    cache.kill();
    await service.stop();
    await server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  const status = (path: string) =>
    fetch(cached + path).then(
      (response) => response.status,
      () => 0,
    );
  /** Requests that the cache has forwarded so far. */
  const passedOn = () => {
    const text = execFileSync(statistics, ["-n", join(folder, "varnish"), "-1", "-f", "MAIN.backend_req"]);
    return Number(/MAIN\.backend_req\s+(\d+)/.exec(String(text))?.[1]);
  };

  test(`of ${requests} public reads few reach the service, and nothing of one caller or form reaches another`, async () => {
    const before = passedOn();
    const wrong: string[] = [];
    let requested = 0;
    const lane = async () => {
      while (requested < requests) {
        const index = requested++;
        const path = open[index % open.length] ?? "";
        const wantsTable = index % 3 === 0 && path.includes("list-conflict-events");
        const response = await fetch(cached + path, {
          headers: {
            // These responses are public, whatever the key.
            "X-Service-Key": `random ${index}`,
            ...(wantsTable && { Accept: "text/csv" }),
          },
        });
        const body = await response.text();
        const type = response.headers.get("content-type") ?? "";
        if (response.status !== 200 || type.includes("csv") !== wantsTable || body.startsWith("{") === wantsTable)
          wrong.push(`${response.status} ${type} ${path}`);
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    const passed = passedOn() - before;
    console.log(`of ${requests} public reads ${passed} reached the service (500 allowed)`);
    expect(wrong).toEqual([]);
    expect(passed).toBeLessThanOrEqual(500);
    const mine = await fetch(cached + keyed, { headers: { "X-Service-Key": key } });
    expect([mine.status, (await fetch(cached + keyed)).status]).toEqual([200, 401]);
  });

  test("a new generation is visible through the cache within 3 seconds", async () => {
    const path = "/api/conflict/v1/list-conflict-events?country=SD";
    const read = async () =>
      ((await (await fetch(cached + path)).json()) as { readonly refreshedAt: string }).refreshedAt;
    const earlier = await read();
    const took: number[] = [];
    for (let round = 0; round < 3; round++) {
      const before = await read();
      // A process of its own, as a worker on another machine.
      await run(ids, ["ingest", "conflict-events"], { env: { ...process.env, ...environment } });
      const started = performance.now();
      while ((await read()) === before && performance.now() - started < 10_000) await wait(20);
      took.push(performance.now() - started);
    }
    console.log(
      `a new generation through the cache after ${took.map((ms) => ms.toFixed(0)).join(", ")} ms (3,000 allowed)`,
    );
    expect(await read()).not.toBe(earlier);
    expect(Math.max(...took)).toBeLessThan(3_000);
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("No port");
  return address.port;
}
