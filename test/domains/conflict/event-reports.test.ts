import { afterAll, beforeAll, expect, test } from "vitest";
import { acled } from "../../../src/domains/conflict/acled.ts";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { describeEachDatabase, openOnce } from "../../support/databases.ts";
import { startUpstreamServer } from "../../support/servers/upstream-server.ts";

const path = "/api/conflict/v1/list-conflict-events";
const start = `start=${testTime.getTime() - 100 * 86_400_000}`;

interface Report {
  readonly source: string;
  readonly id: string;
  readonly deathsLow?: number;
  readonly deathsBest?: number;
  readonly deathsHigh?: number;
  readonly kmApart?: number;
  readonly daysApart?: number;
  readonly rule: string;
  readonly score?: number;
}

interface Event {
  readonly id: string;
  readonly fatalities: number;
  readonly valuesFrom: string;
  readonly reportCount: number;
  readonly reports: readonly Report[];
}

const listed = async (app: TestApp, query = start) =>
  (await app.json<{ events: readonly Event[] }>(`${path}?${query}`)).events;

describeEachDatabase("reports of an event", (openFresh) => {
  let app: TestApp;
  let events: readonly Event[];
  beforeAll(async () => {
    app = await startApp(await openFresh());
    await app.refresh("conflict-events");
    events = await listed(app);
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test("an event of two sources shows both, with what each states and how alike they are", () => {
    const merged = events.filter(({ reportCount }) => reportCount === 2);
    expect(merged.length).toBeGreaterThan(30);
    for (const { id, fatalities, valuesFrom, reports } of merged) {
      const [own, other] = reports;
      expect(own).toMatchObject({ source: "acled", deathsBest: fatalities, rule: "" });
      expect(`${own?.source}-${own?.id}`).toBe(id);
      expect(valuesFrom).toBe("acled");
      for (const name of ["deathsLow", "deathsHigh", "kmApart", "daysApart", "score"])
        expect(own).not.toHaveProperty(name);
      expect(other).toMatchObject({ source: "ucdp", rule: "same-country-5d-50km-deaths-2x-score-0.6" });
      const {
        deathsLow = -1,
        deathsBest = -1,
        deathsHigh = -1,
        kmApart = -1,
        daysApart = -1,
        score = -1,
      } = other ?? {};
      expect(deathsLow).toBeGreaterThanOrEqual(0);
      expect(deathsBest).toBeGreaterThanOrEqual(deathsLow);
      expect(deathsHigh).toBeGreaterThanOrEqual(deathsBest);
      expect([kmApart >= 0 && kmApart <= 50, daysApart >= 0 && daysApart <= 5]).toEqual([true, true]);
      expect(score >= 0.6 && score <= 1).toBe(true);
    }
  });

  test("each report that a source has is in one event, and each event names the report of its values", () => {
    const all = events.flatMap(({ reports }) => reports.map(({ source, id }) => `${source}-${id}`));
    expect(new Set(all).size).toBe(all.length);
    for (const { id, valuesFrom, reportCount, reports } of events) {
      expect(`${valuesFrom}-${reports[0]?.id}`).toBe(id);
      expect(reports).toHaveLength(reportCount);
    }
  });

  test("an event is found by the ID of any of its reports", async () => {
    const merged = events.find(({ reportCount }) => reportCount === 2);
    const [own, other] = merged?.reports ?? [];
    for (const report of [own, other])
      expect(await listed(app, `id=${report?.source}-${report?.id}`)).toEqual([merged]);
  });

  test("a file of reports has one row per report, with the columns of its event", async () => {
    const response = await app.get(`${path}?${start}&rows=events.reports&format=ndjson`);
    const lines = (await response.text()).split("\n").filter(Boolean);
    expect(lines).toHaveLength(events.reduce((sum, { reportCount }) => sum + reportCount, 0));
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ "events.id": events[0]?.id, source: "acled", rule: "" });
  });

  test("the counts are those of the events, not of the reports", async () => {
    const counts = await app.json<{ totalEvents: number; totalFatalities: number }>(
      `/api/conflict/v1/count-conflict-events?${start}`,
    );
    expect(counts.totalEvents).toBe(events.length);
    expect(counts.totalFatalities).toBe(events.reduce((sum, { fatalities }) => sum + fatalities, 0));
  });

  test("a past response has the reports of that time", async () => {
    app.setTime(new Date(testTime.getTime() + 60_000));
    expect(await listed(app, `${start}&as_of=${testTime.toISOString()}`)).toEqual(events);
  });
});

test("if the terms of a source forbid redistribution, files have no report of it, and still have those of others", async () => {
  const { license } = acled;
  const outside = await startUpstreamServer(["acled", "ucdp"], () => testTime);
  const database: Database = await openOnce();
  Object.assign(acled, { license: { ...license, kind: "restricted" } });
  try {
    await using app = await startApp(database, {
      environment: {
        ...{ IDS_DATA: "live", IDS_SOURCE_ACLED: "on", UCDP_ACCESS_TOKEN: "token" },
        ...{ ACLED_EMAIL: "reader@example.org", ACLED_PASSWORD: "password" },
      },
      outside: { transport: outside.transport, wait: async () => undefined, floorOf: () => 1 },
    });
    await app.refresh("conflict-events");
    const events = await listed(app);
    const merged = events.filter(({ reportCount }) => reportCount === 2);
    expect(merged.length).toBeGreaterThan(30);
    // The event has the values of the source whose rows files may have.
    expect(new Set(merged.map(({ valuesFrom }) => valuesFrom))).toEqual(new Set(["ucdp"]));
    const reports = events.flatMap((event) => event.reports).filter(({ source }) => source === "ucdp");
    for (const rows of ["events", "events.reports"])
      for (const format of ["csv", "ndjson", "jsonfeed", "geojson"]) {
        const response = await app.get(`${path}?${start}&rows=${rows}&format=${format}`);
        expect([response.status, response.headers.get("X-Data-Withheld")]).toEqual([200, "acled"]);
        const text = await response.text();
        expect(text.match(/acled-|:"acled"|,acled,/g)).toBeNull();
        if (format === "ndjson") expect(text.trim().split("\n")).toHaveLength(reports.length);
      }
  } finally {
    Object.assign(acled, { license });
    await outside[Symbol.asyncDispose]();
    await database.close();
  }
});
