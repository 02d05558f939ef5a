import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
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

/** Returns the anchors of a page's headings, as GitHub writes them. */
function anchorsOf(page: string): string[] {
  const text = readFileSync(page, "utf8").replaceAll(/^```.*?^```$/gms, "");
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

test("every link between pages leads to a file and a heading that exist", () => {
  const pages = globSync(["*.md", "docs/*.md", "sdk/*/README.md", "examples/*.md", "deploy/*.md"], { cwd: root });
  const links = pages.flatMap((page) => {
    const text = readFileSync(join(root, page), "utf8").replaceAll(/^```.*?^```$/gms, "");
    return [...text.matchAll(/\]\((?!\w+:|\/)([^)#]*)(?:#([^)]+))?\)/g)].map(([, path = "", anchor]) => {
      const target = path === "" ? join(root, page) : join(root, dirname(page), path);
      return { link: `${page}: ${path}#${anchor ?? ""}`, target, anchor };
    });
  });
  expect(links.length).toBeGreaterThan(100);
  const broken = links.filter(
    ({ target, anchor }) =>
      !existsSync(target) || (anchor !== undefined && target.endsWith(".md") && !anchorsOf(target).includes(anchor)),
  );
  expect(broken.map(({ link }) => link)).toEqual([]);
});
