import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { load } from "cheerio";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { guidePath } from "../../../src/pages/guides/guide.ts";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";

const folder = fileURLToPath(new URL("../../../docs/", import.meta.url));
const files = globSync("**/*.md", { cwd: folder });

describe("the guides of the running service", () => {
  let database: Database;
  let app: TestApp;
  beforeAll(async () => {
    database = await openOnce();
    app = await startApp(database, { environment: { IDS_TRUSTED_PROXIES: "127.0.0.0/8" } });
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    await database.close();
  });

  let requests = 0;
  // An address may request 600 pages a minute, so that the requests come from several.
  const get = (path: string) => {
    requests += 1;
    return app.get(path, { headers: { "X-Forwarded-For": `203.0.113.${Math.ceil(requests / 100)}` } });
  };
  const pageAt = async (path: string) => {
    const response = await get(path);
    return { status: response.status, $: load(await response.text()) };
  };

  test("a guide is also found without the folder in its address, as a page and as Markdown", async () => {
    for (const [path, text] of [
      ["/docs/parameters", "<h1"],
      ["/docs/parameters.md", "# Parameters"],
    ]) {
      const response = await get(path ?? "");
      expect([new URL(response.url).pathname, response.status]).toEqual([path?.replace("/docs", "/docs/guides"), 200]);
      expect(await response.text()).toContain(text);
    }
    expect((await get("/docs/no-such-guide")).status).toBe(404);
  });

  test("each page of docs is shown with its title, and its source can be read as Markdown", async () => {
    expect(files.length).toBeGreaterThan(70);
    for (const file of files) {
      const source = readFileSync(folder + file, "utf8");
      const title = /^# (.*)$/m.exec(source)?.[1]?.replaceAll("`", "");
      const { status, $ } = await pageAt(guidePath(file));
      expect([file, status, $("h1").text()]).toEqual([file, 200, title]);
      for (const label of $("figure.code figcaption").toArray()) expect($(label).text(), file).toMatch(/^\w+$/);
      const markdown = await get(`${guidePath(file)}.md`);
      expect(markdown.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
      const served = source.replaceAll("http://127.0.0.1:8080", app.url);
      expect(await markdown.text()).toBe(served);
    }
  });

  test("the page of clients and the guides lead to the instructions of each client", async () => {
    const clients = await pageAt("/clients");
    for (const [language, title] of [
      ["typescript", "TypeScript"],
      ["python", "Python"],
      ["go", "Go"],
      ["r", "R"],
    ]) {
      const path = `/docs/guides/clients/${language}`;
      const { status, $ } = await pageAt(path);
      expect([status, $("h1").text()]).toEqual([200, `${title} client of the Intelligence Data Service`]);
      expect((await pageAt("/docs/guides/clients")).$(`article a[href="${path}"]`)).toHaveLength(1);
      if (clients.$(`a[href*="/clients/"]:contains("Archive")`).length > 3)
        expect(clients.$(`main a[href="${path}"]`)).toHaveLength(1);
    }
    expect((await pageAt("/docs/guides/webhooks")).$('article a[href$="/typescript#webhooks"]')).toHaveLength(1);
  });

  test("a page, its Markdown, and search results have the address of the service instead of the example", async () => {
    const [page, search] = [await pageAt("/docs/guides/quickstart-curl"), await pageAt("/docs/search?q=port address")];
    const markdown = await (await get("/docs/guides/quickstart-curl.md")).text();
    expect(search.$(".hits").text()).toContain(app.url);
    for (const text of [page.$("article").text(), markdown]) expect(text).toContain(`${app.url}/api/conflict`);
    for (const text of [page.$("article").text(), markdown, search.$(".hits").text()])
      expect(text).not.toContain("127.0.0.1:8080");
    const { $ } = await pageAt("/docs/guides/proxies");
    expect($("article").text()).toContain("server 127.0.0.1:8080;");
  });

  test("each link between guides leads to a page and a heading, and each picture exists", async () => {
    const targets = new Map<string, Promise<{ status: number; anchors: Set<string> }>>();
    const read = async (path: string) => {
      const response = await get(path);
      const isPage = response.headers.get("content-type")?.startsWith("text/html");
      const $ = load(isPage ? await response.text() : "");
      return {
        status: response.status,
        anchors: new Set(
          $("[id]")
            .map((_, each) => $(each).attr("id"))
            .get(),
        ),
      };
    };
    const broken: string[] = [];
    for (const file of files) {
      const { $ } = await pageAt(guidePath(file));
      const links = $("article :is(a, img)")
        .map((_, each) => $(each).attr("href") ?? $(each).attr("src"))
        .get();
      for (const link of links.filter((each) => /^[/#]/.test(each))) {
        const [path, anchor] = new URL(link, `http://localhost${guidePath(file)}`).href.slice(16).split("#");
        if (!targets.has(path ?? "")) targets.set(path ?? "", read(path ?? ""));
        const target = await targets.get(path ?? "");
        if (target?.status !== 200 || (anchor !== undefined && !target.anchors.has(anchor)))
          broken.push(`${file}: ${link}`);
      }
    }
    expect(targets.size).toBeGreaterThan(80);
    expect(broken).toEqual([]);
  });

  test.each([
    ["restore backup", "/docs/guides/backup#restore"],
    ["429", "/docs/guides/rate-limits"],
    ["qgis", "/docs/guides/data-tools"],
    ["cite a response", "/docs/guides/history#cite-a-response"],
    ["webook signature", "/docs/guides/payloads#check-the-signature"],
    ["eu gas storage", "/docs/get-eu-gas-storage"],
    ["gas storage germany", "/docs/guides/datasets/eu-gas-storage#series"],
    ["GetEuGasStorage", "/docs/get-eu-gas-storage"],
    ["current internet outages", "/docs/guides/datasets/internet-outages"],
    ["how do I get a key", "/docs/guides/keys-and-plans"],
    ["verify a webhook signature", "/docs/guides/payloads#check-the-signature"],
    ["public tenders closing soon", "/docs/guides/datasets/global-tenders"],
    ["embed a chart on my website", "/docs/guides/console#embed-a-block"],
    ["stream changes with javascript", "/docs/guides/changes"],
    ["which license do the data have", "/docs/guides/sources"],
    ["why is the list empty", "/docs/guides/faq#data"],
    ["how old is the data", "/docs/guides/faq#data"],
    ["CORS", "/docs/guides/keys-and-plans#use-it-in-a-web-page"],
    ["connect curl", "/docs/guides/parameters#connect-and-grpc"],
    ["only two fields", "/docs/guides/parameters#select-fields-with-an-expression"],
  ])("a search for “%s” finds %s among the first five", async (text, expected) => {
    const { $ } = await pageAt(`/docs/search?q=${encodeURIComponent(text)}`);
    const first = $(".hits a")
      .slice(0, 5)
      .map((_, each) => $(each).attr("href"))
      .get();
    expect(first.some((path) => path === expected || path.startsWith(`${expected}#`))).toBe(true);
  });

  test("a search without a result says so and names the index", async () => {
    const { status, $ } = await pageAt("/docs/search?q=zzzqx");
    expect([status, $(".hits").length, $("article a").first().attr("href")]).toEqual([200, 0, "/docs/guides"]);
    expect($("article").text()).toContain("No page contains “zzzqx”.");
  });

  test("a searched text is shown as text, whatever it contains", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme", maxLength: 300 }), async (text) => {
        const { status, $ } = await pageAt(`/docs/search?q=${encodeURIComponent(`<b>${text}`)}`);
        expect([status, $("article b, article script").length]).toEqual([200, 0]);
      }),
      { numRuns: 50 },
    );
  });
});
