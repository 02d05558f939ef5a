import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";
import { eventText } from "../../../src/domains/alerts/event-text.ts";
import type { Database } from "../../../src/store/database.ts";
import { retainPoints } from "../../../src/store/history/series-points.ts";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { describeEachDatabase } from "../../support/databases.ts";
import { alertCalls, evaluate } from "../../support/domains/alerts.ts";

interface Item {
  readonly kind: string;
  readonly item: string;
  readonly series: string;
  readonly title: string;
  readonly valueThen?: number;
  readonly valueNow?: number;
  readonly change?: number;
}

const dayMs = 86_400_000;
const hoursLater = (hours: number) => new Date(testTime.getTime() + hours * 3_600_000);

describeEachDatabase("Watchlists", (openFresh) => {
  let database: Database;
  let app: TestApp;
  beforeEach(async () => {
    database = await openFresh();
    app = await startApp(database, { environment: { IDS_DATA: "live" } });
    return app[Symbol.asyncDispose];
  });

  const retain = (
    series: string,
    key: string,
    values: Readonly<Record<number, number>>,
    { sources = "a", isCount = false } = {},
  ) =>
    database.kysely.transaction().execute(async (transaction) => {
      for (const [day, value] of Object.entries(values)) {
        const at = new Date(testTime.getTime() + Number(day) * dayMs);
        const basis = { methodology: "v8", sources };
        const stored = { series, origin: "live" as const, basis, areSampled: !isCount, points: [{ key, at, value }] };
        await retainPoints(transaction, [stored], at);
      }
    });
  const itemsOf = async (ruleId: string, key: string) => {
    const response = await app.get(`/api/alerts/v1/list-digests?rule_id=${ruleId}`, { key });
    expect(response.status).toBe(200);
    const { digests } = (await response.json()) as { digests: { items: Item[] }[] };
    return digests[0]?.items ?? [];
  };

  test("a digest has the change of each item over its period, and no change where a value is unknown or not comparable", async () => {
    await retain("risk.score", "MM", { [-8]: 70, [-7]: 72, [-1]: 75, 0: 79 });
    await retain("risk.score", "SD", { 0: 60 });
    await retain("chokepoint.disruption", "suez", { [-1]: 20, 0: 35 });
    await retain("vulnerability.score", "MM/crude_oil", { [-1]: 40, 0: 41 });
    await retain("risk.score", "UA", { [-1]: 80 });
    await retain("risk.score", "UA", { 0: 85 }, { sources: "b" });
    const key = await app.key("pro_monthly");
    const mine = alertCalls(app, key);
    const watchlist = {
      series: ["risk.score/mm", "risk.score/SD", "risk.score/UA", "vulnerability.score/MM/crude_oil"],
      chokepoints: ["suez"],
    };
    const daily = await itemsOf(await mine.rule({ watchlist }), key);
    expect(daily.map(({ item, valueThen, valueNow, change }) => [item, valueThen, valueNow, change])).toEqual([
      ["risk.score/mm", 75, 79, 4],
      ["risk.score/SD", undefined, 60, undefined],
      ["risk.score/UA", 80, 85, undefined],
      ["vulnerability.score/MM/crude_oil", 40, 41, 1],
      ["suez", 20, 35, 15],
    ]);
    expect(daily[0]?.title).toBe("Myanmar: risk score");
    const weekly = await itemsOf(await mine.rule({ watchlist: { ...watchlist, digest: "weekly" } }), key);
    expect(weekly[0]).toMatchObject({ valueThen: 72, valueNow: 79, change: 7 });
  });

  test("counts are those of the last counted day, because a day that is not counted yet is not 0", async () => {
    const noon = (testTime.getTime() % dayMs) / dayMs;
    const count = (key: string, values: Readonly<Record<number, number>>) => {
      const atMidnight = Object.entries(values).map(([day, value]) => [Number(day) - noon, value] as const);
      return retain("conflict.fatalities", key, Object.fromEntries(atMidnight), { isCount: true });
    };
    await count("MM", { [-3]: 9, [-2]: 1, [-1]: 3 });
    await count("SD", { [-6]: 5, [-5]: 4 });
    const key = await app.key("pro_monthly");
    const series = ["conflict.fatalities/MM", "conflict.fatalities/SD"];
    const [recent, old] = await itemsOf(await alertCalls(app, key).rule({ watchlist: { series } }), key);
    expect(recent).toMatchObject({ valueThen: 1, valueNow: 3, change: 2 });
    expect([old?.valueThen, old?.valueNow, old?.change]).toEqual([undefined, undefined, undefined]);
  });

  test("a country has the series that it is the key of, and searches count the notices of the period", async () => {
    await retain("risk.score", "MM", { [-1]: 75, 0: 79 });
    const key = await app.key("pro_monthly");
    const rule = await alertCalls(app, key).rule({ watchlist: { countries: ["MM"], searches: ["cyber"] } });
    const items = await itemsOf(rule, key);
    expect(items.find(({ series }) => series === "risk.score")).toMatchObject({
      kind: "country",
      item: "MM",
      change: 4,
    });
    expect(items.every(({ series }) => !series.startsWith("macro."))).toBe(true);
    expect(items.at(-1)).toMatchObject({ kind: "search", item: "cyber", valueNow: 0 });
    const atom = await app.get(`/api/alerts/v1/list-digests?rule_id=${rule}&format=atom`, { key });
    expect([atom.status, (await atom.text()).includes("Myanmar: risk score")]).toEqual([200, true]);
  });

  test("a daily digest is sent once after six o'clock, with the changes only, and a weekly one on Mondays", async () => {
    await retain("risk.score", "MM", { [-3]: 70, [-1]: 75, 0: 79 });
    await retain("risk.score", "SD", { [-3]: 60, [-1]: 60, 0: 60 });
    const mine = alertCalls(app, await app.key("pro_monthly"));
    const feed = await mine.feed();
    const series = ["risk.score/MM", "risk.score/SD"];
    await mine.rule({ watchlist: { series } }, { name: "Daily" });
    await mine.rule({ watchlist: { series, digest: "weekly" } }, { name: "Weekly" });
    await evaluate(database, { clock: () => hoursLater(17) });
    expect(await mine.deliveries(feed)).toEqual([]);
    for (const _ of [1, 2]) await evaluate(database, { clock: () => hoursLater(18.1) });
    const [sent, ...others] = await mine.deliveries(feed);
    expect(others).toEqual([]);
    const { data } = JSON.parse(sent?.body ?? "");
    expect(sent?.type).toBe("watchlist.digest");
    expect(data).toMatchObject({ ruleName: "Daily", origin: "live", to: hoursLater(18).getTime() });
    expect(data.items.map(({ item, change }: Item) => [item, change])).toEqual([["risk.score/MM", 4]]);
    expect(eventText({ type: "watchlist.digest", body: sent?.body ?? "" })).toEqual({
      subject: "Daily: 1 change",
      text: "Myanmar: risk score: 79 (+4, before 75)",
    });
    // The test begins on a Wednesday, so that Monday begins after 108 hours.
    await retain("risk.score", "MM", { 3: 80, 4: 81 });
    await evaluate(database, { clock: () => hoursLater(108 + 6.1) });
    const names = (await mine.deliveries(feed)).map(({ body }) => JSON.parse(body).data.ruleName);
    expect(names.toSorted()).toEqual(["Daily", "Daily", "Weekly"]);
  });

  test("a digest that fails does not prevent later ones, and a rule without a sent digest has never fired", async () => {
    await retain("risk.score", "MM", { [-1]: 75, 0: 79 });
    await retain("risk.score", "SD", { [-1]: 60, 0: 60 });
    const mine = alertCalls(app, await app.key("pro_monthly"));
    const feed = await mine.feed();
    const failing = await mine.rule({ watchlist: { searches: ["cyber"] } });
    for (const key of ["MM", "SD"]) await mine.rule({ watchlist: { series: [`risk.score/${key}`] } }, { name: key });
    const broken = JSON.stringify({ watchlist: { searches: ["\0"] } });
    await sql`update alert_rule set trigger = ${broken} where id = ${failing}`.execute(database.kysely);
    await expect(evaluate(database, { clock: () => hoursLater(18.1) })).rejects.toThrow("1 digests were not sent");
    expect((await mine.deliveries(feed)).map(({ body }) => JSON.parse(body).data.ruleName)).toEqual(["MM"]);
    const { body } = await mine.call<{ rules: { name: string; lastFiredAt?: number }[] }>("list-rules");
    const fired = body.rules.flatMap(({ name, lastFiredAt }) => (lastFiredAt === undefined ? [] : [name]));
    expect(fired).toEqual(["MM"]);
  });

  test("a preview of a watchlist is rejected and names the read of its digest", async () => {
    const { call } = alertCalls(app, await app.key("pro_monthly"));
    // The second list has an unknown key, which costs a read to find.
    for (const watchlist of [{ chokepoints: ["suez"] }, { series: ["risk.score/ATLANTIS"] }]) {
      const { status, body } = await call("preview-rule", { trigger: { watchlist } });
      expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining("ListDigests")]);
    }
  });

  test("a paused watchlist sends nothing", async () => {
    await retain("risk.score", "MM", { [-1]: 75, 0: 79 });
    const mine = alertCalls(app, await app.key("pro_monthly"));
    const feed = await mine.feed();
    await mine.call("pause-rule", { ruleId: await mine.rule({ watchlist: { series: ["risk.score/MM"] } }) });
    await evaluate(database, { clock: () => hoursLater(18.1) });
    expect(await mine.deliveries(feed)).toEqual([]);
  });

  test.each([
    [{}, "trigger.watchlist.countries"],
    [{ series: ["no.series/UA"] }, "trigger.watchlist.series"],
    [{ series: ["risk.score"] }, "trigger.watchlist.series"],
    [{ chokepoints: ["atlantis"] }, "trigger.watchlist.chokepoints"],
    [{ countries: ["UA"], digest: "hourly" }, "trigger.watchlist.digest"],
    [{ searches: ['"'] }, "trigger.watchlist.searches"],
    [{ series: ["risk.score/ATLANTIS"] }, "trigger.watchlist.series"],
    [{ series: ["vulnerability.score/MM"] }, "trigger.watchlist.series"],
  ])("the wrong list %j is rejected with the field %s", async (watchlist, field) => {
    const { call } = alertCalls(app, await app.key("pro_monthly"));
    const { status, body } = await call<{ violations: { field: string }[] }>("create-rule", {
      ...{ name: "watch", trigger: { watchlist } },
    });
    expect([status, body.violations?.[0]?.field.replace(/\[\d+\]$/, "")]).toEqual([400, field]);
  });

  test("series of a higher plan are rejected by name, and left out of the series of a country", async () => {
    await retain("vulnerability.score", "MM/crude_oil", { [-1]: 75, 0: 79 });
    const key = await app.key("free");
    const { call, rule } = alertCalls(app, key);
    const { status } = await call("create-rule", {
      ...{ name: "watch", trigger: { watchlist: { series: ["tariff.rate/840"] } } },
    });
    expect(status).toBe(403);
    const items = await itemsOf(await rule({ watchlist: { countries: ["MM"] } }), key);
    expect(items.map(({ series }) => series)).not.toContain("resilience.score");
  });

  test("an account lists its own watchlists only, and one of them by its ID", async () => {
    const key = await app.key("pro_annual");
    const mine = alertCalls(app, key);
    const [one, two] = [
      await mine.rule({ watchlist: { countries: ["MM"] } }),
      await mine.rule({ watchlist: { countries: ["SD"] } }),
    ];
    const other = await mine.rule({ staleness: { datasets: ["conflict-events"] } });
    const listed = async (query: string, by = key) => {
      const response = await app.get(`/api/alerts/v1/list-digests${query}`, { key: by });
      return ((await response.json()) as { digests: { ruleId: string }[] }).digests.map(({ ruleId }) => ruleId);
    };
    expect(new Set(await listed(""))).toEqual(new Set([one, two]));
    expect(await listed(`?rule_id=${two}`)).toEqual([two]);
    expect(await listed(`?rule_id=${other}`)).toEqual([]);
    expect(await listed(`?rule_id=${one}`, await app.key("pro_monthly"))).toEqual([]);
  });
});
