import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/torture/**"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: [process.env["CI"] ? "dot" : "default", "./test/support/closing-line.ts"],
  },
});
