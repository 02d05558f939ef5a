import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ConfigurationError } from "../../../src/errors.ts";
import { lockFolder, startOfProcess } from "../../../src/store/embedded/folder-lock.ts";

let directory: string;
let path: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "ids-lock-"));
  path = join(directory, "lock");
});
afterEach(() => rmSync(directory, { recursive: true }));

function leave(holder: object | string, secondsAgo = 0): void {
  writeFileSync(path, typeof holder === "string" ? holder : JSON.stringify(holder));
  const then = Date.now() / 1000 - secondsAgo;
  utimesSync(path, then, then);
}

const endedPid = () => spawnSync("true").pid;

test("a folder in use is refused with its name, the process and what to do", () => {
  const lock = lockFolder(directory);
  expect(() => lockFolder(directory)).toThrow(ConfigurationError);
  expect(() => lockFolder(directory)).toThrow(
    `The data folder ${directory} is in use by process ${process.pid}. Stop it, or set another folder (IDS_DATA_DIR) or a shared Postgres (DATABASE_URL) for this one`,
  );
  lock.release();
});

test("a released folder can be taken again, and nothing is left in it", () => {
  lockFolder(directory).release();
  lockFolder(directory).release();
  expect(readdirSync(directory)).toEqual([]);
});

test("the folder of a process that died is taken over", () => {
  leave({ host: hostname(), pid: endedPid(), start: "any" });
  lockFolder(directory).release();
});

test.skipIf(!existsSync("/proc/self/stat"))(
  "the folder of a process whose pid another one has now is taken over",
  () => {
    leave({ host: hostname(), pid: process.pid, start: "an earlier start" });
    lockFolder(directory).release();
  },
);

test("the folder of a living process is refused however old its lock is", () => {
  leave({ host: hostname(), pid: process.pid, start: startOfProcess(process.pid) }, 3600);
  expect(() => lockFolder(directory)).toThrow(ConfigurationError);
});

test("a lock of another host holds as long as it is touched", () => {
  leave({ host: "elsewhere", pid: 1, start: "any" }, 5);
  expect(() => lockFolder(directory)).toThrow("in use by process 1 on elsewhere");
  leave({ host: "elsewhere", pid: 1, start: "any" }, 60);
  lockFolder(directory).release();
});

test("an empty lock, as a power failure leaves it, holds for a while only", () => {
  leave("", 5);
  expect(() => lockFolder(directory)).toThrow("in use by another process");
  leave("", 60);
  lockFolder(directory).release();
});

test("a takeover that died in the middle does not lock the folder for ever", () => {
  leave({ host: hostname(), pid: endedPid(), start: "any" });
  spawnSync("mkdir", [`${path}.takeover`]);
  expect(() => lockFolder(directory)).toThrow("just taking over");
  const then = Date.now() / 1000 - 60;
  utimesSync(`${path}.takeover`, then, then);
  lockFolder(directory).release();
});
