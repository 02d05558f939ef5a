import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";
import { join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { UserConsoleLog } from "vitest";
import type { Reporter, TestCase, TestModule } from "vitest/node";
import { root } from "./servers/go.ts";

const folder = join(root, "coverage");
const page = join(folder, "proof.md");
const opening = `# Proof

Results of the long fault and load tests: \`make proof\` writes this page, and a run of one file replaces its part.
`;
/** The metrics of a test come first, and lists of the slowest cases can be long. */
const maxLines = 30;

/** Writes what the tests print into the page, a part for each file. */
export default class ProofReport implements Reporter {
  readonly #printed = new Map<string, string[]>();
  readonly #load = loadavg()[0] ?? 0;

  onUserConsoleLog({ taskId, content, type }: UserConsoleLog): void {
    if (taskId === undefined || type === "stderr") return;
    const lines = this.#printed.get(taskId) ?? [];
    this.#printed.set(taskId, [...lines, ...stripVTControlCharacters(content).trimEnd().split("\n")]);
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const parts = existsSync(page) ? partsOf(readFileSync(page, "utf8")) : new Map<string, string>();
    for (const module of modules) {
      const tests = [...module.children.allTests()].filter((test) => test.result().state !== "pending");
      const name = relative(root, module.moduleId);
      if (tests.length > 0)
        parts.set(name, [this.#heading(name), ...tests.map((test) => this.#reported(test))].join("\n"));
    }
    const sorted = [...parts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, part]) => part);
    mkdirSync(folder, { recursive: true });
    writeFileSync(page, `${[opening.trimEnd(), ...sorted].join("\n\n")}\n`);
  }

  #heading(name: string): string {
    const git = (...words: string[]) => execFileSync("git", ["-C", root, ...words], { encoding: "utf8" }).trim();
    const changed = git("status", "--porcelain", "--", "src", "proto", "test", "sdk") === "" ? "" : " with changes";
    const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB`;
    const when = new Date().toISOString().slice(0, 16).replace("T", " ");
    const what = `commit ${git("rev-parse", "--short=10", "HEAD")}${changed}; ${machine}; Node ${process.version}`;
    return `## ${name}\n\n${when} UTC; ${what}; load ${this.#load.toFixed(1)} before the run.\n`;
  }

  #reported(test: TestCase): string {
    const { state } = test.result();
    const seconds = ((test.diagnostic()?.duration ?? 0) / 1_000).toFixed(1);
    const outcome = state === "skipped" ? "not run" : `${state}, ${seconds} s`;
    const lines = this.#printed.get(test.id) ?? [];
    const left = lines.length > maxLines ? [`… and ${lines.length - maxLines} lines more`] : [];
    const block = [...lines.slice(0, maxLines), ...left].map((line) => `  ${line}`.trimEnd());
    const head = `- **${outcome}**: ${test.fullName}`;
    return block.length === 0 ? head : [head, "", "  ```text", ...block, "  ```", ""].join("\n");
  }
}

/** The parts of a page, by the file that each is of. */
function partsOf(text: string): Map<string, string> {
  return new Map(
    text
      .split(/^(?=## )/m)
      .slice(1)
      .map((part) => [/^## (.*)$/m.exec(part)?.[1] ?? "", part.trimEnd()]),
  );
}
