import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startApp, type TestApp, testTime } from "../../../support/app.ts";
import { describeEachDatabase } from "../../../support/databases.ts";
import type { Enrichment } from "../../../support/domains/enrichment.ts";

const path = "/api/intelligence/v1/get-company-enrichment";
const hourMs = 3_600_000;

const nothing = {
  company: {
    ...{ name: "", domain: "", description: "", location: "", website: "", founded: 0, cik: "", ticker: "" },
  },
  ...{ techStack: [], hackerNewsMentions: [], earningsSurprises: [], newsMentions: [], sources: [] },
};

describeEachDatabase("GetCompanyEnrichment", (openFresh) => {
  let app: TestApp;
  let now = testTime.getTime();
  beforeAll(async () => {
    app = await startApp(await openFresh());
  });
  afterAll(() => app[Symbol.asyncDispose]());
  let key: string;
  // 30 calls a minute are allowed to an account.
  beforeEach(async () => {
    now += 60_000;
    app.setTime(new Date(now));
    key = await app.key("enterprise");
  });

  const get = (query: string) => app.get(`${path}?${query}`, { key });
  const sendRequest = async (query: string) => (await (await get(query)).json()) as Enrichment;

  test("before the register was read the answer is unavailable, and not that there is no such company", async () => {
    for (const query of ["ticker=fjlv", "name=Fjellvik+Corp"]) {
      const response = await get(query);
      expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
      expect(response.headers.get("x-data-origin")).toBe("sample");
      expect(await response.json()).toMatchObject({ unavailable: true, enrichedAtMs: now, sources: [] });
    }
  });

  test("a company of the sample has data of all four sources, labeled as a sample", async () => {
    for (const dataset of ["sec-tickers", "company-news"] as const) await app.refresh(dataset);
    const response = await get("ticker=fjlv");
    expect(response.headers.get("x-data-origin")).toBe("sample");
    expect(response.headers.get("cache-control")).toMatch(/^private, max-age=/);
    const body = (await response.json()) as Enrichment;
    expect(body.company).toEqual({
      ...{
        name: "FJELLVIK CORP",
        domain: "fjellvik.example",
        description: "Services-Prepackaged Software",
        founded: 0,
      },
      ...{ location: "Duluth, MN", website: "https://www.fjellvik.example/", cik: "9990000100", ticker: "FJLV" },
    });
    expect(body.sources).toEqual(["sec_edgar", "finnhub", "news", "hacker_news"]);
    expect([body.unavailable, body.techStack, body.enrichedAtMs]).toEqual([false, [], now]);
    const { secFilings, market, earningsSurprises, newsMentions, hackerNewsMentions } = body;
    expect(secFilings?.totalFilings).toBeGreaterThan(30);
    expect(secFilings?.recentFilings.length).toBeGreaterThan(4);
    for (const { form, description, items, url } of secFilings?.recentFilings ?? []) {
      expect(description === "").toBe(!form.startsWith("8-K"));
      expect(items.length > 0).toBe(form.startsWith("8-K"));
      expect(url).toMatch(/^https:\/\/example\.org\/Archives\/edgar\/data\/9990000100\/\d{18}\/[\d-]{20}-index\.htm$/);
    }
    expect(market).toMatchObject({ country: "US", currency: "USD", ipoDate: "2003-05-21" });
    expect(market?.marketCapMusd).toBeGreaterThan(0);
    const periods = earningsSurprises.map(({ period }) => period);
    expect(periods.length).toBeGreaterThan(3);
    expect(periods).toEqual([...periods].sort((a, b) => b.localeCompare(a)));
    for (const { mentions, at } of [
      { mentions: newsMentions, at: newsMentions.map(({ publishedAtMs }) => publishedAtMs) },
      { mentions: hackerNewsMentions, at: hackerNewsMentions.map(({ createdAtMs }) => createdAtMs) },
    ]) {
      expect(mentions.length).toBeGreaterThan(1);
      expect(mentions.length).toBeLessThanOrEqual(5);
      expect(at).toEqual([...at].sort((a, b) => b - a));
    }
    for (const { title } of hackerNewsMentions) expect(title).toMatch(/fjellvik/i);
  });

  test("ticker in either case, class of shares with a point or a hyphen, and name lead to the same company", async () => {
    const wexmoor = await sendRequest("ticker=WXM-B");
    expect(wexmoor.company).toMatchObject({ cik: "9990000106", ticker: "WXM-B", domain: "wexmoor.example" });
    for (const query of ["ticker=wxm.b", "ticker=%20Wxm-b%20"]) expect(await sendRequest(query)).toEqual(wexmoor);
    expect((await sendRequest("name=wexmoor%20%20HALLORAN+inc")).company).toEqual(wexmoor.company);
    expect((await sendRequest("ticker=LXDB")).company).toMatchObject({ cik: "9990000103", ticker: "LXDB" });
    expect((await sendRequest("name=Lexidion+Inc.")).company).toMatchObject({ cik: "9990000103", ticker: "LXDA" });
  });

  test("a ticker takes precedence over a name, even an unknown one", async () => {
    expect((await sendRequest("ticker=QLLN&name=Fjellvik+Corp")).company.ticker).toBe("QLLN");
    expect((await sendRequest("ticker=ZZZZ&name=Fjellvik+Corp")).company).toMatchObject({ cik: "", ticker: "ZZZZ" });
  });

  test.each([
    ["ticker=ZZZZ", { ticker: "ZZZZ" }],
    ["ticker=%24fjlv", { ticker: "$FJLV" }],
    ["ticker=ABCDEFGHIJKL", { ticker: "ABCDEFGHIJKL" }],
    ["ticker=1A", { ticker: "1A" }],
    ["name=Fjellvik", { name: "Fjellvik" }],
    ["name=Unknown+%26+Sons", { name: "Unknown & Sons" }],
    ["name=9990000100", { name: "9990000100" }],
  ])("%s finds no company, and the response may be cached", async (query, company) => {
    const response = await get(query);
    expect(response.headers.get("cache-control")).toMatch(/max-age/);
    expect(await response.json()).toEqual({
      ...{ ...nothing, company: { ...nothing.company, ...company } },
      ...{ unavailable: false, enrichedAtMs: now },
    });
  });

  test("a domain gets the stub and a deprecation notice, with or without a name, and has no effect with a ticker", async () => {
    const response = await get("domain=Example.COM&name=Fjellvik+Corp");
    expect(response.headers.get("deprecation")).toMatch(/^@\d+$/);
    expect(response.headers.get("link")).toContain('rel="successor-version"');
    expect(await response.json()).toEqual({
      ...nothing,
      company: { ...nothing.company, name: "Fjellvik Corp", domain: "example.com", website: "https://example.com" },
      ...{ unavailable: false, enrichedAtMs: now },
    });
    const both = await get("domain=example.com&ticker=QLLN");
    expect(both.headers.get("deprecation")).toMatch(/^@\d+$/);
    expect(await both.json()).toEqual(await sendRequest("ticker=QLLN"));
    expect((await get("ticker=QLLN")).headers.get("deprecation")).toBeNull();
  });

  const rejections: readonly (readonly [query: string, fields: readonly string[]])[] = [
    ["", ["ticker"]],
    ["ticker=", ["ticker"]],
    ["ticker=%20%20&name=%20", ["ticker"]],
    ["ticker=A%00B", ["ticker"]],
    [`name=${"x".repeat(201)}`, ["name"]],
    ["name=%00", ["name"]],
    ["name=%20&domain=", ["ticker"]],
    ["domain=localhost", ["domain"]],
    ["domain=https://example.com/", ["domain"]],
    ["domain=a..example.com", ["domain"]],
    [`domain=${"a.".repeat(150)}example`, ["domain"]],
    [`ticker=QLLN&domain=x%20y&name=${"x".repeat(300)}`, ["domain", "name"]],
  ];
  test.each(rejections.map(([query, fields]) => [query.slice(0, 60), query, fields] as const))(
    "%s is refused with the parameters' names",
    async (_, query, fields) => {
      const response = await get(query);
      const { violations } = (await response.json()) as { violations: { field: string; description: string }[] };
      expect(response.status).toBe(400);
      expect(violations.every(({ description }) => description !== "")).toBe(true);
      expect([...new Set(violations.map(({ field }) => field))].sort((a, b) => a.localeCompare(b))).toEqual(fields);
    },
  );

  test("a company that no source but the register and EDGAR knows has empty parts from sources that were reached", async () => {
    const body = await sendRequest("ticker=HRTE");
    expect(body.sources).toEqual(["sec_edgar", "finnhub", "news", "hacker_news"]);
    expect([body.market, body.earningsSurprises, body.hackerNewsMentions]).toEqual([undefined, [], []]);
    expect(body.secFilings?.recentFilings.length).toBeGreaterThan(0);
  });

  test("stale news are not read, and a stale register returns no company", async () => {
    for (const dataset of ["sec-tickers", "company-news"] as const) await app.refresh(dataset);
    app.setTime(new Date(now + 12 * hourMs + 1));
    const withoutNews = await get("ticker=FJLV");
    expect(withoutNews.headers.get("cache-control")).toBe("no-store");
    expect(await withoutNews.json()).toMatchObject({
      sources: ["sec_edgar", "finnhub", "hacker_news"],
      newsMentions: [],
    });
    app.setTime(new Date(now + 48 * hourMs));
    expect((await sendRequest("ticker=FJLV")).unavailable).toBe(false);
    app.setTime(new Date(now + 48 * hourMs + 1));
    for (const query of ["ticker=FJLV", "ticker=ZZZZ"]) {
      const stale = await get(query);
      expect(stale.headers.get("cache-control")).toBe("no-store");
      expect(await stale.json()).toMatchObject({ unavailable: true, company: { cik: "" }, sources: [] });
    }
    await app.refresh("sec-tickers");
    expect((await sendRequest("ticker=FJLV")).unavailable).toBe(false);
  });
});
