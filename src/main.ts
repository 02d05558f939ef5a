import { run } from "./cli/program.ts";

await run(process.argv, process.env, process.stdout, process.stderr);
