import { existsSync, globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
/** Files that CONTRIBUTING invents as examples. */
const invented = /power-cuts|tide-gauge|connectivity/;

test.each(["docs/architecture.md", "docs/reasons.md", "CONTRIBUTING.md"])("%s names only paths that exist", (page) => {
  const text = readFileSync(`${root}${page}`, "utf8");
  const named = [...text.matchAll(/`((?:src|test|scripts|docs|bench|gen|proto)\/[\w./*-]*)`/g)].map(
    ([, path = ""]) => path,
  );
  expect(named.length).toBeGreaterThan(5);
  const missing = named.filter(
    (path) => !invented.test(path) && !existsSync(root + path) && globSync(path, { cwd: root }).length === 0,
  );
  expect(missing).toEqual([]);
});
