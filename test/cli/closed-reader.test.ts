import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { freshFolder } from "./terminal.ts";

const program = fileURLToPath(new URL("../../bin/ids", import.meta.url));

test.each([["help"], ["openapi"], ["doctor"]])(
  "a reader that disconnects before ids %s writes is not a failure",
  async (...args) => {
    const child = spawn(program, args, {
      env: { PATH: process.env.PATH, IDS_DATA: "sample", IDS_DATA_DIR: freshFolder() },
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stdout.destroy();
    const [err, [status]] = await Promise.all([text(child.stderr), once(child, "exit")]);
    expect({ err, status }).toEqual({ err: "", status: 0 });
  },
);
