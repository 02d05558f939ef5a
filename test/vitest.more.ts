import { globSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { shared } from "./vitest.config.ts";

const more = "test/**/*.more.test.ts";
const { reporters, maxWorkers: _, ...ofProject } = shared;

/** Files whose blocks run on either database. */
const onBoth = globSync("test/**/*.test.ts", { exclude: [more, "test/proof/**"] }).filter((file) =>
  readFileSync(file, "utf8").includes("describeEachDatabase("),
);

// The second ring: suites of others, browsers, generators, and the other database of each block.
export default defineConfig({
  test: {
    reporters,
    // Other suites have their own time limits, and browsers and servers use processors next to their test.
    maxWorkers: 3,
    projects: [
      { test: { ...ofProject, name: "more", include: [more], exclude: ["test/proof/**"] } },
      { test: { ...ofProject, name: "other database", include: onBoth, env: { IDS_TEST_DATABASES: "other" } } },
    ],
  },
});
