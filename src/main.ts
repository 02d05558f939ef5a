import { statSync } from "node:fs";
import { run } from "./cli/program.ts";

// A reader such as `head` closes its end early. Output after that is discarded.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });

// Variables of the shell take precedence over those of the file.
if (statSync(".env", { throwIfNoEntry: false })?.isFile()) process.loadEnvFile(".env");

await run(
  process.argv,
  process.env,
  process.stdout,
  process.stderr,
  process.stdin.isTTY && process.stdout.isTTY ? process.stdin : undefined,
);
