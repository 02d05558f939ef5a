import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { describeEachDatabase } from "../../support/databases.ts";

const path = "/api/infrastructure/v1/list-internet-outages";

interface Body {
  readonly outages: readonly Outage[];
  readonly pagination: { readonly nextCursor: string; readonly totalCount: number };
}

interface Outage {
  readonly id: string;
  readonly country: string;
  readonly detectedAt: number;
  readonly endedAt: number;
}

describeEachDatabase("ListInternetOutages", (openFresh) => {
  let app: TestApp;
  let all: readonly Outage[];
  beforeAll(async () => {
    app = await startApp(await openFresh());
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test("before the first refresh it says that there is no data, and not that there are no outages", async () => {
    const response = await app.get(path);
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({ message: expect.any(String) });
    expect(response.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  test("after a refresh the sample's outages are there, labelled as samples, newest first", async () => {
    await app.refresh("internet-outages");
    const response = await app.get(path);
    expect(response.headers.get("x-data-origin")).toBe("sample");
    const body = await app.json<Body>(path);
    all = body.outages;
    expect(all.length).toBeGreaterThanOrEqual(60);
    expect(body.pagination).toEqual({ nextCursor: "", totalCount: all.length });
    expect(all.some(({ endedAt }) => endedAt === 0)).toBe(true);
    expect([...all].sort((a, b) => b.detectedAt - a.detectedAt || (a.id < b.id ? -1 : 1))).toEqual(all);
  });

  test("country=US gives exactly the rows of the United States, in either case", async () => {
    const expected = all.filter(({ country }) => country === "US");
    expect(expected.length).toBeGreaterThan(0);
    for (const country of ["US", "us", "%20us%20"]) {
      const body = await app.json<Body>(`${path}?country=${country}`);
      expect(body.outages).toEqual(expected);
      expect(body.pagination.totalCount).toBe(expected.length);
    }
  });

  test("start and end are inclusive to the millisecond", async () => {
    const { detectedAt } = all[Math.floor(all.length / 2)] ?? { detectedAt: 0 };
    const within = (from: number, to: number) => all.filter((row) => row.detectedAt >= from && row.detectedAt <= to);
    for (const [from, to] of [
      [detectedAt, detectedAt],
      [detectedAt + 1, detectedAt + 86_400_000],
      [detectedAt - 86_400_000, detectedAt - 1],
    ] as const)
      expect((await app.json<Body>(`${path}?start=${from}&end=${to}`)).outages).toEqual(within(from, to));
  });

  test("start, end and country filter exactly, in the same order", async () => {
    const bound = fc.oneof(
      fc.constant(0),
      fc.tuple(fc.constantFrom(...all), fc.integer({ min: -1, max: 1 })).map(([{ detectedAt }, by]) => detectedAt + by),
    );
    const country = fc.constantFrom("", "FR", ...all.map((row) => row.country));
    await fc.assert(
      fc.asyncProperty(bound, bound, country, async (start, end, code) => {
        const expected = all.filter(
          (row) => row.detectedAt >= start && row.detectedAt <= end && (!code || row.country === code),
        );
        const { outages, pagination } = await app.json<Body>(`${path}?start=${start}&end=${end}&country=${code}`);
        expect(outages).toEqual(expected);
        expect(pagination).toEqual({ nextCursor: "", totalCount: expected.length });
      }),
      { numRuns: 60 },
    );
  });

  test("an end before the held outages is an empty list with the reason", async () => {
    expect(await app.json<Body>(`${path}?start=2&end=1`)).toMatchObject({
      outages: [],
      pagination: { nextCursor: "", totalCount: 0 },
      unavailableReason: "before_held_period",
    });
  });

  test("a period after the last read is unknown, and not without outages", async () => {
    const later = new Date(testTime.getTime() + 60_000).toISOString();
    for (const read of [path, path.replace("list-", "count-")]) {
      const response = await app.get(`${read}?start=${later}&country=DE`);
      expect(response.headers.get("X-Data-Missing")).toMatch(/^outages after 20/);
      const { heldTo, ...body } = (await response.json()) as { heldTo: number };
      expect(body).toMatchObject({ isPartial: true, unavailableReason: "after_held_period" });
      expect(heldTo).toBeLessThanOrEqual(testTime.getTime());
      const present = await app.json<object>(`${read}?start=${new Date(heldTo).toISOString()}`);
      expect(present).toMatchObject({ isPartial: false, unavailableReason: "" });
    }
    expect((await app.get(`${path}?start=${later}&format=csv`)).status).toBe(404);
  });

  test("page_size and cursor change nothing, whatever they are", async () => {
    const plain = await (await app.get(path)).text();
    for (const query of ["page_size=-5", "page_size=1", "page_size=abc", "cursor=zzz", "pageSize=1.5&cursor="])
      expect(await (await app.get(`${path}?${query}`)).text()).toBe(plain);
  });

  test.each([
    ["start=abc", "start"],
    ["end=1.5", "end"],
    ["start=9223372036854775808", "start"],
    ["country=ZZ", "country"],
    ["country=U1", "country"],
    ["country=%C3%9C%C3%9C", "country"],
  ])("%s is refused with the parameter's name", async (query, field) => {
    expect(await app.rejected(`${path}?${query}`)).toEqual([field]);
  });
});
