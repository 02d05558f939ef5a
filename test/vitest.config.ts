import { defineConfig } from "vitest/config";

/** Settings that the rings of tests share. */
export const shared = {
  globalSetup: "test/support/test-run.ts",
  // Most of a file waits for a process or a store: others use the time.
  maxWorkers: 3,
  // Files share what they import, a third of the time; no test changes a module's state.
  isolate: false,
  // Node runs the code as in operation. The runner of Vite would first rewrite each import, and each access to one.
  experimental: { viteModuleRunner: false, nodeLoader: false },
  // A machine whose speed drifts can take twice as long as usual.
  testTimeout: 60_000,
  hookTimeout: 120_000,
  reporters: [process.env.CI ? "dot" : "default", "./test/support/closing-line.ts"],
};

// The first ring: everything that protects behavior, each block on one database.
export default defineConfig({
  test: {
    ...shared,
    include: ["test/**/*.test.ts"],
    exclude: ["test/**/*.more.test.ts", "test/proof/**"],
  },
});
