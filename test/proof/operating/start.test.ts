import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { describeEachDatabase } from "../../support/databases.ts";
import { startServeProcess } from "../../support/processes/serve-process.ts";

const path = "/api/conflict/v1/list-conflict-events";
const settleMs = 30_000;
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

describeEachDatabase("ids serve", (_openFresh, freshPlace) => {
  test("starts fast, stays small and stops in order", { timeout: 180_000 }, async () => {
    const { url } = await freshPlace();
    const directory = mkdtempSync(join(tmpdir(), "ids-start-"));
    folders.push(directory);
    const environment: Record<string, string> = {
      IDS_DATA_DIR: directory,
      ...(url ? { DATABASE_URL: url } : {}),
    };
    const first = await startServeProcess(environment);
    const firstMs = await first.firstSuccess(path);
    const wholeMs = await first.firstSuccess("/readyz");
    const firstStop = await first.stop();
    const second = await startServeProcess(environment);
    const secondMs = await second.firstSuccess(path);
    await wait(settleMs);
    const resident = await second.residentMb();
    const secondStop = await second.stop();
    console.log(
      `${url ? "Postgres" : "embedded"}: first 200 on an empty store after ${Math.round(firstMs)} ms, all there after ${Math.round(wholeMs)} ms, first 200 on an existing one after ${Math.round(secondMs)} ms; ${Math.round(resident)} MB resident ${settleMs / 1000} s after the second start; stops took ${Math.round(firstStop)} and ${Math.round(secondStop)} ms`,
    );
    expect(existsSync(join(directory, "lock"))).toBe(false);
  });
});
