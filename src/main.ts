import { run } from "./cli/program.ts";

// A reader that has seen enough, such as `head`, closes its end: what is written after that goes nowhere.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });

await run(process.argv, process.env, process.stdout, process.stderr);
