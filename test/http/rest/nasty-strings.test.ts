import { afterAll, beforeAll, expect, test } from "vitest";
import { fetchEarnings, fetchProfile } from "../../../src/domains/intelligence/companies/finnhub.ts";
import { fetchMentions } from "../../../src/domains/intelligence/companies/hacker-news.ts";
import type { Database } from "../../../src/store/database.ts";
import { sampleUpstream } from "../../../src/upstream/sample/sample.ts";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { nastyStrings } from "../../support/nasty-strings.ts";
import { startUpstreamServer, type UpstreamServer } from "../../support/servers/upstream-server.ts";
import { openEmbedded } from "../embedded-database.ts";

const enrichment = "/api/intelligence/v1/get-company-enrichment";
const timeline = "/api/intelligence/v1/get-news-topic-timeline";

let database: Database;
let outside: UpstreamServer;
let app: TestApp;
let now = testTime.getTime();
beforeAll(async () => {
  database = await openEmbedded();
  outside = await startUpstreamServer(["sec", "gdelt-cyber"], () => testTime);
  app = await startApp(database, {
    environment: { IDS_DATA: "live", SEC_CONTACT: "ops@example.org" },
    outside: { transport: outside.transport, wait: async () => undefined, floorOf: () => 10 },
  });
  for (const dataset of ["sec-tickers", "news-topic-timelines"] as const) await app.refresh(dataset);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await outside[Symbol.asyncDispose]();
  await database.close();
});

/** Rows of each table, without columns that change automatically. */
async function stored(): Promise<unknown> {
  const { kysely } = database;
  return [
    await kysely.selectFrom("dataset").selectAll().orderBy("name").execute(),
    await kysely.selectFrom("snapshot").selectAll().orderBy("type").execute(),
    (await kysely.selectFrom("source").selectAll().execute()).length,
    (await kysely.selectFrom("account").selectAll().execute()).length,
  ];
}

test("there are five hundred of them, all different", () => {
  expect([nastyStrings.length, new Set(nastyStrings).size]).toEqual([500, 500]);
});

test.each([
  [enrichment, "ticker"],
  [enrichment, "name"],
  [enrichment, "domain"],
  [timeline, "topic"],
])(
  "in %s?%s= they are answered in order, ask no upstream and change nothing",
  { timeout: 120_000 },
  async (path, parameter) => {
    const [before, requested] = [await stored(), outside.requests.length];
    const statuses = new Map<number, number>();
    for (const [place, text] of nastyStrings.entries()) {
      // Calls of a minute are limited.
      if (place % 25 === 0) {
        now += 61_000;
        app.setTime(new Date(now));
      }
      // What URLs cannot hold is sent as its replacement, as every client does.
      const response = await app.get(`${path}?${new URLSearchParams({ [parameter]: text.toWellFormed() })}`);
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      expect([text, [200, 400, 431].includes(response.status)]).toEqual([text, true]);
      expect(response.headers.get("set-cookie")).toBeNull();
      expect([...response.headers.keys()].filter((name) => /inject|location/.test(name))).toEqual([]);
      if (response.status !== 200) continue;
      const body = (await response.json()) as { company: Record<string, string>; sources: string[] };
      // The response returns the requested company as text, and knows nothing about it.
      expect([body.company.cik, body.sources]).toEqual(["", []]);
      expect(body.company[parameter]).toBe(parameter === "ticker" ? folded(text) : text);
    }
    expect(statuses.get(parameter === "ticker" || parameter === "name" ? 200 : 400)).toBeGreaterThan(400);
    expect(outside.requests.length).toBe(requested);
    expect(await stored()).toEqual(before);
  },
);

/** Folds only ASCII letters, as the contract does for a parameter that is read in upper case. */
function folded(text: string): string {
  return text.trim().replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

test("as names and tickers of companies they reach an upstream only as one escaped parameter", async () => {
  for (const text of nastyStrings) {
    const urls: string[] = [];
    const upstream = {
      ...sampleUpstream("finnhub", () => testTime),
      json: async ({ url }: { url: string }) => {
        urls.push(url);
        return url.includes("algolia") ? { hits: [] } : url.includes("earnings") ? [] : {};
      },
    };
    await fetchMentions(upstream, text, {});
    await fetchProfile(upstream, text, {});
    await fetchEarnings(upstream, text, {});
    const [stories, profile, earnings] = urls.map((url) => new URL(url));
    for (const url of urls) expect(url).toMatch(/^https:\/\/[a-z0-9./_-]+\?[\w*.+%=&-]*$/i);
    expect([stories?.origin, stories?.pathname]).toEqual(["https://hn.algolia.com", "/api/v1/search_by_date"]);
    expect([...(stories?.searchParams.keys() ?? [])]).toHaveLength(5);
    expect(stories?.searchParams.get("query")).toMatch(/^"[^"]*"$/);
    expect([profile?.pathname, earnings?.pathname]).toEqual(["/api/v1/stock/profile2", "/api/v1/stock/earnings"]);
    for (const url of [profile, earnings])
      expect(url?.searchParams.getAll("symbol")).toEqual([text.replaceAll("-", ".").toWellFormed()]);
  }
});
