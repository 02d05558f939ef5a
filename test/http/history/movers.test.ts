import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dayMs, minuteMs } from "../../../src/reference/duration.ts";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";
import { openLoaded } from "../../support/loaded.ts";
import { storePoints } from "../../support/points.ts";

interface Component {
  readonly name: string;
  readonly valueThen?: number;
  readonly valueNow?: number;
  readonly change?: number;
}

interface Mover {
  readonly key: string;
  readonly valueThen: number;
  readonly atThen: number;
  readonly valueNow: number;
  readonly atNow: number;
  readonly change: number;
  readonly relativeChange?: number;
  readonly components: readonly Component[];
  readonly remainder: number;
}

interface Answer {
  readonly from: number;
  readonly to: number;
  readonly movers: readonly Mover[];
  readonly excludedKeys: readonly { readonly key: string; readonly reason: string }[];
  readonly unknownKeys: readonly string[];
  readonly emptyReason: string;
  readonly note: string;
}

const path = "/api/history/v1/list-movers";
const now = testTime.getTime();
const today = Math.floor(now / dayMs);

describe("movers of samples", () => {
  let database: Database;
  let app: TestApp;
  beforeAll(async () => {
    database = await openLoaded();
    app = await startApp(database);
  }, 120_000);
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    await database.close();
  });
  const movers = (query: string) => app.json<Answer>(`${path}?${query}`);

  test("are explained by components that add up to the change with the remainder", async () => {
    for (const series of ["risk.score", "resilience.score"])
      for (const days of [1, 7, 30, 90, 365]) {
        const answer = await movers(`series=${series}&days=${days}&limit=100`);
        expect(answer.excludedKeys, `${series} ${days}`).toEqual([]);
        if (days > 7) expect(answer.movers.length, `${series} ${days}`).toBeGreaterThan(5);
        for (const { key, change, components, remainder, valueNow } of answer.movers) {
          expect(components.length, key).toBeGreaterThan(0);
          for (const { name, valueThen = Number.NaN, valueNow: last = Number.NaN, change: own } of components)
            expect(own, `${key} ${name}`).toBeCloseTo(last - valueThen, 9);
          const sum = components.reduce((total, component) => total + (component.change ?? Number.NaN), 0);
          expect(sum + remainder, key).toBeCloseTo(change, 8);
          const contributed = components.reduce((total, { valueNow: last = Number.NaN }) => total + last, 0);
          expect(Math.abs(contributed - valueNow), key).toBeLessThanOrEqual(0.5);
          if (series === "resilience.score") expect(Math.abs(remainder), key).toBeLessThan(0.1);
        }
      }
  });

  test("have the values that the series has at both times", async () => {
    const { movers: listed, from } = await movers("series=risk.score&days=90&limit=100");
    const { points } = await app.json<{ points: { key: string; at: number; value: number }[] }>(
      `/api/history/v1/get-series?series=risk.score&keys=${listed.map(({ key }) => key)}&from=2026-08-10`,
    );
    for (const { key, valueThen, atThen, valueNow, atNow } of listed) {
      const own = points.filter((point) => point.key === key);
      expect(
        own.findLast(({ at }) => at <= from),
        key,
      ).toMatchObject({ at: atThen, value: valueThen });
      expect(own.at(-1), key).toMatchObject({ at: atNow, value: valueNow });
    }
  });

  test("of counts are the sums of the points at any time, also before the first load, and name each other key", async () => {
    interface Point {
      readonly key: string;
      readonly at: number;
      readonly value?: number;
    }
    for (const series of ["conflict.fatalities", "outages.count", "chokepoint.transits"])
      for (const [to, days] of [
        ["2026-03-31", 30],
        ["2026-08-31", 7],
        ["2026-11-10T12:00:00Z", 30],
      ] as const) {
        const { movers: listed, excludedKeys } = await movers(`series=${series}&days=${days}&to=${to}&limit=100`);
        expect(listed.length, `${series} ${to}`).toBeGreaterThan(3);
        const names = [...listed, ...excludedKeys].map(({ key }) => key).slice(0, 50);
        const { points } = await app.json<{ points: readonly Point[] }>(
          `/api/history/v1/get-series?series=${series}&from=2025-11-01&keys=${names.join(",")}`,
        );
        const end = Math.floor((to.length > 10 ? Date.parse(to) : Date.parse(to) + dayMs) / dayMs) * dayMs;
        for (const { key, valueThen, valueNow, atNow } of listed.filter((each) => names.includes(each.key))) {
          const own = points.filter((point) => point.key === key && point.at < end);
          const last = Math.max(...own.map(({ at }) => at));
          const sum = (from: number, until: number) =>
            own.reduce((total, { at, value = 0 }) => total + (at > from && at <= until ? value : 0), 0);
          const length = days * dayMs;
          const expected = [sum(last - 2 * length, last - length), sum(last - length, last), last];
          expect([valueThen, valueNow, atNow], `${series} ${to} ${key}`).toEqual(expected);
        }
      }
  });

  test("come as tables, with their sources and the mark of a sample", async () => {
    const response = await app.get(`${path}?series=risk.score&limit=3&keys=MM,UA,QQ&format=csv`);
    const [head, ...rows] = (await response.text()).trim().split("\r\n");
    expect(head).toBe(
      "series,unit,scale,key,valueThen,atThen,atThen.iso,valueNow,atNow,atNow.iso,change,relativeChange,components,remainder",
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(response.headers.get("X-Unknown-Keys")).toBe("QQ");
    expect(response.headers.get("X-Data-Origin")).toBe("sample");
    expect(response.headers.get("X-Data-Sources")).toContain("acled-unrest");
    expect(response.headers.get("Link")).toContain('</docs/list-movers>; rel="help"');
  });

  test("are rejected as their series is, beyond the plan, and if a parameter is wrong", async () => {
    const status = async (query: string, plan: string) =>
      (await app.get(`${path}?${query}`, { key: await app.key(plan) })).status;
    const { status: shown } = await app.get("/api/resilience/v1/get-resilience-score?country_code=DE", {
      key: await app.key("free"),
    });
    expect(await status("series=resilience.score", "free")).toBe(shown);
    expect(await status("series=resilience.score&days=365", "pro_monthly")).toBe(200);
    const tooFar = await app.get(`${path}?series=resilience.score&days=90&to=2025-11-30`, {
      key: await app.key("pro_monthly"),
    });
    expect([tooFar.status, await tooFar.json()]).toEqual([
      403,
      { error: "to: the plan pro_monthly goes back 400 days" },
    ]);
    // Values that the source itself publishes are available at any age.
    expect(await status("series=macro.growth&days=365&to=2020-01-01", "pro_monthly")).toBe(200);
    for (const [query, field] of [
      ["", "series"],
      ["series=risk", "series"],
      ["series=risk.score&days=2", "days"],
      ["series=risk.score&limit=101", "limit"],
      ["series=risk.score&direction=sideways", "direction"],
      ["series=risk.score&to=soon", "to"],
    ] as const)
      expect(await app.rejected(`${path}?${query}`), query).toEqual([field]);
    await using live = await startApp(database, { environment: { IDS_DATA: "live", IDS_SGE: "on" } });
    const withheld = await live.get(`${path}?series=premium.usd`);
    expect([withheld.status, await withheld.json()]).toEqual([
      403,
      { error: "The terms of sge permit only current values" },
    ]);
    expect(await live.json(`${path}?series=risk.score`)).toMatchObject({ movers: [], emptyReason: "not_loaded" });
  });

  test("say which keys the series does not have", async () => {
    expect(await movers("series=gas.fill&keys=DE")).toMatchObject({
      ...{ movers: [], unknownKeys: ["DE"], emptyReason: "not_covered" },
      note: "gas.fill covers EU; DE is not one of them. Related series with values: gas.country_fill.",
    });
    const parts = await movers("series=vulnerability.score&keys=germany&days=365&limit=100");
    expect(parts.movers.length).toBeGreaterThan(2);
    expect(parts.movers.every(({ key }) => key.startsWith("DE/"))).toBe(true);
  });
});

describe("movers of recorded values", () => {
  let database: Database;
  let app: TestApp;
  beforeAll(async () => {
    database = await openOnce();
    app = await startApp(database, { environment: { IDS_DATA: "live" } });
  }, 120_000);
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    await database.close();
  });
  const movers = (query: string) => app.json<Answer>(`${path}?${query}`);

  test("equal an independent computation for every span and direction", async () => {
    const point = fc.record({
      daysAgo: fc.integer({ min: 0, max: 420 }),
      value: fc.integer({ min: -20, max: 20 }),
      method: fc.constantFrom("a", "a", "a", "a", "a", "a", "a", "a", "a", "b"),
    });
    const keys = fc.sample(fc.uniqueArray(point, { selector: ({ daysAgo }) => daysAgo, maxLength: 90 }), {
      numRuns: 80,
      seed: 7,
    });
    const stored = keys.flatMap((points, place) =>
      points.map(({ daysAgo, ...rest }) => ({ key: `K${place}`, at: (today - daysAgo) * dayMs, ...rest })),
    );
    await storePoints(database, "gas.country_fill", stored);
    const names = [...new Set(stored.map(({ key }) => key))].toSorted((a, b) => (a < b ? -1 : 1));
    for (const days of [1, 7, 30, 90, 365])
      for (const direction of ["up", "down", "any"] as const) {
        const start = now - days * dayMs;
        const expected = names.map((key) => {
          const own = stored.filter((each) => each.key === key).toSorted((a, b) => a.at - b.at);
          const then = own.findLast(({ at }) => at <= start);
          const last = own.findLast(({ at }) => at > start);
          if (!then || then.at < start - 14 * dayMs) return { key, reason: "no_value_then" };
          if (!last || last.at < now - 14 * dayMs) return { key, reason: "no_value_now" };
          const between = own.filter(({ at }) => at >= then.at && at <= last.at);
          if (between.some(({ method }) => method !== then.method)) return { key, reason: "break" };
          return { key, change: last.value - then.value };
        });
        const sign = { up: 1, down: -1, any: 0 }[direction];
        const ranked = expected
          .flatMap(({ key, change = 0 }) => (change === 0 || change * sign < 0 ? [] : { key, change }))
          .toSorted((a, b) => Math.abs(b.change) - Math.abs(a.change) || (a.key < b.key ? -1 : 1));
        const answer = await movers(`series=gas.country_fill&days=${days}&direction=${direction}&limit=5`);
        expect(answer.movers.map(({ key, change }) => ({ key, change }))).toEqual(ranked.slice(0, 5));
        expect(answer.excludedKeys).toEqual(expected.filter(({ reason }) => reason !== undefined));
        for (const { valueThen, change, relativeChange, remainder, components } of answer.movers) {
          if (valueThen === 0) expect(relativeChange).toBeUndefined();
          else expect(relativeChange).toBeCloseTo(change / Math.abs(valueThen), 9);
          expect([remainder, components]).toEqual([change, []]);
        }
      }
  });

  test("of counts compare the last counted days with as many days before, as an independent computation does", async () => {
    const own = fc.record({
      last: fc.integer({ min: 0, max: 18 }),
      values: fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 800 }),
      changed: fc.option(fc.integer({ min: 0, max: 200 }), { freq: 4 }),
    });
    const keys = fc.sample(own, { numRuns: 40, seed: 11 }).map((each, place) => ({ key: `C${place}`, ...each }));
    const pointsOf = ({ key, last, values, changed }: (typeof keys)[number]) =>
      values.map((value, ago) => {
        const method = changed !== null && ago >= changed ? "a" : "b";
        return { key, at: (today - last - ago) * dayMs, value, method };
      });
    await storePoints(database, "conflict.fatalities", keys.flatMap(pointsOf));
    const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
    for (const days of [1, 7, 30, 90, 365]) {
      const expected = keys.map(({ key, changed: changedAgo, ...own }) => {
        // The current day is not over, so it is not counted.
        const running = own.last === 0 ? 1 : 0;
        const [last, values] = [own.last + running, own.values.slice(running)];
        const changed = changedAgo === null ? null : changedAgo - running;
        if (values.length === 0) return { key, reason: "no_value_then" };
        if (last >= 14) return { key, reason: "no_value_now" };
        if (values.length < 2 * days) return { key, reason: "no_value_then" };
        if (changed !== null && changed > 0 && changed < 2 * days) return { key, reason: "break" };
        const [valueNow, valueThen] = [sum(values.slice(0, days)), sum(values.slice(days, 2 * days))];
        const at = (today - last) * dayMs;
        return { key, valueThen, valueNow, change: valueNow - valueThen, atThen: at - days * dayMs, atNow: at };
      });
      const ranked = expected
        .filter(({ change = 0 }) => change !== 0)
        .toSorted((a, b) => Math.abs(b.change ?? 0) - Math.abs(a.change ?? 0) || (a.key < b.key ? -1 : 1));
      const answer = await movers(`series=conflict.fatalities&days=${days}&limit=100`);
      expect(answer.movers, `${days}`).toMatchObject(ranked);
      expect(answer.movers, `${days}`).toHaveLength(ranked.length);
      const byKey = expected.filter(({ reason }) => reason !== undefined).toSorted((a, b) => (a.key < b.key ? -1 : 1));
      expect(answer.excludedKeys, `${days}`).toEqual(byKey);
    }
  });

  test("have no component change if a contribution was not stored on the day of the value", async () => {
    const then = now - 30 * dayMs;
    const [early, late] = [then - minuteMs, now - minuteMs];
    await storePoints(database, "risk.score", [
      ...[
        { key: "UA", at: early, value: 60 },
        { key: "UA", at: late, value: 70.4 },
      ],
      ...[
        { key: "MM", at: early, value: 50 },
        { key: "MM", at: late, value: 40 },
      ],
      ...[
        { key: "SY", at: early, value: 0 },
        { key: "SY", at: late, value: 3 },
      ],
    ]);
    await storePoints(database, "risk.contribution", [
      ...[
        { key: "UA/conflict", at: early, value: 10.1 },
        { key: "UA/conflict", at: late, value: 20.3 },
      ],
      ...[
        { key: "UA/fires", at: early, value: 0 },
        { key: "UA/fires", at: late, value: 0 },
      ],
      { key: "UA/unrest", at: late, value: 5 },
      ...[
        { key: "MM/conflict", at: then - dayMs, value: 10 },
        { key: "MM/conflict", at: late, value: 20 },
      ],
    ]);
    const { movers: listed, note } = await movers("series=risk.score");
    expect(listed).toEqual([
      {
        ...{ key: "UA", valueThen: 60, atThen: then - minuteMs, valueNow: 70.4, atNow: now - minuteMs },
        ...{ change: 10.4, relativeChange: 0.173333333, remainder: 0.2 },
        components: [
          { name: "conflict", valueThen: 10.1, valueNow: 20.3, change: 10.2 },
          { name: "unrest", valueNow: 5 },
        ],
      },
      {
        ...{ key: "MM", valueThen: 50, atThen: then - minuteMs, valueNow: 40, atNow: now - minuteMs },
        ...{ change: -10, relativeChange: -0.2, remainder: -10 },
        components: [{ name: "conflict", valueNow: 20 }],
      },
      {
        ...{ key: "SY", valueThen: 0, atThen: then - minuteMs, valueNow: 3, atNow: now - minuteMs },
        ...{ change: 3, remainder: 3, components: [] },
      },
    ]);
    expect(note).toBe("risk.contribution has no values for some of the times.");
  });

  test("are those known at an earlier time with as_of, before a correction and before another method", async () => {
    const series = "chokepoint.disruption";
    const at = (daysAgo: number) => now - daysAgo * dayMs;
    const point = (daysAgo: number, value: number) => ({ key: "suez", at: at(daysAgo), value });
    await storePoints(database, series, [point(8.75, 10)], at(8.75));
    await storePoints(database, series, [point(2, 30)], at(2));
    await storePoints(database, series, [point(2, 20)], at(1));
    await storePoints(database, series, [{ ...point(0.1, 90), method: "b" }], at(0.1));
    const asOf = (daysAgo: number) => movers(`series=${series}&days=7&as_of=${new Date(at(daysAgo)).toISOString()}`);
    expect((await asOf(1.5)).movers).toMatchObject([{ key: "suez", valueThen: 10, valueNow: 30, change: 20 }]);
    expect((await asOf(0.5)).movers).toMatchObject([{ key: "suez", valueThen: 10, valueNow: 20, change: 10 }]);
    expect(await movers(`series=${series}&days=7`)).toMatchObject({
      ...{ movers: [], excludedKeys: [{ key: "suez", reason: "break" }], emptyReason: "no_points" },
      note: `No comparable value of ${series} changed from 2026-11-11 to 2026-11-18.`,
    });
    const early = await app.get(`${path}?series=${series}&as_of=${new Date(at(20)).toISOString()}`);
    expect([early.status, await early.text()]).toEqual([400, expect.stringContaining("or later: no points of")]);
  });
});
