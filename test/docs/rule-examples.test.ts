import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { startApp } from "../support/app.ts";
import { alertCalls } from "../support/domains/alerts.ts";
import { openLoaded } from "../support/loaded.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const reference = ["create-rule", "update-rule", "preview-rule"].map((name) => `/docs/${name}.md`);

/** The triggers of all requests that a page sends with `--json '…'`. */
function triggersOf(text: string): object[] {
  return [...text.matchAll(/--json '(\{[^']*"trigger":[^']*\})'/g)].map(([, body = ""]) => JSON.parse(body).trigger);
}

test("every example rule of the documentation is accepted over the samples, and its preview as well", async () => {
  const database = await openLoaded();
  onTestFinished(database.close);
  await using app = await startApp(database);
  const { call } = alertCalls(app, await app.key("enterprise"));
  const files = globSync(["README.md", "docs/*.md", "examples/**/*.md", "sdk/*/README.md"], { cwd: root });
  const pages = new Map(files.map((file) => [file, readFileSync(`${root}${file}`, "utf8")]));
  for (const path of reference) pages.set(path, await (await app.get(path, { key: null })).text());
  const examples = [...pages].flatMap(([page, text]) => triggersOf(text).map((trigger) => ({ page, trigger })));
  for (const page of ["docs/alerts.md", ...reference])
    expect(
      examples.some((example) => example.page === page),
      page,
    ).toBe(true);
  for (const { page, trigger } of examples) {
    const { status, body } = await call("create-rule", { name: "example", trigger });
    expect([status, body], page).toEqual([201, expect.objectContaining({ unknownKeys: [] })]);
    expect((await call("preview-rule", { trigger })).status, page).toBe(200);
  }
}, 120_000);
