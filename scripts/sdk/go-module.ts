import { readFileSync } from "node:fs";
import { filesBelow, zipOf } from "./archive.ts";

/**
 * Returns the Go client as the files of a module proxy, by their paths. The module is the checkout's, without its tools
 * and tests.
 */
export async function goModule(root: string, version: string): Promise<Map<string, Buffer | string>> {
  const text = readFileSync(`${root}/go.mod`, "utf8");
  const [, module = ""] = /^module (\S+)$/m.exec(text) ?? [];
  const manifest = text.replace(/^(?:ignore|tool) \([^)]*\)\n+/gm, "").trimEnd();
  const files = filesBelow(root, ["gen/go/**/*.go", "sdk/go/*.go", "sdk/go/README.md"], ["**/*_test.go"]);
  const prefix = `${module}@v${version}/`;
  const zip = await zipOf([
    { name: `${prefix}go.mod`, content: Buffer.from(`${manifest}\n`) },
    ...files.map(({ name, content }) => ({ name: prefix + name, content })),
  ]);
  const info = JSON.stringify({ Version: `v${version}` });
  const folder = `go/${module}/@v`;
  return new Map<string, Buffer | string>([
    [`${folder}/list`, `v${version}\n`],
    [`${folder}/v${version}.info`, info],
    [`${folder}/v${version}.mod`, `${manifest}\n`],
    [`${folder}/v${version}.zip`, zip],
  ]);
}
