import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/torture/**"],
    globalSetup: "test/support/test-run.ts",
    // Most of a file waits for a process or a store: a second one uses the time.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: [process.env["CI"] ? "dot" : "default", "./test/support/closing-line.ts"],
  },
});
