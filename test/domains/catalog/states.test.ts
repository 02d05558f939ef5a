import { load } from "cheerio";
import { beforeAll, expect, test } from "vitest";
import { datasets } from "../../../src/domains/index.ts";
import { recordStates, stateRetention } from "../../../src/ingest/states.ts";
import type { Database } from "../../../src/store/database.ts";
import { outage, outageBed } from "../../changes/listed-changes.ts";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { describeEachDatabase } from "../../support/databases.ts";

interface Spans {
  readonly since: string;
  readonly spans: readonly {
    readonly source: string;
    readonly from: string;
    readonly to: string;
    readonly state: string;
    readonly minutes: readonly { readonly state: string; readonly minutes: number }[];
  }[];
}

const minute = 60_000;

describeEachDatabase("the states of 90 days", (openFresh) => {
  let database: Database;
  let app: TestApp;
  let now = testTime;
  beforeAll(async () => {
    database = await openFresh();
    app = await startApp(database, { environment: { IDS_DATA: "live" } });
    return app[Symbol.asyncDispose];
  });
  const outages = datasets.filter(({ name }) => name === "internet-outages");
  const look = () =>
    recordStates({ database: database.kysely, datasets: outages, missingOf: () => [], data: "live", clock: () => now });
  const pass = async (minutes: number) => {
    for (let left = minutes; left > 0; left -= 5) {
      now = new Date(now.getTime() + Math.min(5, left) * minute);
      await look();
    }
  };
  const read = async () => {
    app.setTime(now);
    return app.json<Spans>("/api/catalog/v1/list-states?dataset=internet-outages");
  };

  test("each look adds its time to the state of that day, a time without a look is none, and equal days are one row", async () => {
    now = new Date("2026-11-17T23:50:00.000Z");
    await look();
    expect((await read()).spans.map(({ state, minutes }) => ({ state, minutes }))[0]).toEqual({
      ...{ state: "empty", minutes: [{ state: "empty", minutes: 0 }] },
    });
    const { refresh } = outageBed(database, { name: "cloudflare-radar" }, () => now);
    await refresh([outage("a")]);
    await pass(30);
    now = new Date("2026-11-19T12:00:00.000Z");
    await refresh([outage("a")]);
    await look();
    await Promise.all([pass(10), look()]);
    now = new Date("2026-11-25T12:00:00.000Z");
    await pass(15);
    const { since, spans } = await read();
    expect(since).toBe("2026-08-28");
    const own = spans.filter(({ source }) => source === "");
    expect(own).toEqual([
      expect.objectContaining({
        from: "2026-11-17",
        to: "2026-11-19",
        state: "ok",
        minutes: [{ state: "ok", minutes: 40 }],
      }),
      expect.objectContaining({
        from: "2026-11-25",
        to: "2026-11-25",
        state: "expired",
        minutes: [{ state: "expired", minutes: 10 }],
      }),
    ]);
    expect(spans.some(({ source, state }) => source === "cloudflare-radar" && state === "ok")).toBe(true);
    expect(await app.rejected("/api/catalog/v1/list-states?dataset=nothing")).toEqual(["dataset"]);
  });

  test("the page draws them, describes them in words, and says since when they are recorded; after 90 days they end", async () => {
    const response = await app.get("/status", { key: null, headers: { Accept: "text/html" } });
    const $ = load(await response.text());
    expect($("p.about").first().text()).toContain("recorded them since 17 Nov 2026");
    const row = $("#datasets").parent().find('tr:contains("Internet outages")');
    expect(row.find(".days").attr("aria-label")).toMatch(/^80% OK since 17 Nov 2026: .*Expired/);
    expect(row.find(".days path.good").attr("d")).toBe(`M${81 * 8} 7H${84 * 8}`);
    const before = new Date("2026-11-19T00:00:00.000Z");
    expect(await stateRetention.forget(database.kysely, before, { max: 100, now })).toBeGreaterThan(0);
    expect((await read()).spans.map(({ from }) => from).filter((day) => day < "2026-11-20")).toEqual([]);
  });
});
