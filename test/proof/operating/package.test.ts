import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";

/** This Node, which `npx` would else look for in the path. */
const node = dirname(process.execPath);

test("the packed program runs in an empty folder, and its banner ends with a request that works", async () => {
  const home = mkdtempSync(join(tmpdir(), "ids-package-"));
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rmSync(home, { recursive: true, force: true }));
  execFileSync("npm", ["pack", "--silent", "--pack-destination", home], { stdio: ["ignore", "ignore", "inherit"] });
  const [tarball = ""] = readdirSync(home);
  const megabytes = statSync(join(home, tarball)).size / 1e6;
  const folder = join(home, "empty");
  mkdirSync(folder);
  cpSync(join(home, tarball), join(folder, "ids.tgz"));
  const began = performance.now();
  const child = spawn("npx", ["--yes", "--package", "./ids.tgz", "ids", "serve", "--sample"], {
    cwd: folder,
    // A group of its own, for npx hands no signal on.
    detached: true,
    env: { ...process.env, PATH: [node, process.env.PATH].join(":"), PORT: "0", IDS_LOG_LEVEL: "warn" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  stack.defer(async () => {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
    await ended;
  });
  let command = "";
  for await (const line of createInterface({ input: child.stdout })) {
    command = /^ {2}try +(.*)$/.exec(line)?.[1] ?? "";
    if (command !== "") break;
  }
  console.log(
    `${megabytes.toFixed(1)} MB packed; installed and serving after ${Math.round(performance.now() - began)} ms`,
  );
  const response = execFileSync("sh", ["-c", command.replace("curl", "curl --silent --fail")], { encoding: "utf8" });
  expect(JSON.parse(response).datasets.length).toBeGreaterThan(0);
});
