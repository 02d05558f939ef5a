import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { freshFolder } from "./terminal.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** `bin/ids` of a checkout without packages, before a `node` that prints this version. */
function idsWith(version: string) {
  const folder = freshFolder();
  for (const path of ["bin/ids", "package.json"]) cpSync(join(root, path), join(folder, path));
  mkdirSync(join(folder, "path"));
  const node = join(folder, "path", "node");
  writeFileSync(node, `#!/bin/sh\n${version === "" ? "exit 127" : `echo ${version}`}\n`);
  chmodSync(node, 0o755);
  const env = { PATH: `${join(folder, "path")}:/usr/bin:/bin` };
  const { stdout, stderr, status } = spawnSync(join(folder, "bin", "ids"), ["--version"], { env, encoding: "utf8" });
  return { stdout, stderr, status };
}

test.each([
  ["v18.20.4", /^ids: Node\.js 24 or newer is required, and this is v18\.20\.4: run `make setup` .*\n$/],
  ["", /^ids: Node\.js 24 or newer is required, and none is found: run `make setup` .*\n$/],
  ["v24.0.0", /^ids: the packages are not installed: run `make setup` .*\n$/],
])("with Node.js %s and no packages bin/ids says what to do", (version, words) => {
  expect(idsWith(version)).toEqual({ stdout: "", stderr: expect.stringMatching(words), status: 1 });
});
