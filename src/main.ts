import { statSync } from "node:fs";
import { run } from "./cli/program.ts";

// A program such as `head` may close the output early. Further output is then discarded.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });

// Variables that are already set take precedence over those in the file.
if (statSync(".env", { throwIfNoEntry: false })?.isFile()) process.loadEnvFile(".env");

await run(
  process.argv,
  process.env,
  process.stdout,
  process.stderr,
  process.stdin.isTTY && process.stdout.isTTY ? process.stdin : undefined,
);
