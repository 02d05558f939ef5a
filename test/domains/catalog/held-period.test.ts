import { load } from "cheerio";
import { describe, expect, test } from "vitest";
import { dayText } from "../../../src/console/view/times.ts";
import { dayMs } from "../../../src/reference/duration.ts";
import { testTime } from "../../support/app.ts";
import { startBed } from "../../support/console/bed.ts";

const bed = startBed();
const list = "/api/conflict/v1/list-conflict-events";
const count = "/api/conflict/v1/count-conflict-events";
const rows = "/api/catalog/v1/count-rows";
const outages = "/api/infrastructure/v1/count-internet-outages";
const before = "start=2020-01-01&end=2020-12-31";

interface Held {
  readonly heldFrom: number;
  readonly isPartial: boolean;
  readonly unavailableReason: string;
}

const oldest = async () => {
  const { events } = await bed.app.json<{ events: { occurredAt: number }[] }>(
    `${list}?start=2020-01-01&sort=oldest&limit=1`,
  );
  return events[0]?.occurredAt ?? 0;
};

const endOfNewest = async () => {
  const { events } = await bed.app.json<{ events: { occurredAt: number }[] }>(`${list}?sort=newest&limit=1`);
  return (Math.floor((events[0]?.occurredAt ?? 0) / dayMs) + 1) * dayMs - 1;
};

const dayAfterNewest = async () => new Date((await endOfNewest()) + 1).toISOString().slice(0, 10);

describe("a period before the held rows", () => {
  test.each([
    ["list", `${list}?`],
    ["count", `${count}?`],
    ["count by day", `${count}?group_by=day&`],
  ])("the %s of events has the flag for a part of it and a reason for all of it", async (_name, path) => {
    const heldFrom = await oldest();
    const partial = await bed.app.json<Held>(`${path}start=2020-01-01`);
    expect(partial).toMatchObject({ heldFrom, isPartial: true, unavailableReason: "" });
    const whole = await bed.app.json<Held>(`${path}${before}`);
    expect(whole).toMatchObject({ heldFrom, isPartial: true, unavailableReason: "before_held_period" });
    const held = await bed.app.json<Held>(`${path}start=${heldFrom}`);
    expect(held).toMatchObject({ heldFrom, isPartial: false, unavailableReason: "" });
  });

  test("an event by ID has no flag, because it has no period", async () => {
    expect(await bed.app.json<Held>(`${list}?id=ucdp-500123`)).toMatchObject({ isPartial: false });
  });

  test("outages have the flag too", async () => {
    expect(await bed.app.json<Held>(outages)).toMatchObject({ isPartial: false });
    expect(await bed.app.json<Held>(`${outages}?start=2020-01-01`)).toMatchObject({ isPartial: true });
    expect(await bed.app.json<Held>(`${outages}?end=2020-12-31`)).toMatchObject({
      unavailableReason: "before_held_period",
    });
  });

  test("files name the missing part, and a file of unknown rows is rejected", async () => {
    const part = await bed.app.get(`${list}?start=2020-01-01&format=csv`);
    const missing = `events before ${new Date(await oldest()).toISOString()}`;
    expect(part.headers.get("X-Data-Missing")).toBe(missing);
    const described = await bed.app.json<{ notes: object[] }>(`${list}?start=2020-01-01&format=csvw`);
    expect(described.notes).toMatchObject([{ missing: [missing] }]);
    expect((await bed.app.get(`${list}?${before}&format=csv`)).status).toBe(404);
    expect((await bed.app.get(`${list}?format=csv`)).headers.get("X-Data-Missing")).toBeNull();
  });

  test("CountRows marks the first month as partial, and a total of nothing held as unknown", async () => {
    const heldFrom = await oldest();
    const of = (path: string, by = "month") =>
      bed.app.json<Held & { groups: { first: string; isPartial: boolean }[]; totalRows: number }>(
        `${rows}?${new URLSearchParams({ path, by })}`,
      );
    const { groups, ...held } = await of(`${list}?start=2020-01-01`);
    const month = new Date(heldFrom).toISOString().slice(0, 7);
    const isWhole = new Date(heldFrom).getUTCDate() === 1;
    const running = testTime.toISOString().slice(0, 10);
    const isPartial = ({ first }: { first: string }) => (first === month && !isWhole) || running.startsWith(first);
    expect(held).toMatchObject({ heldFrom, isPartial: true });
    expect(groups.map(({ first }) => first)[0]).toBe(month);
    expect(groups.map(({ isPartial }) => isPartial)).toEqual(groups.map(isPartial));
    expect(await of(`${list}?${before}`)).toMatchObject({ groups: [], unavailableReason: "before_held_period" });
    const days = (await of(list, "day")).groups.filter(({ isPartial }) => isPartial);
    expect(days.every(({ first }) => first === running)).toBe(true);
  });

  test("CountRows marks a month that had not ended at the time of the data, but no year of yearly rows", async () => {
    const monthsOf = async (query: string) => {
      const path = `${list}?start=2020-01-01${query}`;
      const { groups } = await bed.app.json<{ groups: { first: string; isPartial: boolean }[] }>(
        `${rows}?${new URLSearchParams({ path, by: "month" })}`,
      );
      return groups.slice(-1);
    };
    const first = `${testTime.toISOString().slice(0, 7)}-01`;
    const lastMonth = new Date(Date.parse(first) - dayMs).toISOString().slice(0, 7);
    expect(await monthsOf("")).toMatchObject([{ first: first.slice(0, 7), isPartial: true }]);
    expect(await monthsOf(`&end=${lastMonth}-28`)).toMatchObject([{ first: lastMonth, isPartial: false }]);
    const yearly = "/api/trade/v1/get-trade-flows?reporting_country=276&years=5";
    const { groups } = await bed.app.json<{ groups: { isPartial: boolean }[] }>(
      `${rows}?${new URLSearchParams({ path: yearly, by: "year" })}`,
    );
    expect(groups.map(({ isPartial }) => isPartial)).not.toContain(true);
  });

  test("CountRows takes the held period of other reads from the coverage of their datasets", async () => {
    const path = "/api/economic/v1/list-global-tenders";
    const { heldFrom } = await bed.app.json<Held>(`${rows}?${new URLSearchParams({ path, by: "month" })}`);
    const { coverage } = await bed.app.json<{ coverage: { sources: { firstAt?: number }[] } }>(
      "/api/catalog/v1/get-dataset?name=global-tenders",
    );
    expect(heldFrom).toBe(Math.min(...coverage.sources.flatMap(({ firstAt }) => firstAt ?? [])));
  });

  test("pages say from when on rows are held, with links to the series", async () => {
    const page = async (query: string) =>
      load(await (await bed.app.get(`/data/conflict-events?${query}`, { headers: { Accept: "text/html" } })).text());
    const text = `Rows are held from ${dayText(await oldest())} to ${dayText(await endOfNewest())}.`;
    const $ = await page(before);
    expect($("section:has(> #rows) .notice").text()).toContain(text);
    expect($("section:has(> #rows) .notice a").first().attr("href")).toBe("/series/conflict.events");
    expect((await page(""))("section:has(> #rows) .notice")).toHaveLength(0);
    expect((await page("start=2020-01-01"))(".count-chart figcaption").text()).toContain(text);
    expect((await page(`start=${await dayAfterNewest()}`))("section:has(> #rows) .notice").text()).toContain(text);
  });
});

describe("a period after the newest held rows", () => {
  test.each([
    ["list", `${list}?`],
    ["count", `${count}?country=NO&`],
    ["count by day", `${count}?group_by=day&`],
  ])("the %s of events has a reason, and the end of the newest day", async (_name, path) => {
    const heldTo = await endOfNewest();
    const later = await bed.app.get(`${path}start=${await dayAfterNewest()}`);
    expect(await later.json()).toMatchObject({ heldTo, isPartial: true, unavailableReason: "after_held_period" });
    expect(later.headers.get("X-Data-Missing")).toBe(`events after ${new Date(heldTo).toISOString()}`);
    const until = await bed.app.json<Held>(`${path}start=${new Date(heldTo - dayMs).toISOString()}`);
    expect(until).toMatchObject({ heldTo, isPartial: false, unavailableReason: "" });
    const across = await bed.app.get(`${path}start=${heldTo - dayMs}&end=${await dayAfterNewest()}`);
    expect(await across.json()).toMatchObject({ heldTo, isPartial: false, unavailableReason: "" });
    expect(across.headers.get("X-Data-Missing")).toBe(`events after ${new Date(heldTo).toISOString()}`);
  });

  test("a file of later rows is rejected", async () => {
    const response = await bed.app.get(`${list}?start=${await dayAfterNewest()}&format=csv`);
    expect([response.status, await response.text()]).toEqual([404, expect.stringContaining("after_held_period")]);
  });

  test("CountRows says that the total is unknown, and marks the month that lacks its last days", async () => {
    const heldTo = await endOfNewest();
    const of = (path: string) =>
      bed.app.json<Held & { groups: { isPartial: boolean }[] }>(
        `${rows}?${new URLSearchParams({ path, by: "month" })}`,
      );
    const unavailableReason = "after_held_period";
    expect(await of(`${list}?start=${await dayAfterNewest()}`)).toMatchObject({
      groups: [],
      heldTo,
      unavailableReason,
    });
    const { groups, ...held } = await of(`${list}?end=${await dayAfterNewest()}`);
    expect(held).toMatchObject({ heldTo, isPartial: false });
    expect(groups.at(-1)).toMatchObject({ isPartial: true });
  });

  test("CountRows compares no period of which no row is held", async () => {
    const compareWith = `${list}?start=2026-11-01&end=2026-11-02`;
    const path = `${list}?start=${await dayAfterNewest()}`;
    const body = await bed.app.json<object>(
      `${rows}?${new URLSearchParams({ path, by: "country", compare_with: compareWith })}`,
    );
    expect(body).toMatchObject({ groups: [], totalRows: 0, unavailableReason: "after_held_period" });
    expect(body).not.toHaveProperty("comparedTotalRows");
  });

  test("a page compares as many days as are held", async () => {
    const heldTo = await endOfNewest();
    const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
    const query = `start=${dayOf(heldTo - 2 * dayMs)}&end=${dayOf(heldTo + 5 * dayMs)}&by=country&compare=before`;
    const page = await bed.app.get(`/data/conflict-events?${query}`, { headers: { Accept: "text/html" } });
    const text = load(await page.text())("section:has(> #counts)").text();
    expect(text).toContain(`Compared with ${dayText(heldTo - 5 * dayMs)} to ${dayText(heldTo - 3 * dayMs)}: `);
  });

  test("a period with only an early end has the thirty days before it", async () => {
    const { events } = await bed.app.json<{ events: { occurredAt: number }[] }>(`${list}?end=2026-10-05&limit=5000`);
    const days = events.map(({ occurredAt }) => occurredAt);
    expect(days.length).toBeGreaterThan(0);
    expect(Math.max(...days)).toBeLessThan(Date.parse("2026-10-06"));
    expect(Math.min(...days)).toBeGreaterThanOrEqual(Date.parse("2026-09-05"));
  });

  test("outages have no end, because the source reports them at once", async () => {
    const body = await bed.app.json<object>(`${outages}?start=${testTime.toISOString()}`);
    expect(body).toMatchObject({ isPartial: false, unavailableReason: "" });
    expect(body).not.toHaveProperty("heldTo");
  });
});
