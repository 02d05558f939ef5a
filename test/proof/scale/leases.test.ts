import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { newKey } from "../../../src/access/keys/api-key.ts";
import { storeKey } from "../../../src/access/keys/keys.ts";
import { openDatabase } from "../../../src/store/database.ts";
import { migrate } from "../../../src/store/migrate.ts";
import { startServeProcess } from "../../support/processes/serve-process.ts";
import { limitsOf, perWindow } from "../../support/request-load.ts";
import { hasPostgres, startPostgres } from "../../support/servers/postgres-server.ts";

const replicas = 6;
const callersOfEach = 300;
const limit = 1_000;
const windows = 10;
const killedAfterMs = 4.3 * 60_000;

describe.skipIf(!hasPostgres)(`${replicas} processes on one Postgres, with ${callersOfEach} callers each`, () => {
  test(`let through 950 to ${limit} requests in each of ${windows} minutes, although one of them is killed`, {
    timeout: (windows + 3) * 60_000,
  }, async () => {
    await using stack = new AsyncDisposableStack();
    const server = stack.use(await startPostgres());
    const directory = mkdtempSync(join(tmpdir(), "ids-leases-"));
    stack.defer(() => rmSync(directory, { recursive: true, force: true }));
    const database = stack.adopt(await openDatabase({ url: server.url, directory, name: "test" }), (opened) =>
      opened.close(),
    );
    await migrate(database, () => new Date());
    const key = newKey(randomBytes);
    await storeKey(database.kysely, key, { account: "one", plan: "pro_monthly", name: "test" }, new Date());
    const environment = {
      DATABASE_URL: server.url,
      IDS_DATA_DIR: directory,
      IDS_PLAN_LIMITS: `pro_monthly=${limit}/-`,
    };
    const processes = [];
    for (let index = 0; index < replicas; index++)
      processes.push(stack.use(await startServeProcess(environment, ["--no-work"])));
    await Promise.all(processes.map((started) => started.firstSuccess("/livez")));
    const passed: number[] = [];
    const statuses: Record<string, number> = {};
    const over = new AbortController();
    const caller = async (url: string) => {
      while (!over.signal.aborted) {
        const response = await fetch(`${url}/api/infrastructure/v1/get-ip-geo`, {
          headers: { "X-Service-Key": key },
        }).catch(() => undefined);
        await response?.arrayBuffer();
        const status = response?.status ?? "no answer";
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (response?.status === 200) passed.push(limitsOf(response).reset ?? 0);
        await delay(1_000);
      }
    };
    const begun = performance.now();
    const callers = processes.flatMap(({ url }) => Array.from({ length: callersOfEach }, () => caller(url)));
    await delay(killedAfterMs);
    processes[0]?.process.kill("SIGKILL");
    // The last window must be over, whenever in a minute it all began.
    await delay(windows * 60_000 + 20_000 - (performance.now() - begun));
    over.abort();
    await Promise.all(callers);
    const counts = perWindow(passed).slice(0, windows);
    console.log(`passed ${counts.join(", ")} in windows of 60 s; ${JSON.stringify(statuses)}`);
    expect(counts).toHaveLength(windows);
    for (const count of counts) {
      expect(count).toBeLessThanOrEqual(limit);
      expect(count).toBeGreaterThanOrEqual(limit * 0.95);
    }
  });
});
