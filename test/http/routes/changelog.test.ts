import { afterAll, beforeAll, expect, test } from "vitest";
import { catalog } from "../../../src/contract/catalog.ts";
import { readReleases } from "../../../src/pages/changelog/releases.ts";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";

let database: Database;
let app: TestApp;
beforeAll(async () => {
  database = await openOnce();
  app = await startApp(database);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

const aliases = catalog.flatMap((operation) => operation.aliases);

test("the changelog lists each release and, with its date, each deprecation", async () => {
  const page = await (await app.get("/changelog", { key: null })).text();
  expect(page).toContain('<h2 id="1.0.0">1.0.0</h2>');
  expect(aliases.length).toBeGreaterThan(0);
  for (const alias of aliases) expect(page).toMatch(new RegExp(`<code>${alias}</code>.* since 2026-11-20`));
});

test("a release has its day and its changes; a heading without a day is refused", () => {
  const text =
    "# Changelog\n\n## 1.1.0 (unreleased, 2026-12-01)\n\n### Added\n\n- One\n  thing.\n\n### Removed\n\n- `Two`.\n\n## 1.0.0 (2026-11-20)\n\n- All.\n";
  expect(readReleases(text)).toEqual([
    { version: "1.1.0", day: "2026-12-01", isOut: false, changes: ["One thing.", "`Two`."] },
    { version: "1.0.0", day: "2026-11-20", isOut: true, changes: ["All."] },
  ]);
  expect(() => readReleases("# Changelog\n\n## 1.0.0\n\n- All.\n")).toThrow("a version with a day");
});
