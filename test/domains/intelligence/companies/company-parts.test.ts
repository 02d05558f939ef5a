import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Database } from "../../../../src/store/database.ts";
import { startApp, type TestApp, type TestAppOptions, testTime } from "../../../support/app.ts";
import { openOnce } from "../../../support/databases.ts";
import type { ListedSource } from "../../../support/domains/catalog.ts";
import type { Enrichment } from "../../../support/domains/enrichment.ts";
import { type Behavior, startUpstreamServer, type UpstreamServer } from "../../../support/servers/upstream-server.ts";

const path = "/api/intelligence/v1/get-company-enrichment";
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** Replaces every timeout, so that tests do not wait for the real ones. */
const maxMs = 2_000;

/** The parts, the addresses they are asked at, and what is missing without them. */
const parts = {
  submissions: { address: /data\.sec\.gov/, source: "sec_edgar" },
  profile: { address: /profile2/, source: undefined },
  earnings: { address: /stock\/earnings/, source: undefined },
  stories: { address: /hn\.algolia/, source: "hacker_news" },
} as const;
type Part = keyof typeof parts;

let database: Database;
let outside: UpstreamServer;
let options: TestAppOptions;
let app: TestApp;
let now = testTime.getTime();
beforeAll(async () => {
  database = await openOnce();
  const feeds = ["ftc-press", "doj-press", "fda-press", "cisa-advisories", "cma-announcements", "ec-press"];
  outside = await startUpstreamServer(["sec", "finnhub", "hn-algolia", ...feeds], () => testTime);
  options = {
    environment: {
      ...{ IDS_DATA: "live", SEC_CONTACT: "ops@example.org" },
      ...{ FINNHUB_API_KEY: "finnhub-secret", IDS_SOURCE_FINNHUB: "on" },
    },
    outside: { transport: outside.transport, wait: async () => undefined, maxMs, floorOf: () => 10 },
  };
  app = await startApp(database, options);
  for (const dataset of ["sec-tickers", "company-news"] as const)
    expect(await app.refresh(dataset)).toMatchObject({ generation: 1 });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await outside[Symbol.asyncDispose]();
  await database.close();
});
// An account and Finnhub allow 30 calls a minute each.
beforeEach(() => {
  outside.behave("well");
  later(2 * minuteMs);
});

function later(milliseconds: number): void {
  now += milliseconds;
  app.setTime(new Date(now));
}

async function sendRequest(of: TestApp, ticker: string): Promise<{ response: Response; body: Enrichment }> {
  const response = await of.get(`${path}?ticker=${ticker}`);
  return { response, body: (await response.json()) as Enrichment };
}

/** The whole response, from an app without failures. */
async function whole(ticker: string): Promise<Enrichment> {
  await using other = await startApp(database, { ...options, now: new Date(now) });
  return (await sendRequest(other, ticker)).body;
}

/** The response without some of its parts. */
function without(full: Enrichment, missing: readonly Part[]): object {
  const { secFilings, market, ...rest } = full;
  const lost = new Set(missing);
  const lostSources: (string | undefined)[] = missing.map((part) => parts[part].source);
  if (lost.has("profile") && lost.has("earnings")) lostSources.push("finnhub");
  const { company } = full;
  return {
    ...rest,
    company: {
      ...company,
      // Only EDGAR provides these.
      ...(lost.has("submissions") ? { description: "", location: "" } : {}),
      ...(lost.has("profile") ? { domain: "", website: "" } : {}),
    },
    ...(secFilings && !lost.has("submissions") ? { secFilings } : {}),
    ...(market && !lost.has("profile") ? { market } : {}),
    ...(lost.has("earnings") ? { earningsSurprises: [] } : {}),
    ...(lost.has("stories") ? { hackerNewsMentions: [] } : {}),
    sources: full.sources.filter((source) => !lostSources.includes(source)),
  };
}

const failures: readonly (readonly [Part, Behavior, string])[] = [
  ["submissions", "hangs", "FJLV"],
  ["profile", "hangs", "QLLN"],
  ["earnings", "hangs", "TNSR"],
  ["stories", "hangs", "OKVA"],
  ["submissions", "500", "VLTR"],
  ["profile", "429", "SNDV"],
  ["earnings", "html", "HVCH"],
  ["stories", "half a body", "CRLO"],
  ["submissions", "gone", "KSTD"],
  ["profile", "gone", "HLMV"],
];

test.each(failures)(
  "when the upstream of the %s is so: %s, only they and their source are missing, in no more than their time",
  async (part, behavior, ticker) => {
    const full = await whole(ticker);
    expect(full.sources).toEqual(["sec_edgar", "finnhub", "news", "hacker_news"]);
    outside.behave(behavior, parts[part].address);
    const started = performance.now();
    const { response, body } = await sendRequest(app, ticker);
    expect(performance.now() - started).toBeLessThan(2 * maxMs);
    // A refusal that is quick enough spares the upstream its other part, too.
    const isSpared = behavior === "429" && body.earningsSurprises.length === 0;
    expect(body).toEqual(without(full, isSpared ? [part, "earnings"] : [part]));
    expect([response.headers.get("cache-control"), body.unavailable]).toEqual(["no-store", false]);
    outside.behave("well");
    // After a 429 the upstream receives no requests for a while.
    if (behavior === "429") later(30_000);
    const again = await sendRequest(app, ticker);
    expect(again.body).toEqual(full);
    expect(again.response.headers.get("cache-control")).toMatch(/max-age/);
  },
);

test("when all parts hang, the answer takes no longer than the slowest, and the news are left", async () => {
  const full = await whole("LXDA");
  outside.behave("hangs");
  const started = performance.now();
  const { body } = await sendRequest(app, "LXDA");
  expect(performance.now() - started).toBeLessThan(2 * maxMs);
  expect(body).toMatchObject(without(full, ["submissions", "profile", "earnings", "stories"]));
  expect([body.sources, body.unavailable, body.company.name]).toEqual([["news"], false, "Lexidion Inc."]);
});

test("when all parts fail and no news can be read, the answer is unavailable, never kept, and whole once they are back", async () => {
  const empty = await openOnce();
  const only = await startApp(empty, { ...options, now: new Date(now) });
  try {
    await only.refresh("sec-tickers");
    outside.behave("gone");
    for (let i = 0; i < 3; i++) {
      const { response, body } = await sendRequest(only, "PTRX");
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(body).toMatchObject({ unavailable: true, sources: [], enrichedAtMs: 0, company: { cik: "9990000113" } });
      expect(body).not.toHaveProperty("secFilings");
    }
    outside.behave("well");
    const { body } = await sendRequest(only, "PTRX");
    expect([body.unavailable, body.sources]).toEqual([false, ["sec_edgar", "finnhub", "hacker_news"]]);
    await only.refresh("company-news");
    expect((await sendRequest(only, "PTRX")).body.sources).toEqual(["sec_edgar", "finnhub", "news", "hacker_news"]);
  } finally {
    await only[Symbol.asyncDispose]();
    await empty.close();
  }
});

test("news that only some feeds bring are as old as the oldest feed, and the answer is not kept", async () => {
  const empty = await openOnce();
  const first = now;
  const newsAfter = async (milliseconds: number, failing?: RegExp) => {
    await using other = await startApp(empty, { ...options, now: new Date(first + milliseconds) });
    outside.behave(failing ? "500" : "well", failing);
    for (const dataset of ["sec-tickers", "company-news"] as const) await other.refresh(dataset);
    outside.behave("well");
    const { response, body } = await sendRequest(other, "FJLV");
    const isStored = response.headers.get("cache-control") !== "no-store";
    return { isReported: body.sources.includes("news"), isStored, oldest: body.enrichedAtMs - first };
  };
  const others = /justice|fda|cisa|gov\.uk|europa/;
  try {
    expect(await newsAfter(0, others)).toEqual({ isReported: true, isStored: false, oldest: 0 });
    expect(await newsAfter(minuteMs)).toEqual({ isReported: true, isStored: true, oldest: minuteMs });
    const last = minuteMs + 12 * hourMs;
    expect(await newsAfter(last, others)).toEqual({ isReported: true, isStored: true, oldest: minuteMs });
    expect(await newsAfter(last + 1, others)).toEqual({ isReported: true, isStored: false, oldest: minuteMs });
  } finally {
    await empty.close();
  }
});

const countOf = (address: RegExp, from: number) =>
  outside.requests.slice(from).filter(({ url }) => address.test(url)).length;

test("two hundred who ask for one company at once, from ten accounts, cost one request a part", async () => {
  const keys = await Promise.all(Array.from({ length: 10 }, () => app.key("enterprise")));
  const from = outside.requests.length;
  const responses = await Promise.all(
    keys.flatMap((key) => Array.from({ length: 20 }, () => app.get(`${path}?ticker=GRNM`, { key }))),
  );
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(await Promise.all(responses.map((response) => response.text()))).size).toBe(1);
  for (const { address } of Object.values(parts)) expect(countOf(address, from)).toBe(1);
});

test("each part is cached for its own time, and the response has the age of the oldest", async () => {
  const first = now;
  const requestedAfter = async (milliseconds: number) => {
    app.setTime(new Date(first + milliseconds));
    await app.refresh("company-news");
    const from = outside.requests.length;
    const { body } = await sendRequest(app, "FWMC");
    const requested = Object.keys(parts).filter((part) => countOf(parts[part as Part].address, from) > 0);
    return { requested, oldest: body.enrichedAtMs - first };
  };
  expect(await requestedAfter(0)).toEqual({ requested: Object.keys(parts), oldest: 0 });
  expect(await requestedAfter(20 * minuteMs)).toEqual({ requested: [], oldest: 0 });
  expect(await requestedAfter(20 * minuteMs + 1)).toEqual({ requested: ["stories"], oldest: 0 });
  expect(await requestedAfter(6 * hourMs + 1)).toEqual({ requested: ["submissions", "stories"], oldest: 0 });
  expect(await requestedAfter(12 * hourMs + 1)).toEqual({ requested: ["earnings", "stories"], oldest: 0 });
  expect(await requestedAfter(24 * hourMs + 1)).toEqual({
    requested: ["submissions", "profile", "stories"],
    oldest: 12 * hourMs + 1,
  });
  now = first + 25 * hourMs;
  app.setTime(new Date(now));
});

test("a filer that EDGAR does not have was not reached, and is asked for again after five minutes", async () => {
  const from = outside.requests.length;
  await using other = await startApp(database, {
    ...options,
    now: new Date(now),
    outside: {
      ...options.outside,
      transport: (url, init) => outside.transport(url.replace("/CIK", "/unknown-"), init),
    },
  });
  await other.refresh("sec-tickers");
  for (let i = 0; i < 2; i++) {
    const { body } = await sendRequest(other, "SLCL");
    expect([body.sources.includes("sec_edgar"), body.secFilings]).toEqual([false, undefined]);
  }
  expect(countOf(parts.submissions.address, from)).toBe(1);
  other.setTime(new Date(now + 5 * minuteMs + 1));
  await sendRequest(other, "SLCL");
  expect(countOf(parts.submissions.address, from)).toBe(2);
});

test("without its key and permission Finnhub is not called, and that does not count as a failure", async () => {
  for (const missing of ["FINNHUB_API_KEY", "IDS_SOURCE_FINNHUB"]) {
    const environment = { ...options.environment, [missing]: "" };
    await using other = await startApp(database, { ...options, environment, now: new Date(now) });
    await other.refresh("company-news");
    await other.refresh("sec-tickers");
    const from = outside.requests.length;
    const { response, body } = await sendRequest(other, "FJLV");
    expect(countOf(/finnhub/, from)).toBe(0);
    expect(body.sources).toEqual(["sec_edgar", "news", "hacker_news"]);
    expect([body.market, body.earningsSurprises, body.company.website]).toEqual([undefined, [], ""]);
    expect(response.headers.get("cache-control")).toMatch(/max-age/);
    const { sources } = await other.json<{ sources: ListedSource[] }>("/api/catalog/v1/list-sources");
    const reported = sources.find(({ name }) => name === "finnhub");
    expect(reported).toMatchObject({ state: "unconfigured", configured: false, license: { kind: "restricted" } });
    expect(reported?.variables.map(({ name }) => name)).toContain(missing);
  }
});

test("a source receives only the company, and the key only in a header", async () => {
  for (const { url, headers } of outside.requests) {
    expect(url).not.toContain("secret");
    if (url.includes("sec.gov")) expect(headers["user-agent"]).toContain("(ops@example.org)");
    if (url.includes("finnhub")) expect(headers["x-finnhub-token"]).toBe("finnhub-secret");
  }
  const metrics = await (await app.get("/metrics")).text();
  expect(metrics).toMatch(/ids_live_lookups_total\{upstream="finnhub",outcome="failed"\} [1-9]/);
  expect(metrics).toMatch(/ids_live_lookups_total\{upstream="sec",outcome="ok"\} [1-9]/);
});
