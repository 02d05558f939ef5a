import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { describeOnce } from "../support/databases.ts";

const run = promisify(execFile);

const require = createRequire(import.meta.url);
const manifest = require.resolve("@modelcontextprotocol/conformance/package.json");
const { bin } = JSON.parse(readFileSync(manifest, "utf8")) as { bin: { conformance: string } };
const program = join(dirname(manifest), bin.conformance);

const noFixture = "calls a tool of the suite's own reference server";
const noResource = "reads a resource of the suite's own reference server";
const noPrompt = "gets a prompt of the suite's own reference server";
const makesNoRequest = "needs a server that asks its client something: reads never do";
const noSubscription = "resources do not change while a client is connected, and no subscription is offered";
const noSession = "looks at a session or its streams, and finds nothing to check where there is none";

/** Scenarios of the suite that this server cannot take, and why. A new one fails until it is decided about. */
const left: Readonly<Record<string, string>> = {
  "logging-set-level": "the server sends no log messages, and says so",
  "completion-complete": "no completion of arguments is offered, and the server says so",
  "tools-call-simple-text": noFixture,
  "tools-call-image": noFixture,
  "tools-call-audio": noFixture,
  "tools-call-embedded-resource": noFixture,
  "tools-call-mixed-content": noFixture,
  "tools-call-with-logging": noFixture,
  "tools-call-error": noFixture,
  "tools-call-with-progress": noFixture,
  "json-schema-2020-12": noFixture,
  "tools-call-sampling": makesNoRequest,
  "tools-call-elicitation": makesNoRequest,
  "elicitation-sep1034-defaults": makesNoRequest,
  "elicitation-sep1330-enums": makesNoRequest,
  "server-sse-polling": noSession,
  "resources-read-text": noResource,
  "resources-read-binary": noResource,
  "resources-templates-read": noResource,
  "resources-subscribe": noSubscription,
  "resources-unsubscribe": noSubscription,
  "prompts-get-simple": noPrompt,
  "prompts-get-with-args": noPrompt,
  "prompts-get-embedded-resource": noPrompt,
  "prompts-get-with-image": noPrompt,
  "http-custom-header-server-validation": "no tool takes a parameter in a header of its own",
  "input-required-result-basic-elicitation": makesNoRequest,
  "input-required-result-basic-sampling": makesNoRequest,
  "input-required-result-basic-list-roots": makesNoRequest,
  "input-required-result-request-state": makesNoRequest,
  "input-required-result-multiple-input-requests": makesNoRequest,
  "input-required-result-multi-round": makesNoRequest,
  "input-required-result-missing-input-response": makesNoRequest,
  "input-required-result-non-tool-request": makesNoRequest,
  "input-required-result-result-type": makesNoRequest,
  "input-required-result-tampered-state": makesNoRequest,
  "input-required-result-capability-check": makesNoRequest,
  "input-required-result-ignore-extra-params": makesNoRequest,
  "input-required-result-validate-input": makesNoRequest,
};

interface Edition {
  readonly revision: string;
  /** Scenarios left out of this edition only. */
  readonly left: Readonly<Record<string, string>>;
  /** Checks within a scenario that fail here, and why. */
  readonly failing: Readonly<Record<string, string>>;
}

const editions: readonly Edition[] = [
  {
    revision: "2025-11-25",
    left: { "server-sse-multiple-streams": noSession, "server-session-lifecycle": noSession },
    failing: {},
  },
  {
    revision: "2026-07-28",
    left: {},
    failing: {
      "sep-2575-server-rejects-undeclared-capability": noFixture,
      "sep-2575-missing-capability-http-400": noFixture,
      "sep-2575-http-server-no-independent-requests-on-stream": noFixture,
      "sep-2575-server-no-log-without-loglevel": noFixture,
      "sep-2575-server-sends-subscription-ack": noSubscription,
      "sep-2575-server-tags-subscription-id": noSubscription,
    },
  },
];

/** One thing a scenario looked at. */
interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly errorMessage?: string;
}

/** How many run at once: each is a process that mostly starts. */
const concurrency = 3;

describeOnce("the protocol's official conformance suite", (openFresh) => {
  let app: TestApp;
  const folder = mkdtempSync(join(tmpdir(), "ids-mcp-"));
  beforeAll(async () => {
    app = await startApp(await openFresh());
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  describe.each(editions)("of revision $revision", (edition) => {
    test("finds only what is decided about", { timeout: 60_000 }, async () => {
      const taken = (await scenariosOf(edition)).filter((name) => !(name in left || name in edition.left));
      const found = new Map<string, readonly Check[]>();
      const queue = [...taken];
      const worker = async () => {
        for (let name = queue.shift(); name !== undefined; name = queue.shift())
          found.set(name, await checksOf(edition, name, app.url, folder));
      };
      await Promise.all(Array.from({ length: concurrency }, worker));

      const failed = [...found.values()].flat().filter(({ status }) => status === "FAILURE");
      const reported = failed.map(({ id, errorMessage }) => (id in edition.failing ? id : `${id}: ${errorMessage}`));
      expect(new Set(reported)).toEqual(new Set(Object.keys(edition.failing)));
      // Where nothing was looked at nothing is shown.
      const idle = taken.filter((name) => !found.get(name)?.some(({ status }) => status === "SUCCESS"));
      expect(idle).toEqual([]);
      expect(taken.length).toBeGreaterThan(5);
    });
  });

  test("still has every scenario that is left out", async () => {
    const known = new Set((await Promise.all(editions.map(scenariosOf))).flat());
    const named = [left, ...editions.map((edition) => edition.left)].flatMap(Object.keys);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});

/** The scenarios that the package itself lists for the revision. */
async function scenariosOf({ revision }: Edition): Promise<string[]> {
  const { stdout } = await run(process.execPath, [program, "list", "--server"]);
  const lines = [...stdout.matchAll(/^ +- (\S+) \[(.*)\]$/gm)];
  return lines.flatMap(([, name = "", revisions = ""]) => (revisions.split(",").includes(revision) ? [name] : []));
}

async function checksOf(
  { revision }: Edition,
  scenario: string,
  url: string,
  folder: string,
): Promise<readonly Check[]> {
  const output = join(folder, revision, scenario);
  const given = ["server", "--url", `${url}/mcp`, "--scenario", scenario, "--spec-version", revision, "-o", output];
  // A failed check is an exit code too; what it found is read from its file.
  await run(process.execPath, [program, ...given]).catch(() => undefined);
  const files = readdirSync(output, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".json"));
  return files.flatMap((name) => JSON.parse(readFileSync(join(output, name), "utf8")) as Check[]);
}
