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
    const text = `Rows are held from ${dayText(await oldest())}.`;
    const $ = await page(before);
    expect($("section:has(> #rows) .notice").text()).toContain(text);
    expect($("section:has(> #rows) .notice a").first().attr("href")).toBe("/series/conflict.events");
    expect((await page(""))("section:has(> #rows) .notice")).toHaveLength(0);
    expect((await page("start=2020-01-01"))(".count-chart figcaption").text()).toContain("are not held");
  });
});
