import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

/** The folders of compiled code that a command leaves behind: one for each set of flags. */
function foldersOf(command: string, args: readonly string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), "ids-compiled-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  execFileSync(command, args, { env: { ...process.env, NODE_COMPILE_CACHE: folder }, stdio: "ignore" });
  return readdirSync(folder);
}

test("what setup compiles is compiled under the flags that the program runs with", () => {
  const requested = ["--no-print-directory", "--eval", "flags: ; @echo $(NODE_FLAGS)", "flags"];
  const flags = execFileSync("make", requested, { encoding: "utf8", env: { ...process.env, MAKEFLAGS: "" } });
  const program = ["src/main.ts", "--version"];
  const ofSetup = foldersOf("node", [...flags.trim().split(" "), ...program]);
  expect(ofSetup).toEqual(foldersOf("bin/ids", ["--version"]));
  expect(ofSetup).not.toEqual(foldersOf("node", program));
});
