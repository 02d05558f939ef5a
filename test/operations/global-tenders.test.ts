import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type TestApp, testTime } from "../support/app.ts";
import { describeEachDatabase } from "../support/databases.ts";

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
  test("x", () =>
    console.log(
      all.length,
      new Set(all.map((t) => t.countryCode)).size,
      [...new Set(all.map((t) => t.money?.currency))].join(),
      JSON.stringify(all[3]),
    ));
});
