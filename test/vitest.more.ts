import { globSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { shared } from "./vitest.config.ts";

const more = "test/**/*.more.test.ts";
const { reporters, maxWorkers: _, ...ofProject } = shared;

function filesThatContain(text: string, exclude: readonly string[]): string[] {
  return globSync("test/**/*.test.ts", { exclude: [...exclude, "test/proof/**"] }).filter((file) =>
    readFileSync(file, "utf8").includes(text),
  );
}

/** Files whose blocks run on either database. */
const onBoth = filesThatContain("describeEachDatabase(", [more]);

/**
 * Files that start programs of others, look at each page in a further way, or try many seeds and inputs. They take
 * a quarter of an hour of processor time, which the limit of a change does not have.
 */
const beforeRelease = [
  "test/cli/commands/{captured-replay,recordings}.more.test.ts",
  "test/console/{addresses-browser,charts-browser,layout,maps-browser}.more.test.ts",
  "test/domains/supply-chain/rows-touched.more.test.ts",
  "test/ingest/{lost-inputs,verified-datasets}.more.test.ts",
  "test/archive/bucket.more.test.ts",
  "test/conformance/**",
  "test/contract/body-bounds.more.test.ts",
  "test/docs/notebooks.more.test.ts",
  "test/http/linted-headers.more.test.ts",
  "test/ingest/faults.more.test.ts",
  "test/mcp/conformance.more.test.ts",
  "test/pages/reference/code-samples.more.test.ts",
  "test/sdk/{browser,go,install,package,python}.more.test.ts",
  "test/simulation/**",
  "test/standards/discovery/validators.more.test.ts",
  "test/telemetry/slow-collector.more.test.ts",
  "test/upstream/sample/sample.more.test.ts",
].flatMap((pattern) => globSync(pattern).filter((file) => file.endsWith(".more.test.ts")));

/** Files of both suites that check more cases before a release than for each change. */
const withFurtherCases = filesThatContain('/support/thoroughness.ts"', []);

/** Files that take one or two minutes although they are short. */
const longest = [
  "docs/shell-blocks.more.test.ts",
  "http/rest/access-ways.more.test.ts",
  "console/browser.more.test.ts",
];

/** Starts these files first. Otherwise, the other workers would wait for them at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => longest.some((file) => moduleId.endsWith(file));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

// The second suite: browsers, generators, kills, programs of others, and the other database of each block.
export default defineConfig({
  test: {
    reporters,
    sequence: { sequencer: LongestFirst },
    // Other suites have their own time limits, and browsers and servers use processors next to their test.
    maxWorkers: 3,
    projects: [
      { test: { ...ofProject, name: "more", include: [more], exclude: ["test/proof/**", ...beforeRelease] } },
      {
        test: {
          ...ofProject,
          name: "before release",
          include: [...beforeRelease, ...withFurtherCases],
          env: { IDS_TEST_CASES: "all" },
        },
      },
      { test: { ...ofProject, name: "other database", include: onBoth, env: { IDS_TEST_DATABASES: "other" } } },
    ],
  },
});
