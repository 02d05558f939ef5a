import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countries } from "../../../src/reference/countries/countries.ts";
import { dayMs, minuteMs } from "../../../src/reference/duration.ts";
import type { Database } from "../../../src/store/database.ts";
import { retainPoints } from "../../../src/store/history/series-points.ts";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { openLoaded } from "../../support/loaded.ts";

interface Listed {
  readonly id: string;
  readonly title: string;
  readonly dataset: string;
  readonly operation: string;
  readonly step: string;
  readonly keyParts: readonly string[];
  readonly keys: number;
  readonly firstAt?: number;
  readonly lastAt?: number;
}

interface Point {
  readonly key: string;
  readonly at: number;
  readonly value?: number;
  readonly isBreak: boolean;
  readonly isPartial: boolean;
}

interface Answer {
  readonly unit: string;
  readonly scale: number;
  readonly points: readonly Point[];
  readonly unknownKeys: readonly string[];
}

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

const series = (query: string) => app.json<Answer>(`/api/history/v1/get-series?${query}`);
const count = async () =>
  ((await database.query("select count(*)::int4 as n from series_point")).rows as { n: number }[])[0]?.n;

describe("series", () => {
  test("of every dataset are listed with title, operation, keys and time, and have points", async () => {
    const { series: listed } = await app.json<{ series: Listed[] }>("/api/history/v1/list-series");
    expect(listed.length).toBeGreaterThanOrEqual(30);
    for (const { id, title, keys, firstAt = 0, lastAt = 0 } of listed) {
      expect(title, id).not.toBe("");
      expect(keys, id).toBeGreaterThan(0);
      expect(firstAt, id).toBeLessThanOrEqual(lastAt);
    }
    const ofCountries = listed.filter(({ keyParts }) => keyParts[0] === "country").map(({ id }) => id);
    const { rows } = (await database.query(
      "select distinct split_part(key, '/', 1) as country from series_key where series = any($1)",
      [ofCountries],
    )) as { rows: { country: string }[] };
    expect(rows.filter(({ country }) => !countries.has(country))).toEqual([]);
    expect(listed.map(({ id }) => id)).toEqual(listed.map(({ id }) => id).toSorted());
    const { series: ofRisk } = await app.json<{ series: Listed[] }>("/api/history/v1/list-series?dataset=risk-scores");
    expect(ofRisk.map(({ id }) => id)).toEqual(["risk.conflict", "risk.contribution", "risk.score", "risk.unrest"]);
    expect(await app.rejected("/api/history/v1/list-series?dataset=riskscores")).toEqual(["dataset"]);
  });

  test("end with the current value of their operation", async () => {
    const { ciiScores } = await app.json<{ ciiScores: { region: string; combinedScore: number }[] }>(
      "/api/intelligence/v1/get-risk-scores",
    );
    const { points, unknownKeys } = await series(`series=risk.score&keys=${ciiScores.map(({ region }) => region)}`);
    expect(unknownKeys).toEqual([]);
    for (const { region, combinedScore } of ciiScores)
      expect(points.findLast(({ key }) => key === region)?.value, region).toBe(combinedScore);
    const counts = await app.json<{ counts: { day: string; outages: number }[] }>(
      "/api/infrastructure/v1/count-internet-outages?group_by=day&country=SY",
    );
    const days = await series("series=outages.count&keys=SY&from=2026-08-01");
    const reported = days.points
      .filter(({ value }) => value !== 0)
      .map(({ at, value }) => [new Date(at).toISOString().slice(0, 10), value]);
    expect(reported.reverse()).toEqual(counts.counts.map(({ day, outages }) => [day, outages]));
  });

  test("name the sources that they are from, whom to credit and where their terms are", async () => {
    const { series: listed } = await app.json<{ series: (Listed & { sources: string[] })[] }>(
      "/api/history/v1/list-series",
    );
    for (const { id, sources } of listed) {
      const path = `/api/history/v1/get-series?series=${id}&keys=UA`;
      const { headers } = await app.get(path);
      const named = headers.get("X-Data-Sources")?.split(", ") ?? [];
      expect(named, id).toEqual(expect.arrayContaining(sources));
      expect(named.length, id).toBeGreaterThan(0);
      const link = headers.get("Link") ?? "";
      const [page = "", anchor] = (/<([^>]+)>; rel="license"/.exec(link)?.[1] ?? "").split("#");
      expect(await (await app.get(page)).text(), id).toContain(`id="${anchor}"`);
      const described = (await (await app.get(`${path}&format=csvw`)).json()) as Record<string, string>;
      expect(described["dc:rights"], id).not.toBe("");
    }
    const { headers } = await app.get("/api/history/v1/get-series?series=conflict.fatalities&keys=UA");
    expect(headers.get("X-Data-Sources")).toBe("acled, ucdp");
    // Of its dataset, not of all that the read which shows it is made from.
    const disruption = await app.get("/api/history/v1/get-series?series=chokepoint.disruption&keys=suez");
    expect(disruption.headers.get("X-Data-Sources")).toBe("portwatch, nga-warnings");
    // The score is also computed from events and outages of other datasets.
    const risk = listed.find(({ id }) => id === "risk.score")?.sources;
    expect(risk).toEqual(expect.arrayContaining(["acled", "acled-unrest", "cloudflare-radar", "ucdp"]));
    expect(headers.get("Link")).toContain('</docs/get-series>; rel="help"');
  });

  test("grow by the changes only, and do not grow if a refresh is repeated or the program restarts", async () => {
    const before = await count();
    for (const name of ["risk-scores", "conflict-events", "trade-flows", "shipping-stress"] as const)
      await app.refresh(name);
    expect(await count()).toBe(before);
    app.setTime(new Date(testTime.getTime() + 5 * minuteMs));
    await app.refresh("risk-scores");
    expect(await count()).toBe(before);
    // The first values of a new UTC day are points though nothing changed.
    app.setTime(new Date(testTime.getTime() + dayMs));
    await app.refresh("shipping-stress");
    expect(await count()).toBe((before ?? 0) + 1);
    app.setTime(testTime);
  });

  test("are invented only in the sample, up to the first point, identical each time, and marked as a sample", async () => {
    const path = "/api/history/v1/get-series?series=resilience.score&keys=DE,NO&from=2026-01-01&interval=day";
    const response = await app.get(path);
    expect(response.headers.get("X-Data-Origin")).toBe("sample");
    const answer = (await response.json()) as Answer;
    expect(answer.points).toHaveLength(2 * 322);
    expect(answer.points.every(({ value }) => value !== undefined && value >= 0 && value <= 100)).toBe(true);
    expect(await (await app.get(path)).json()).toEqual(answer);
    expect(response.headers.get("X-Unknown-Keys")).toBeNull();
    const file = await app.get("/api/history/v1/get-series?series=resilience.score&keys=DE,XX,Y%25&format=csv");
    expect([file.status, file.headers.get("X-Unknown-Keys")]).toEqual([200, "XX, Y%25"]);
    await using live = await startApp(database, { environment: { IDS_DATA: "live" } });
    expect(await (await live.get(path)).json()).toEqual({
      series: "resilience.score",
      unit: "",
      scale: 1,
      points: [],
      unknownKeys: [],
      emptyReason: "not_loaded",
      note: "resilience.score has no points yet: no refresh of resilience-scores has stored any.",
      relatedSeries: [],
    });
  });

  test("take a country of a key in every form, and no other key for a country", async () => {
    for (const [id, text, key] of [
      ["macro.growth", "UK", "GB"],
      ["macro.growth", "gbr", "GB"],
      ["macro.growth", "826", "GB"],
      ["trade.exports", "Germany", "DE"],
      ["vulnerability.score", "UK/crude_oil", "GB/crude_oil"],
    ] as const) {
      const answer = await series(`series=${id}&from=2015-01-01&keys=${encodeURIComponent(text)}`);
      expect(answer, text).toEqual(await series(`series=${id}&from=2015-01-01&keys=${key}`));
      expect(answer.points[0]?.key, text).toBe(key);
    }
    expect((await series("series=macro.growth&keys=UK,GB,Neverland")).unknownKeys).toEqual(["NEVERLAND"]);
    expect((await series("series=chokepoint.disruption&keys=UK")).unknownKeys).toEqual(["UK"]);
  });

  test("say why a response has no points, and name related series that have the key", async () => {
    for (const [query, expected] of [
      [
        "series=gas.fill&keys=DE",
        {
          unknownKeys: ["DE"],
          emptyReason: "not_covered",
          note: "gas.fill covers EU; DE is not one of them. Related series with values: gas.country_fill.",
          relatedSeries: ["gas.country_fill"],
        },
      ],
      [
        "series=gas.stored&keys=FR,QQ",
        {
          unknownKeys: ["FR", "QQ"],
          emptyReason: "not_covered",
          note: "gas.stored covers EU; FR is not one of them. Unknown key of gas.stored: QQ. Use one of: EU. Related series with values: gas.country_fill.",
        },
      ],
      [
        "series=risk.score&keys=SD,NG",
        {
          emptyReason: "not_covered",
          note: expect.stringMatching(
            /^risk\.score covers 31 countries; SD and NG are not among them\. Use one of: US, /,
          ),
        },
      ],
      [
        "series=trade.exports&keys=DE&from=1950-01-01&to=1951-12-31",
        {
          unknownKeys: [],
          emptyReason: "no_points",
          note: expect.stringMatching(
            /^No points of trade\.exports from 1950-01-01 to 1951-12-31\. The points begin on \d{4}-01-01\.$/,
          ),
        },
      ],
      [
        "series=conflict.fatalities&keys=UA,IS&from=2020-01-01&interval=month",
        {
          unknownKeys: [],
          emptyReason: "",
          note: expect.stringMatching(
            /^No points of conflict\.fatalities for IS from 2020-01-01 to 2026-11-18\. Some keys have no points yet: a key begins with its first value or event\. The points begin on 202\d-\d\d-\d\d\.$/,
          ),
        },
      ],
      // A country without an event is known.
      ["series=conflict.fatalities&keys=IS", { unknownKeys: [], emptyReason: "no_points" }],
      ["series=risk.score&keys=UA,SD", { unknownKeys: ["SD"], emptyReason: "", note: expect.stringMatching(/^risk/) }],
      ["series=risk.score&keys=UA", { unknownKeys: [], emptyReason: "", note: "", relatedSeries: [] }],
    ] as const)
      expect(await series(query), query).toMatchObject(expected);
    await using live = await startApp(database, { environment: { IDS_DATA: "live" } });
    for (const [id, key, unknownKeys] of [
      ["conflict.fatalities", "UA", []],
      ["chokepoint.disruption", "suez", []],
      ["risk.score", "MM", []],
      ["macro.growth", "XX,DE", ["XX"]],
    ] as const)
      expect(await live.json(`/api/history/v1/get-series?series=${id}&keys=${key}`), id).toMatchObject({
        points: [],
        unknownKeys,
        emptyReason: "not_loaded",
      });
  });

  test("are refused as their operation is, beyond the plan, and with the rule where the request is wrong", async () => {
    const free = await app.key("free");
    const requested = (query: string, key: string) => app.get(`/api/history/v1/get-series?${query}`, { key });
    const risk = await app.get("/api/resilience/v1/get-resilience-score?country_code=DE", { key: free });
    expect((await requested("series=resilience.score&keys=DE", free)).status).toBe(risk.status);
    const pro = await app.key("pro_monthly");
    expect((await requested("series=resilience.score&keys=DE&from=2025-11-01", pro)).status).toBe(200);
    const tooFar = await requested("series=resilience.score&keys=DE&from=2024-01-01", pro);
    expect(tooFar.status).toBe(403);
    expect(await tooFar.json()).toEqual({ error: "from: the plan pro_monthly goes back 400 days" });
    // The span of an earlier state also counts from now.
    expect((await requested("series=resilience.score&keys=DE&as_of=2025-11-01", pro)).status).toBe(403);
    // Values that the source itself publishes keep their age.
    expect((await requested("series=trade.exports&keys=DE&from=1990-01-01", pro)).status).toBe(200);
    for (const [query, field] of [
      ["keys=DE", "series"],
      ["series=risk&keys=UA", "series"],
      [`series=risk.score&keys=${Array.from({ length: 51 }, (_, place) => `K${place}`)}`, "keys"],
      ["series=risk.score&keys=UA&from=yesterday", "from"],
      ["series=risk.score&keys=UA&from=2026-12-01", "from"],
      ["series=risk.score&keys=UA&from=2026-11-10&to=2026-11-09", "from"],
      ["series=risk.score&keys=UA&interval=hour", "interval"],
      ["series=risk.score&keys=UA&aggregation=median", "aggregation"],
      ["series=risk.score&keys=UA&interval=week&aggregation=sum", "aggregation"],
      [`series=vulnerability.score&keys=${["DE", "FR", "IT", "ES", "PL", "NL"]}&from=2025-11-01`, "interval"],
    ] as const)
      expect(await app.rejected(`/api/history/v1/get-series?${query}`), query).toEqual([field]);
  });

  test("return the values known at a time, before a correction, and start with a break after another method", async () => {
    const at = new Date("2026-11-10T00:00:00Z");
    const retain = (value: number, methodology: string, day: Date, recordedAt: Date) =>
      database.kysely.transaction().execute((transaction) =>
        retainPoints(
          transaction,
          [
            {
              series: "gas.fill",
              origin: "sample",
              basis: { methodology, sources: "agsi" },
              areSampled: false,
              points: [{ key: "TEST", at: day, value }],
            },
          ],
          recordedAt,
        ),
      );
    const recorded = new Date(testTime.getTime() - 3 * dayMs);
    await retain(10, "a", at, recorded);
    await retain(12, "a", at, new Date(recorded.getTime() + dayMs));
    await retain(12, "a", at, new Date(recorded.getTime() + 2 * dayMs));
    await retain(14, "b", new Date(at.getTime() + dayMs), new Date(recorded.getTime() + dayMs));
    expect((await series("series=gas.fill&keys=test&from=2026-11-10")).points).toEqual([
      { key: "TEST", at: at.getTime(), value: 12, isBreak: false, isPartial: false },
      { key: "TEST", at: at.getTime() + dayMs, value: 14, isBreak: true, isPartial: false },
    ]);
    const then = new Date(recorded.getTime() + minuteMs).toISOString();
    expect((await series(`series=gas.fill&keys=test&from=2026-11-10&as_of=${then}`)).points).toEqual([
      { key: "TEST", at: at.getTime(), value: 10, isBreak: false, isPartial: false },
    ]);
    const before = new Date(recorded.getTime() - dayMs).toISOString();
    const rejected = await app.get(`/api/history/v1/get-series?series=gas.fill&keys=test&as_of=${before}`);
    expect([rejected.status, await rejected.json()]).toMatchObject([
      400,
      { violations: [{ field: "as_of", description: expect.stringContaining(`${recorded.toISOString()} or later`) }] },
    ]);
    const { rows } = await database.query("select from series_point join series_key on id = key_id where key = 'TEST'");
    expect(rows).toHaveLength(3);
  });

  test("say on which scale their values are, in the list, in answers and in files", async () => {
    const { series: listed } = await app.json<{ series: (Listed & { scale: number })[] }>(
      "/api/history/v1/list-series",
    );
    const query = "series=trade.exports&keys=DE&from=2015-01-01";
    const { unit, scale } = await series(query);
    expect({ unit, scale }).toEqual({ unit: "USD", scale: 1_000_000 });
    expect(listed.find(({ id }) => id === "trade.exports")?.scale).toBe(scale);
    const rows = (await (await app.get(`/api/history/v1/get-series?${query}&format=csv`)).text()).split("\r\n");
    expect(rows[1]).toMatch(/^trade\.exports,USD,1000000,DE/);
    const about = await (await app.get(`/api/history/v1/get-series?${query}&format=csvw`)).text();
    expect(about).toContain("Factor that converts `value` to `unit`");
  });

  test("begin with a whole interval wherever `from` lies in it, and mark the one that is not over", async () => {
    const monthly = (span: string) =>
      series(`series=outages.count&keys=SY&interval=month&aggregation=sum&${span}`).then(({ points }) => points);
    const whole = await monthly("from=2026-09-01");
    expect(whole.length).toBeGreaterThan(1);
    expect(await monthly("from=2026-09-20")).toEqual(whole);
    expect(whole.map(({ isPartial }) => isPartial)).toEqual(whole.map((_, place) => place === whole.length - 1));
    expect((await monthly("from=2026-09-20&to=2026-10-31")).at(-1)?.isPartial).toBe(false);
    // Its month begins before what the plan lets be asked for.
    const early = await app.get("/api/history/v1/get-series?series=risk.score&keys=UA&interval=month&from=2025-10-20", {
      key: await app.key("pro_monthly"),
    });
    expect(early.status).toBe(200);
  });

  test("weeks in which the days of a series begin or end have the flag, for `last` only those in which they end", async () => {
    const read = (query: string) => series(`series=chokepoint.transits&keys=suez&from=2020-01-01&${query}`);
    const days = (await read("interval=day&aggregation=sum")).points.filter(({ value }) => value !== undefined);
    const weeks = (await read("interval=week&aggregation=sum")).points.filter(({ value }) => value !== undefined);
    const lengths = weeks.map(({ at }) => days.filter((day) => day.at >= at && day.at < at + 7 * dayMs).length);
    expect(lengths.slice(1, -1).every((length) => length === 7)).toBe(true);
    expect(lengths.at(-1)).toBeLessThan(7);
    expect(weeks.map(({ isPartial }) => isPartial)).toEqual(lengths.map((length) => length < 7));
    for (const aggregation of ["mean", "last"]) {
      const others = await read(`interval=week&aggregation=${aggregation}`);
      const flags = others.points.filter(({ value }) => value !== undefined).map(({ isPartial }) => isPartial);
      const begins = aggregation === "last" ? false : lengths[0] !== 7;
      expect(flags).toEqual([begins, ...lengths.slice(1).map((length) => length < 7)]);
    }
  });

  test("come as tables, an interval without a measurement empty", async () => {
    const { points } = await series("series=news.tone&keys=cyber&interval=day&from=2026-11-01");
    const response = await app.get(
      "/api/history/v1/get-series?series=news.tone&keys=cyber&interval=day&from=2026-11-01&format=csv",
    );
    const [head, ...rows] = (await response.text()).trim().split("\r\n");
    expect(head).toBe("series,unit,scale,key,at,at.iso,value,isBreak,isPartial");
    expect(rows.map((row) => row.split(",")[6])).toEqual(
      points.map(({ value }) => (value === undefined ? "" : String(value))),
    );
    expect(response.headers.get("Content-Disposition")).toContain("sample");
  });
});
