import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { catalog, kebab } from "../../src/contract/catalog.ts";
import { ids } from "./terminal.ts";

/** Returns the words that bash offers for the last of the words. */
async function offered(...words: readonly string[]): Promise<string[]> {
  const { out } = await ids({}, "completion", "bash");
  const script = `${out}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _ids; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync("bash", ["-c", script, "bash", "ids", ...words], { encoding: "utf8" });
  expect(stderr).toBe("");
  return stdout.split("\n").filter((word) => word !== "");
}

test("bash completes commands, subcommands, operations, and options", async () => {
  expect(await offered("ge")).toEqual(["get"]);
  expect(await offered("keys", "cr")).toEqual(["create"]);
  expect(await offered("get", "list-conflict-e")).toEqual(["list-conflict-events"]);
  expect(await offered("get", "list-conflict-events", "--country", "SD", "--min-")).toEqual(["--min-fatalities"]);
  expect(await offered("call", "create-api")).toEqual(["create-api-key"]);
  expect(await offered("get", "nothing-of-this-name", "--min-")).toEqual([]);
});

test("get and call together offer every operation once", async () => {
  const words = [...(await offered("get", "")), ...(await offered("call", ""))].filter((word) => word !== "--help");
  const operations = catalog.map(({ method }) => kebab(method.name));
  expect(new Set(words)).toEqual(new Set(operations));
  expect(words.length).toBe(operations.length);
});

const isInstalled = (shell: string) => spawnSync(shell, ["-c", ":"]).status === 0;

test.skipIf(!isInstalled("fish"))("fish completes the same words", async () => {
  const { out } = await ids({}, "completion", "fish");
  const script = `${out}\ncomplete -C "ids get list-conflict-e"; complete -C "ids get list-conflict-events --country SD --min-"`;
  const { stdout } = spawnSync("fish", ["-c", script], { encoding: "utf8" });
  expect(stdout.trim().split("\n")).toEqual(["list-conflict-events", "--min-fatalities"]);
});

test.skipIf(!isInstalled("zsh"))("zsh accepts its script", async () => {
  const { out } = await ids({}, "completion", "zsh");
  const { stdout } = spawnSync("zsh", ["-c", `${out}\ntype _ids`], { encoding: "utf8" });
  expect(stdout.trim()).toMatch(/^_ids is a shell function/);
});

test("an unknown shell is a wrong command line that names the known ones", async () => {
  expect(await ids({}, "completion", "tcsh")).toEqual({
    out: "",
    err: "ids: completion knows bash, zsh, and fish, not tcsh\n",
    status: 2,
  });
});
