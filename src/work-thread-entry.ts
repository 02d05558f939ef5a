import { enableCompileCache } from "node:module";

// Also spares this thread's memory the TypeScript stripper, when everything is in the cache.
enableCompileCache();

await import("./work-thread-main.ts");
