import { defineConfig } from "vitest/config";

// One file at a time: the figures are worth nothing when two loads share the machine.
export default defineConfig({
  test: {
    include: ["test/proof/**/*.test.ts", "test/ingest/faults.more.test.ts", "test/docs/notebooks.more.test.ts"],
    env: { IDS_TEST_FAULTS: "all", IDS_INSTALL_NOTEBOOKS: "on" },
    fileParallelism: false,
    testTimeout: 1_800_000,
    hookTimeout: 120_000,
    reporters: ["verbose", "./test/support/proof-report.ts", "./test/support/closing-line.ts"],
  },
});
