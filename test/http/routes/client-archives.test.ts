import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { load } from "cheerio";
import { afterAll, beforeAll, expect, test } from "vitest";
import { goModule } from "../../../scripts/sdk/go-module.ts";
import { pythonWheel } from "../../../scripts/sdk/python-wheel.ts";
import { rPackage } from "../../../scripts/sdk/r-package.ts";
import { clientPackages } from "../../../src/pages/clients.ts";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";

const textOf = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
const { version } = JSON.parse(textOf("package.json"));
const clients = clientPackages(version);

let database: Database;
let app: TestApp;
const empty = mkdtempSync(join(tmpdir(), "ids-clients-"));
beforeAll(async () => {
  database = await openOnce();
  app = await startApp(database);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
  rmSync(empty, { recursive: true });
});

const get = (path: string, headers = {}) => app.get(path, { key: null, headers });
const archivesOn = (page: string) =>
  load(page)("main a[href^='/clients/']")
    .toArray()
    .map((link) => load(page)(link).attr("href") ?? "");

test("the page names every client with one line, and each archive has the digest that the page shows", async () => {
  const page = await (await get("/clients")).text();
  expect(archivesOn(page)).toEqual(clients.map(({ archive }) => `/clients/${archive}`));
  const $ = load(page);
  for (const { language, archive, type, install } of clients) {
    expect($(`pre[aria-label="Installation for ${language}"]`).text()).toBe(install(app.url));
    const response = await get(`/clients/${archive}`, { "Accept-Encoding": "identity" });
    expect([response.status, response.headers.get("Content-Type")], archive).toEqual([200, type]);
    expect(response.headers.get("Cache-Control")).toBe("public, max-age=300");
    const digest = createHash("sha256").update(Buffer.from(await response.arrayBuffer()));
    const hex = digest.copy().digest("hex");
    expect($(`p:has(a[href="/clients/${archive}"]) code`).text()).toBe(hex);
    expect(response.headers.get("Repr-Digest")).toBe(`sha-256=:${digest.digest("base64")}:`);
    const part = await get(`/clients/${archive}`, { Range: "bytes=0-9" });
    expect([part.status, part.headers.get("Content-Length")]).toEqual([206, "10"]);
  }
});

test("the archives have the names and versions of the clients, and the same contents are the same bytes", async () => {
  const bytes = async (path: string) => Buffer.from(await (await get(`/clients/${path}`)).arrayBuffer());
  const project = textOf("sdk/python/pyproject.toml");
  expect(project).toContain(`version = "${version}"`);
  expect(JSON.parse(textOf("sdk/typescript/package.json")).version).toBe(version);
  const wheel = clients.find(({ language }) => language === "Python")?.archive ?? "";
  expect((await bytes(wheel)).equals(await pythonWheel("sdk/python"))).toBe(true);
  expect(textOf("sdk/r/DESCRIPTION")).toContain(`Version: ${version}\n`);
  const r = clients.find(({ language }) => language === "R")?.archive ?? "";
  expect((await bytes(r)).equals(await rPackage("sdk/r"))).toBe(true);
  for (const [path, content] of await goModule(".", version)) {
    const served = await bytes(path);
    expect(served.equals(Buffer.from(content)), path).toBe(true);
    if (path.endsWith(".mod")) expect(`${served}`).not.toMatch(/tool|ignore/);
  }
});

test("the documentation shows the lines with the address at which it was requested", async () => {
  const page = await (await get("/docs.md")).text();
  for (const { install } of clients) expect(page).toContain(`\n${install(app.url)}\n`);
});

test("a service without archives says what its operator runs, and names no archive", async () => {
  const options = { clientsFolder: pathToFileURL(`${empty}/`) };
  await using bare = await startApp(database, options);
  const text = async (path: string) => (await bare.get(path, { key: null })).text();
  const page = await text("/clients");
  expect(archivesOn(page)).toEqual([]);
  expect(page.match(/make setup/g)).toHaveLength(clients.length);
  for (const { archive, install } of clients) {
    const response = await bare.get(`/clients/${archive}`, { key: null });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ message: expect.stringContaining("`make setup`") });
    expect(await text("/docs.md")).not.toContain(install(bare.url));
  }
});
