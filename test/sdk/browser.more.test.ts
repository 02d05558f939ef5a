import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../src/store/database.ts";
import { openEmbedded } from "../http/embedded-database.ts";
import { minutesOn } from "../support/accounts.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { type BuiltPackage, buildPackage } from "./built-package.ts";

const example = fileURLToPath(new URL("../../examples/browser", import.meta.url));
const tsc = fileURLToPath(new URL("../../node_modules/.bin/tsc", import.meta.url));
const program = ["chromium", "chromium-browser", "google-chrome"]
  .map((name) => spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim())
  .find((path) => path !== "");
if (!program) console.warn("No chromium on this machine: THE BROWSER TEST IS SKIPPED");

test("the example page is well typed", () => {
  expect(execFileSync(tsc, ["--noEmit", "-p", example], { encoding: "utf8" })).toBe("");
});

describe.skipIf(!program)("a page of another origin, in a real browser", () => {
  let built: BuiltPackage;
  let database: Database;
  let app: TestApp;
  let pages: Server;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    built = await buildPackage();
    database = await openEmbedded();
    app = await startApp(database);
    await app.refresh("internet-outages");
    pages = await servePage(built.folder);
    browser = await chromium.launch({ executablePath: program ?? "", args: ["--no-sandbox"] });
    page = await browser.newPage();
    await page.goto(`http://localhost:${(pages.address() as AddressInfo).port}/`);
  });
  afterAll(async () => {
    await browser.close();
    await new Promise((resolve) => pages.close(resolve));
    await app[Symbol.asyncDispose]();
    await database.close();
    built[Symbol.dispose]();
  });

  /** Fills in the form, and waits for what the page says. */
  async function read(key: string): Promise<string> {
    await page.fill("[name=service]", app.url);
    await page.fill("[name=key]", key);
    await page.evaluate(`document.querySelector("[role=status]").textContent = ""`);
    await page.click("button");
    await page.waitForFunction(`document.querySelector("[role=status]").textContent !== ""`);
    return (await page.textContent("[role=status]")) ?? "";
  }

  test("it reads outages with the Connect client", async () => {
    const { outages } = await app.json<{ outages: { title: string }[] }>(
      "/api/infrastructure/v1/list-internet-outages",
    );
    expect(await read(await app.key("free"))).toBe(`${outages.length} outages`);
    expect(await page.locator("li").allTextContents()).toEqual(outages.map(({ title }) => title));
  });

  test.each([
    ["traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"],
    ["If-Modified-Since", "Sat, 01 Nov 2025 00:00:00 GMT"],
    ["tracestate", "vendor=1"],
    ["baggage", "user=1"],
    ["X-Requested-With", "XMLHttpRequest"],
    ["Cache-Control", "no-cache"],
    ["Range", "bytes=0-"],
    ["Authorization", "Bearer none"],
    ["X-Any-Library", "1"],
  ])("a request to which a library of the page adds %s is served", async (name, value) => {
    const address = `${app.url}/api/infrastructure/v1/list-internet-outages`;
    const headers = { "X-Service-Key": await app.key("free"), [name]: value };
    const isServed = page.evaluate(([url, sent]) => fetch(url, { headers: sent }).then((response) => response.ok), [
      address,
      headers,
    ] as const);
    expect(await isServed).toBe(true);
  });

  test("without a key it shows a typed 401 with its request id", async () => {
    expect(await read("")).toMatch(
      /^UnauthorizedError \(401\): API key required\. Enter a key\. Request [0-9a-f-]{36}$/,
    );
  });

  test("it reads from the headers when to come back after a limit, and does", async () => {
    const key = await app.key("free");
    for (let call = 0; call < 30; call++) await app.get("/api/infrastructure/v1/get-ip-geo", { key });
    const address = page.url();
    page = await browser.newPage();
    await page.clock.install();
    await page.goto(address);
    const limited = page.waitForResponse((response) => response.status() === 429);
    const reported = read(key);
    await limited;
    app.setTime(minutesOn(1));
    // The page's own time, in steps short enough that no request is over time.
    while ((await page.textContent("[role=status]")) === "") await page.clock.runFor(1_000);
    expect(await reported).toMatch(/^[1-9]\d* outages$/);
  });
});

/** The page and its script, bundled against the installed package, from an origin of their own. */
async function servePage(folder: string): Promise<Server> {
  copyFileSync(join(example, "page.ts"), join(folder, "page.ts"));
  const { outputFiles } = await build({
    entryPoints: [join(folder, "page.ts")],
    absWorkingDir: folder,
    bundle: true,
    format: "esm",
    write: false,
    // Linked packages are resolved from the place of the link, as in an installed project.
    preserveSymlinks: true,
  });
  const script = outputFiles[0]?.text ?? "";
  const html = readFileSync(join(example, "index.html"));
  const server = createServer(({ url }, response) => {
    if (url === "/page.js") response.setHeader("Content-Type", "text/javascript").end(script);
    else response.setHeader("Content-Type", "text/html").end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  return server;
}
