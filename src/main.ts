import { statSync } from "node:fs";
import { run } from "./cli/program.ts";

// A reader that has seen enough, such as `head`, closes its end: what is written after that goes nowhere.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });

// What the shell sets goes before what is written down.
if (statSync(".env", { throwIfNoEntry: false })?.isFile()) process.loadEnvFile(".env");

await run(
  process.argv,
  process.env,
  process.stdout,
  process.stderr,
  process.stdin.isTTY && process.stdout.isTTY ? process.stdin : undefined,
);
