import { enableCompileCache } from "node:module";

// Spares a second start most of the parsing.
enableCompileCache();

const { run } = await import("./cli/program.ts");
await run(process.argv, process.env, process.stdout, process.stderr);
