import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { freshFolder } from "../terminal.ts";

const program = fileURLToPath(new URL("../../../bin/ids", import.meta.url));
const hasTerminals = spawnSync("script", ["-qec", "true", "/dev/null"]).status === 0;

test.skipIf(!hasTerminals)("a terminal shows the refreshes of the work thread in lines for people too", async () => {
  const env = {
    PATH: process.env.PATH,
    IDS_DATA: "sample",
    IDS_DATA_DIR: freshFolder(),
    PORT: "0",
    NO_COLOR: "1",
    IDS_LOG_LEVEL: "debug",
  };
  const child = spawn("script", ["-qec", `exec ${program} serve`, "/dev/null"], {
    env,
    stdio: ["pipe", "pipe", "ignore"],
  });
  let shown = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const wasRefreshed = shown.includes("refreshed ");
    shown += text;
    // Ctrl-C, once.
    if (!wasRefreshed && shown.includes("refreshed ")) child.stdin.write("\u0003");
  });
  await once(child, "close");
  expect(shown).toMatch(/^\d\d:\d\d:\d\dZ debug refreshed [a-z-]+: \d+ rows, ok, \d+\.\d s\r$/m);
  expect(shown).not.toContain('{"level"');
});
