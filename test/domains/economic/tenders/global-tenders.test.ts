import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type TestApp, testTime } from "../../../support/app.ts";
import { describeEachDatabase } from "../../../support/databases.ts";

const path = "/api/economic/v1/list-global-tenders";

interface Body {
  readonly tenders: readonly Tender[];
  readonly nextCursor: string;
  readonly total: number;
  readonly totalCapped: boolean;
  readonly fetchedAt: string;
  readonly dataAvailable: boolean;
  readonly availability: string;
  readonly countryCoverage: string;
  readonly sourceStatuses: readonly { source: string; state: string; recordCount: number; stale: boolean }[];
  readonly appliedFilters: readonly string[];
}

interface Tender {
  readonly id: string;
  readonly source: string;
  readonly officialUrl: string;
  readonly countryCode: string;
  readonly region: string;
  readonly title: string;
  readonly description: string;
  readonly buyer: string;
  readonly publishedAt: string;
  readonly updatedAt: string;
  readonly deadline: string;
  readonly status: string;
  readonly money?: { readonly amount?: number; readonly currency?: string };
  readonly categoryCodes: readonly string[];
  readonly sectors: readonly string[];
  readonly automationFit: { readonly score: number; readonly level: string };
}

describeEachDatabase("ListGlobalTenders", (openFresh) => {
  let app: TestApp;
  let all: readonly Tender[];
  const read = (query = "") => app.json<Body>(`${path}?${query}`);
  /** Every page of a walk. */
  const walk = async (query: string) => {
    const rows: Tender[] = [];
    for (let cursor = ""; ; ) {
      const body = await read(`${query}&cursor=${cursor}`);
      rows.push(...body.tenders);
      if (body.nextCursor === "") return rows;
      cursor = body.nextCursor;
    }
  };
  beforeAll(async () => {
    app = await startApp(await openFresh());
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test("before the first refresh it says that nothing is available, and not that there are no tenders", async () => {
    const response = await app.get(path);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toMatchObject({
      ...{ tenders: [], total: 0, fetchedAt: "", dataAvailable: false, nextCursor: "" },
      ...{ availability: "unavailable", countryCoverage: "unknown" },
      sourceStatuses: Array.from({ length: 6 }, () => ({ state: "unavailable", recordCount: 0, fetchedAt: "" })),
    });
  });

  test("after a refresh the sample's open notices are there, of six sources, 25 countries and 8 currencies at least", async () => {
    const { rows } = await app.refresh("global-tenders");
    const response = await app.get(path);
    expect(response.headers.get("x-data-origin")).toBe("sample");
    const first = await read();
    expect(first).toMatchObject({ availability: "available", countryCoverage: "not_requested", dataAvailable: true });
    expect(first.tenders).toHaveLength(25);
    all = await walk("page_size=100");
    expect(all.length).toBe(rows);
    expect(first.total).toBe(all.length);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(new Set(all.map(({ source }) => source)).size).toBe(6);
    expect(new Set(all.map(({ countryCode }) => countryCode)).size).toBeGreaterThanOrEqual(25);
    expect(new Set(all.map(({ money }) => money?.currency)).size).toBeGreaterThanOrEqual(9);
    for (const { deadline, title, officialUrl } of all) {
      expect(Date.parse(deadline)).toBeGreaterThan(testTime.getTime());
      expect(title).not.toBe("");
      expect(officialUrl).toMatch(/^https:/);
    }
  });

  const named: readonly [string, (a: Tender, b: Tender) => number][] = [
    ["newest", (a, b) => published(b) - published(a)],
    ["closing_soon", (a, b) => Date.parse(a.deadline) - Date.parse(b.deadline)],
    ["estimated_value", (a, b) => (b.money?.amount ?? 0) - (a.money?.amount ?? 0)],
    ["relevance", (a, b) => b.automationFit.score - a.automationFit.score],
  ];
  const published = ({ publishedAt, updatedAt }: Tender) => Date.parse(publishedAt || updatedAt || "0000-01-01");
  const byId = (a: Tender, b: Tender) => Buffer.from(a.id).compare(Buffer.from(b.id)) as number;

  test.each(named)("sort=%s orders all notices so, and equal ones by their ids", async (sort, compare) => {
    const rows = await walk(`sort=${sort}&page_size=37`);
    const expected = [...all].sort((a, b) => compare(a, b) || byId(a, b));
    expect(rows.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
  });

  test("without a sort, and with SORT=NEWEST in capitals, the newest come first", async () => {
    expect((await read()).tenders).toEqual((await read("sort=newest")).tenders);
    expect((await read("sort=NEWEST")).tenders).toEqual((await read("sort=newest")).tenders);
  });

  test("relevance with a query puts notices with all its words in the title first, then the rest, each newest first", async () => {
    const inTitle = ({ title }: Tender) => title.toLowerCase().includes("software");
    const rows = await walk("query=software&sort=relevance&page_size=3");
    expect(rows.some(inTitle) && !rows.every(inTitle)).toBe(true);
    const order = (row: Tender) => (inTitle(row) ? 0 : 1);
    const expected = [...rows].sort((a, b) => order(a) - order(b) || published(b) - published(a) || byId(a, b));
    expect(rows).toEqual(expected);
  });

  test.each([
    ["", 25],
    ["page_size=", 25],
    ["page_size=0", 25],
    ["page_size=-3", 25],
    ["page_size=1", 1],
    ["page_size=100", 100],
    ["page_size=250", 100],
    ["page_size=1000", 100],
    ["pageSize=99999999999999999999", 100],
  ])('with "%s" a page has %i rows', async (query, rows) => {
    expect((await read(query)).tenders).toHaveLength(rows);
  });

  test.each(["0", "-3", "2.5", "abc", ""])("min_automation_score=%s does not filter", async (score) => {
    const body = await read(`min_automation_score=${score}`);
    expect(body).toMatchObject({ total: all.length, appliedFilters: [] });
  });

  test.each([
    ["30", 30],
    ["31", 60],
    ["90", 90],
    ["91", 91],
    ["250", 100],
  ])("min_automation_score=%s keeps the scores from %i up", async (score, min) => {
    const body = await read(`min_automation_score=${score}`);
    expect(body.total).toBe(all.filter(({ automationFit }) => automationFit.score >= min).length);
    expect(body.appliedFilters).toEqual(["min_automation_score"]);
  });

  test("a country without a notice is unknown, in availability and coverage, whatever the other filters are", async () => {
    for (const query of ["country=AQ", "countries=FR,AQ", "countries=FR&countries=AQ", "country=aq&source=gets"])
      expect(await read(query)).toMatchObject({ availability: "unknown", countryCoverage: "unknown" });
    expect((await read("countries=FR,AQ")).total).toBeGreaterThan(0);
    // The feed has notices of France, though none of this source: that is an answer.
    expect(await read("country=FR&source=gets")).toMatchObject({
      ...{ availability: "available", countryCoverage: "observed", total: 0, tenders: [], dataAvailable: true },
      appliedFilters: ["country", "source"],
    });
  });

  test("every filter that is active is named, in the order of the parameters", async () => {
    const all = {
      min_automation_score: "1",
      published_to: "2026-12-01",
      published_from: "2026-01-01",
      buyer: "a",
      query: "software",
      category: "7",
      currency: "eur",
      max_value: "9e9",
      min_value: "1",
      deadline_to: "2027-12-01",
      deadline_from: "2026-01-01",
      status: "OPEN",
      source: "TED",
      region: "Europe",
      countries: "FR,DE",
    };
    const { appliedFilters } = await read(`${new URLSearchParams(all)}`);
    expect(appliedFilters).toEqual(Object.keys(all).reverse());
  });

  test.each([
    ["country=ZZ", "country"],
    ["country=F1", "country"],
    ["country=%F0%9F%87%AB", "country"],
    ["countries=FR,XYZ", "countries[1]"],
    ["countries=F", "countries[0]"],
    [`countries=${Array.from({ length: 51 }, () => "FR").join()}`, "countries"],
    ["region=Asia", "region"],
    ["region=europa", "region"],
    ["region=1", "region"],
    ["source=sam.gov", "source"],
    ["source=ted,sam", "source"],
    ["source=0", "source"],
    [`status=${"x".repeat(51)}`, "status"],
    ...["deadline_from", "deadline_to", "published_from", "published_to"].flatMap((field) =>
      ["yesterday", "2026-02-30", "2026-11-18T25:00", "18.11.2026", "1763424000000", "2026-11-18T10:00+99:00"].map(
        (value): [string, string] => [`${field}=${encodeURIComponent(value)}`, field],
      ),
    ),
    ["min_value=abc", "min_value"],
    ["min_value=1e999", "min_value"],
    ["min_value=1,5", "min_value"],
    ["max_value=abc", "max_value"],
    ["max_value=0x10", "max_value"],
    ["max_value=NaN", "max_value"],
    ["min_value=2&max_value=1", "min_value"],
    ["deadline_from=2026-12-02&deadline_to=2026-12-01", "deadline_from"],
    ["published_from=2026-12-02T00:00:01Z&published_to=2026-12-02T00:00:00Z", "published_from"],
    ["updated_after=abc", "updated_after"],
    ["currency=EURO", "currency"],
    ["currency=E", "currency"],
    ["currency=E1R", "currency"],
    [`category=${"7".repeat(101)}`, "category"],
    ["category=%00", "category"],
    [`query=${"x".repeat(201)}`, "query"],
    ["query=ab", "query"],
    ["query=ab%20c", "query"],
    ["query=%22a%20b%22", "query"],
    [`buyer=${"x".repeat(101)}`, "buyer"],
    ["buyer=%00", "buyer"],
    ["sort=oldest", "sort"],
    ["sort=newest,relevance", "sort"],
    ["sort=1", "sort"],
    ["page_size=abc", "page_size"],
    ["page_size=2.5", "page_size"],
    ["cursor=zzz", "cursor"],
    ["cursor=100", "cursor"],
    [`cursor=${"A".repeat(1001)}`, "cursor"],
  ])("%s is refused with the parameter's name", async (query, field) => {
    expect(await app.rejected(`${path}?${query}`)).toEqual([field]);
  });

  test("a cursor of other filters, of another order, a changed one and one of yesterday are refused", async () => {
    const { nextCursor } = await read("country=FR&page_size=2&sort=closing_soon");
    const field = (query: string) => app.rejected(`${path}?${query}`);
    expect((await read(`sort=closing_soon&country=fr&page_size=5&cursor=${nextCursor}`)).tenders).toHaveLength(5);
    expect(await field(`country=DE&sort=closing_soon&cursor=${nextCursor}`)).toEqual(["cursor"]);
    expect(await field(`country=FR&sort=newest&cursor=${nextCursor}`)).toEqual(["cursor"]);
    expect(await field(`country=FR&sort=closing_soon&buyer=x&cursor=${nextCursor}`)).toEqual(["cursor"]);
    for (const at of [0, 10, 30, nextCursor.length - 2]) {
      const changed = `${nextCursor.slice(0, at)}${nextCursor[at] === "A" ? "B" : "A"}${nextCursor.slice(at + 1)}`;
      expect(await field(`country=FR&sort=closing_soon&cursor=${changed}`)).toEqual(["cursor"]);
    }
    app.setTime(new Date(testTime.getTime() + 24 * 3_600_000 + 1));
    expect(await field(`country=FR&sort=closing_soon&cursor=${nextCursor}`)).toEqual(["cursor"]);
    app.setTime(testTime);
  });

  test("a free account is refused, and the same question over Connect is answered", async () => {
    const rejected = await app.get(path, { key: await app.key("free") });
    expect([rejected.status, await rejected.json()]).toEqual([403, expect.objectContaining({ requiredTier: 1 })]);
    const response = await fetch(`${app.url}/ids.economic.v1.EconomicService/ListGlobalTenders`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Service-Key": await app.key("pro_monthly") },
      body: JSON.stringify({ countries: ["fr"], pageSize: 3 }),
    });
    expect(await response.json()).toMatchObject({ tenders: [{}, {}, {}], countryCoverage: "observed" });
  });
});
