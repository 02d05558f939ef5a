import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { describeEachDatabase } from "../../support/databases.ts";

const path = "/api/conflict/v1/list-conflict-events";
const dayMs = 86_400_000;

interface Body {
  readonly events: readonly Event[];
  readonly pagination: { readonly nextCursor: string; readonly totalCount: number };
}

interface Event {
  readonly id: string;
  readonly country: string;
  readonly occurredAt: number;
  readonly fatalities: number;
}

describeEachDatabase("ListConflictEvents", (openFresh) => {
  let app: TestApp;
  let all: readonly Event[];
  // The samples move by whole weeks: their newest day may lie up to six days back.
  const sixtyDays = `start=${testTime.getTime() - 66 * dayMs}`;
  beforeAll(async () => {
    app = await startApp(await openFresh());
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test("it needs no key, and a bad one is not looked at", async () => {
    await app.refresh("conflict-events");
    expect((await app.get(path, { key: null })).status).toBe(200);
    expect((await app.get(path, { key: "garbage" })).status).toBe(200);
  });

  test("the sample has at least 1,500 events over 60 days in at least 40 countries, newest first", async () => {
    const body = await app.json<Body>(`${path}?${sixtyDays}`);
    all = body.events;
    expect(all.length).toBeGreaterThanOrEqual(1500);
    expect(body.pagination.totalCount).toBe(all.length);
    expect(new Set(all.map(({ country }) => country)).size).toBeGreaterThanOrEqual(40);
    expect([...all].sort((a, b) => b.occurredAt - a.occurredAt || (a.id < b.id ? -1 : 1))).toEqual(all);
  });

  test("without bounds it covers the last 30 days, and is never empty on the sample", async () => {
    const { events } = await app.json<Body>(path);
    const from = Date.UTC(testTime.getUTCFullYear(), testTime.getUTCMonth(), testTime.getUTCDate()) - 30 * dayMs;
    expect(events).toEqual(all.filter(({ occurredAt }) => occurredAt >= from));
    expect(events.length).toBeGreaterThan(300);
    expect((await app.json<Body>(`${path}?start=&end=`)).events).toEqual(events);
  });

  test("bounds are exact to the millisecond", async () => {
    const { occurredAt = 0 } = all[Math.floor(all.length / 2)] ?? {};
    const onTheDay = await app.json<Body>(`${path}?start=${occurredAt}&end=${occurredAt}`);
    expect(onTheDay.events).toEqual(all.filter((event) => event.occurredAt === occurredAt));
    const after = await app.json<Body>(`${path}?start=${occurredAt + 1}&end=${occurredAt + dayMs}`);
    expect(after.events).toEqual(all.filter((event) => event.occurredAt === occurredAt + dayMs));
  });

  test("country filters by the exact code, in either case", async () => {
    const expected = all.filter(({ country }) => country === "SD");
    expect(expected.length).toBeGreaterThan(0);
    expect((await app.json<Body>(`${path}?${sixtyDays}&country=sd`)).events).toEqual(expected);
  });

  test("page_size and cursor change nothing", async () => {
    const plain = await (await app.get(path)).text();
    for (const query of ["page_size=-5", "page_size=1", "cursor=zzz"])
      expect(await (await app.get(`${path}?${query}`)).text()).toBe(plain);
  });

  test.each(["start=abc", "end=1e3", "country=SUD"])("%s is refused with the parameter's name", async (query) => {
    expect(await app.rejected(`${path}?${query}`)).toEqual([query.split("=")[0]]);
  });

  test("a start after the end is empty, and a window before the held events is empty with the reason", async () => {
    for (const query of ["start=2&end=1", "start=1000&end=2000"])
      expect(await app.json<Body>(`${path}?${query}`)).toEqual({
        events: [],
        pagination: { nextCursor: "", totalCount: 0 },
        refreshedAt: testTime.toISOString(),
        nextAfter: "",
        heldFrom: all.at(-1)?.occurredAt,
        heldTo: (Math.floor((all[0]?.occurredAt ?? 0) / 86_400_000) + 1) * 86_400_000 - 1,
        isPartial: true,
        unavailableReason: "before_held_period",
      });
  });

  test("a second refresh of the same answers changes no event", async () => {
    await app.refresh("conflict-events");
    expect((await app.json<Body>(`${path}?${sixtyDays}`)).events).toEqual(all);
  });
});
