import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "../../../src/store/database.ts";
import { startServeProcess } from "./serve-process.ts";

/** Three processes of the service that count together. */
export interface CountingProcesses extends AsyncDisposable {
  readonly urls: readonly string[];
}

export async function startCountingProcesses({ settings }: Database): Promise<CountingProcesses> {
  await using stack = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "ids-quota-"));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const place = { DATABASE_URL: settings.address, IDS_DATA_DIR: folder };
  const processes = [];
  for (let index = 0; index < 3; index++) processes.push(stack.use(await startServeProcess(place, ["--no-work"])));
  await Promise.all(processes.map((started) => started.firstSuccess("/livez")));
  const running = stack.move();
  return {
    urls: processes.map(({ url }) => url),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
