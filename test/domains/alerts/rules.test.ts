import { beforeEach, expect, test } from "vitest";
import { watched } from "../../../src/domains/alerts/rules/rule-trigger.ts";
import { datasets } from "../../../src/domains/index.ts";
import { logChanges } from "../../../src/store/changes/change-log.ts";
import type { Database } from "../../../src/store/database.ts";
import { retainPoints } from "../../../src/store/history/series-points.ts";
import { outage, outageBed } from "../../changes/listed-changes.ts";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { describeEachDatabase } from "../../support/databases.ts";
import { alertCalls, evaluate } from "../../support/domains/alerts.ts";

const outages = (rest: object = {}) => ({ changes: { datasets: ["internet-outages"], ...rest } });

describeEachDatabase("rules", (openFresh) => {
  let database: Database;
  let app: TestApp;
  beforeEach(async () => {
    database = await openFresh();
    app = await startApp(database, { environment: { IDS_DATA: "live" } });
    return app[Symbol.asyncDispose];
  });
  /** Stores each value on its day. */
  const points = (
    values: readonly (readonly [day: number, value: number, source?: string])[],
    origin: "live" | "sample" = "live",
  ) =>
    database.kysely.transaction().execute(async (transaction) => {
      for (const [day, value, sources = "acled"] of values) {
        const basis = { methodology: "v8", sources };
        const point = { key: "MM", at: new Date(testTime.getTime() + day * 86_400_000), value };
        const stored = { series: "risk.score", origin, basis, areSampled: true, points: [point] };
        await retainPoints(transaction, [stored], point.at);
      }
    });

  test("a rule reports matches after its creation, each change once, and only to its endpoints", async () => {
    const { refresh } = outageBed(database);
    await refresh([outage("a")]);
    const mine = alertCalls(app, await app.key("pro_monthly"));
    const [one, other] = [await mine.feed("one"), await mine.feed("other")];
    await refresh([outage("a"), outage("before")]);
    const rule = await mine.rule(
      outages({ countries: ["UA"], kinds: ["appeared"], condition: "after.severity == 'OUTAGE_SEVERITY_TOTAL'" }),
      { endpointIds: [one] },
    );
    await mine.rule(outages());
    const paused = await mine.rule(outages());
    await mine.call("pause-rule", { ruleId: paused });
    const foreign = alertCalls(app, await app.key("pro_monthly"));
    await foreign.rule({ changes: { datasets: ["conflict-events"] } });
    await foreign.feed();
    await refresh([
      outage("a"),
      outage("before"),
      outage("total", { severity: 3 }),
      outage("partial"),
      outage("abroad", { country: "DE", severity: 3 }),
    ]);
    for (const _ of [1, 2]) await evaluate(database);
    expect(await foreign.deliveries()).toEqual([]);
    const ofOne = await mine.deliveries(one);
    expect(ofOne.map(({ type, state }) => [type, state])).toEqual([
      ["change.matched", "delivered"],
      ["change.matched", "delivered"],
    ]);
    const { data } = JSON.parse(ofOne.find(({ body }) => body.includes(rule))?.body ?? "");
    expect(data).toMatchObject({ ruleId: rule, ruleName: "watch", origin: "live" });
    expect(data.changes).toMatchObject([{ kind: "appeared", subject: "total", country: "UA", after: { id: "total" } }]);
    const [all] = await mine.deliveries(other);
    expect(JSON.parse(all?.body ?? "").data.changes.map(({ subject }: { subject: string }) => subject)).toEqual([
      "total",
      "partial",
      "abroad",
    ]);
    const { body: listed } = await mine.call<{
      rules: { id: string; fired: number; paused: boolean; lastFiredAt?: number }[];
    }>("list-rules");
    expect(listed.rules.map(({ fired, paused }) => `${fired} ${paused}`).toSorted()).toEqual([
      "0 true",
      "1 false",
      "3 false",
    ]);
    await mine.call("resume-rule", { ruleId: paused });
    await mine.call("delete-rule", { ruleId: rule });
    await refresh([outage("a")]);
    await evaluate(database);
    expect((await mine.deliveries(other)).slice(1).map(({ body }) => JSON.parse(body).data.changes.length)).toEqual([
      4, 4,
    ]);
    expect((await mine.call("delete-rule", { ruleId: rule })).status).toBe(404);
    expect((await foreign.call("pause-rule", { ruleId: paused })).status).toBe(404);
  });

  test("a dry run counts how often a rule would have fired, and reports nothing", async () => {
    const { refresh } = outageBed(database);
    await refresh([outage("a")]);
    await refresh(Array.from({ length: 8 }, (_, index) => outage(`${index}`, { severity: index % 2 ? 3 : 1 })));
    const { call, feed, deliveries, rule } = alertCalls(app, await app.key("pro_monthly"));
    await feed();
    const trigger = outages({ kinds: ["appeared"], condition: "after.severity == 'OUTAGE_SEVERITY_TOTAL'" });
    const { body } = await call("preview-rule", { trigger });
    expect(body).toMatchObject({
      fired: 4,
      complete: false,
      changes: [{ subject: "1" }, { subject: "3" }, { subject: "5" }, { subject: "7" }],
    });
    expect((await call("preview-rule", { ruleId: await rule(outages()) })).body).toMatchObject({ fired: 9 });
    await points([
      [-9, 90],
      [-3, 70],
      [-2, 85],
      [-1, 60],
      [0, 90],
    ]);
    const series = { series: "risk.score", threshold: 80, direction: "above", hysteresis: 5 };
    expect((await call("preview-rule", { trigger: { series } })).body).toMatchObject({
      fired: 4,
      crossings: [
        { key: "MM", value: 70, previousValue: 90, beyond: false },
        { value: 85, previousValue: 70, beyond: true },
        { value: 60, beyond: false },
        { value: 90 },
      ],
    });
    await evaluate(database);
    expect(await deliveries()).toEqual([]);
  });

  test("a rejected rule names the field: a threshold out of range, a hysteresis that is too wide, or a name with line breaks", async () => {
    const { call, rule } = alertCalls(app, await app.key("pro_monthly"));
    const series = { series: "risk.score", threshold: 80, direction: "above" };
    const fieldsOf = async (operation: string, body: object) => {
      const rejected = await call<{ violations?: { field: string }[] }>(operation, body);
      expect(rejected.status, JSON.stringify(body)).toBe(400);
      return rejected.body.violations?.map(({ field }) => field);
    };
    const { threshold: _, ...without } = series;
    for (const [trigger, field] of [
      [{ series: without }, "trigger.series.threshold"],
      [{ series: { ...series, threshold: 1e308 } }, "trigger.series.threshold"],
      [{ series: { ...series, threshold: 101 } }, "trigger.series.threshold"],
      [{ series: { ...series, threshold: "NaN" } }, "trigger.series.threshold"],
      [{ series: { ...series, hysteresis: 81 } }, "trigger.series.hysteresis"],
      [{ series: { ...series, direction: "below", hysteresis: 21 } }, "trigger.series.hysteresis"],
    ] as const)
      for (const operation of ["create-rule", "preview-rule"])
        expect(await fieldsOf(operation, { ...(operation === "create-rule" && { name: "a" }), trigger })).toEqual([
          field,
        ]);
    expect(await fieldsOf("preview-rule", {})).toEqual(["ruleId", "trigger"]);
    for (const name of ["two\nlines", "\u009b31m"]) {
      expect(await fieldsOf("create-rule", { name, trigger: outages() })).toEqual(["name"]);
      expect(await fieldsOf("create-endpoint", { name, kind: "feed" })).toEqual(["name"]);
    }
    for (const own of [{ threshold: 0 }, { hysteresis: 80 }]) await rule({ series: { ...series, ...own } });
    await rule({ series: { series: "trade.exports", threshold: 2_000_000, direction: "above" } });
  });

  test("a deleted endpoint leaves the rules that name it; one without any other is paused and says why until it has one", async () => {
    const { call, feed, rule } = alertCalls(app, await app.key("pro_monthly"));
    const [one, other] = [await feed("one"), await feed("other")];
    const both = await rule(outages(), { endpointIds: [one, other] });
    const only = await rule(outages(), { endpointIds: [one] });
    await rule(outages());
    await call("delete-endpoint", { endpointId: one });
    const listed = async () => {
      const { body } = await call<{ rules: Record<string, unknown>[] }>("list-rules");
      return body.rules.map(({ endpointIds, paused, pausedReason }) => ({ endpointIds, paused, pausedReason }));
    };
    const all = { endpointIds: [], paused: false, pausedReason: "" };
    const ofOther = { ...all, endpointIds: [other] };
    expect(await listed()).toEqual(
      expect.arrayContaining([ofOther, { ...all, paused: true, pausedReason: "no endpoints" }, all]),
    );
    expect((await call("resume-rule", { ruleId: only })).status).toBe(409);
    await call("update-rule", { ruleId: only, name: "again", trigger: outages(), endpointIds: [other] });
    expect((await call("resume-rule", { ruleId: only })).body).toMatchObject({ rule: ofOther });
    expect((await call("pause-rule", { ruleId: both })).body).toMatchObject({
      rule: { paused: true, pausedReason: "" },
    });
  });

  test("a figure is reported where it crosses the threshold and is back by the hysteresis, never across a break, and not twice", async () => {
    const { feed, deliveries, rule } = alertCalls(app, await app.key("api_starter"));
    await feed();
    await rule({ series: { series: "risk.score", keys: ["mm"], threshold: 80, direction: "above", hysteresis: 5 } });
    await rule({ series: { series: "risk.score", keys: ["UA"], threshold: 0, direction: "above" } });
    await points([
      [0, 70],
      [1, 82],
    ]);
    await evaluate(database);
    await points([
      [2, 78],
      [3, 81],
      [4, 74],
    ]);
    for (const _ of [1, 2]) await evaluate(database);
    // A value of other sources above the threshold is not a crossing, and neither are later ones until it recovers.
    await points([
      [5, 95, "acled, ucdp"],
      [6, 96, "acled, ucdp"],
      [7, 60, "acled, ucdp"],
      [8, 99, "acled, ucdp"],
    ]);
    await evaluate(database);
    const crossings = (await deliveries()).map(({ type, body }) => [type, JSON.parse(body).data.crossings]);
    expect(crossings).toMatchObject([
      ["series.crossed", [{ series: "risk.score", key: "MM", value: 82, beyond: true }]],
      ["series.recovered", [{ value: 74, previousValue: 81, beyond: false }]],
      ["series.recovered", [{ value: 60 }]],
      ["series.crossed", [{ value: 99 }]],
    ]);
  });

  test("nothing invented is reported by a service in live mode, and a live figure does not move from it", async () => {
    const { feed, deliveries, rule } = alertCalls(app, await app.key("api_starter"));
    await feed();
    await rule({ series: { series: "risk.score", threshold: 80, direction: "above" } });
    await rule(outages());
    const { refresh } = outageBed(database);
    await refresh([outage("a")], { origin: "sample" });
    await refresh([outage("b")], { origin: "sample" });
    await points([[0, 90]], "sample");
    await evaluate(database);
    expect(await deliveries()).toEqual([]);
    await points([
      [1, 70],
      [2, 90],
    ]);
    await evaluate(database);
    expect((await deliveries()).map(({ type }) => type)).toEqual(["series.crossed"]);
  });

  test("an account whose plan no longer covers the data, or the rule, receives nothing", async () => {
    const key = await app.key("api_starter");
    const { feed, deliveries, rule } = alertCalls(app, key);
    await feed();
    for (let count = 0; count < 5; count += 1) await rule(outages());
    const { refresh } = outageBed(database);
    await refresh([outage("a")]);
    await refresh([outage("b")]);
    const tiers = new Map([["internet-outages", 1]]);
    const set = (plan: string, active = true) =>
      database.query("update subscription set plan = $1, active = $2", [plan, active]);
    await set("pro_monthly");
    await evaluate(database, { watched: { tiers, series: new Map() } });
    expect(await deliveries()).toHaveLength(5);
    await refresh([outage("c")]);
    await set("free");
    await evaluate(database, { watched: { tiers, series: new Map() } });
    expect(await deliveries()).toHaveLength(5);
    await refresh([outage("d")]);
    await evaluate(database);
    expect(await deliveries()).toHaveLength(8);
    await refresh([outage("e")]);
    await set("free", false);
    await evaluate(database);
    await set("free");
    expect(await deliveries()).toHaveLength(8);
    const free = await app.key("free");
    const min = alertCalls(app, free);
    await min.feed();
    for (const _ of [1, 2]) await min.rule(outages());
    const { limits } = (await (await app.get("/api/account/v1/get-limits", { key: free })).json()) as {
      limits: { name: string; limit: number; remaining: number }[];
    };
    expect(limits.filter(({ name }) => name.startsWith("alert_"))).toMatchObject([
      { limit: 3, remaining: 1 },
      { limit: 1, remaining: 0 },
    ]);
    await min.rule(outages());
    expect(await min.call("create-rule", { name: "x", trigger: outages() })).toEqual({
      status: 409,
      body: { message: "The plan includes 3 rules: delete one first" },
    });
  });

  test("the operator learns of changes that expired unread, and a restored log is followed from its end", async () => {
    const { refresh } = outageBed(database);
    await refresh([outage("a")]);
    const { feed, deliveries, rule } = alertCalls(app, await app.key("pro_monthly"));
    await feed();
    await rule(outages());
    await refresh([outage("b")]);
    await database.query("delete from change where position <= 2");
    const warnings: string[] = [];
    await evaluate(database, { warn: (text) => warnings.push(text) });
    expect(warnings).toEqual(["Changes 1 to 2 were deleted before the rules evaluated them"]);
    await database.query("update alert_position set position = 1000");
    await evaluate(database);
    await refresh([outage("c")]);
    await evaluate(database);
    const reported = (await deliveries()).map(({ body }) =>
      JSON.parse(body).data.changes.map(({ kind, subject }: { kind: string; subject: string }) => `${kind} ${subject}`),
    );
    expect(reported).toEqual([["vanished a"], ["appeared c", "vanished b"]]);
  });

  test("a series whose terms forbid redistribution is not watched, and not reported by an earlier rule", async () => {
    const premiums = { series: { series: "premium.percent", threshold: 1, direction: "above" } };
    await using live = await startApp(database, { environment: { IDS_DATA: "live", IDS_SGE: "on" } });
    const withSource = alertCalls(live, await live.key("enterprise"));
    for (const operation of ["create-rule", "preview-rule"])
      expect(
        await withSource.call(operation, { ...(operation === "create-rule" && { name: "x" }), trigger: premiums }),
      ).toEqual({
        status: 403,
        body: { error: "The terms of sge do not permit redistribution" },
      });
    const { feed, deliveries, rule } = alertCalls(app, await app.key("enterprise"));
    await feed();
    await rule({ series: { series: "risk.score", threshold: 80, direction: "above" } });
    await points([[0, 90]]);
    await evaluate(database, { watched: watched(datasets, new Map(), () => ["acled"]) });
    expect(await deliveries()).toEqual([]);
  });

  test("notices are reported that match their filter, and datasets that pass their age and are read again", async () => {
    await using samples = await startApp(database);
    await samples.refresh("global-tenders");
    const { tenders } = await samples.json<{ tenders: { id: string; countryCode: string }[] }>(
      "/api/economic/v1/list-global-tenders?page_size=100",
    );
    const { feed, deliveries, rule, call } = alertCalls(samples, await samples.key("enterprise"));
    await feed();
    const [first] = tenders;
    await rule({ tenders: { countries: [first?.countryCode] } });
    await rule({ tenders: { query: "nowhere-to-be-found" } });
    await rule({ staleness: { datasets: ["internet-outages"] } });
    const log = (dataset: string, changes: Parameters<typeof logChanges>[2]) =>
      database.kysely
        .transaction()
        .execute((transaction) => logChanges(transaction, { dataset, origin: "sample", at: testTime }, changes));
    const about = (id: string, country: string) => ({
      kind: "appeared" as const,
      rows: "tenders",
      subject: id,
      country,
    });
    await log(
      "global-tenders",
      tenders.map(({ id, countryCode }) => about(id, countryCode)),
    );
    await log("global-tenders", [about("gone", first?.countryCode ?? "")]);
    await log("internet-outages", [{ kind: "stale" }]);
    await log("internet-outages", [{ kind: "recovered" }]);
    await evaluate(database, { data: "sample" });
    const own = tenders.filter(({ countryCode }) => countryCode === first?.countryCode).map(({ id }) => id);
    const sent = (await deliveries()).map(({ type, body }) => ({ type, ...JSON.parse(body).data }));
    expect(sent.map(({ type, origin }) => `${type} ${origin}`).toSorted()).toEqual([
      "dataset.recovered sample",
      "dataset.stale sample",
      "tender.matched sample",
    ]);
    const matched = sent.find(({ type }) => type === "tender.matched");
    expect(matched.changes.map(({ subject }: { subject: string }) => subject)).toEqual(own);
    const { body } = await call("preview-rule", { trigger: { tenders: { countries: [first?.countryCode] } } });
    expect(body).toMatchObject({ fired: own.length, complete: false });
  });

  test("what there is not, and what may not be, is refused by the name of its member", async () => {
    const { call } = alertCalls(app, await app.key("pro_monthly"));
    const rejections = async (body: object) => {
      const { status, body: response } = await call<{ violations?: { field: string }[] }>("create-rule", body);
      return response.violations?.map(({ field }) => field) ?? status;
    };
    const of = (trigger: object) => rejections({ name: "x", trigger });
    const series = { series: "risk.score", threshold: 1, direction: "above" };
    expect([
      await of({ changes: { datasets: ["internet-outages", "nothing"] } }),
      await of(outages({ condition: "a[" })),
      await of(outages({ countries: ["Atlantis"] })),
      await of({}),
      await of({ series, ...outages() }),
      await of({ series: { ...series, series: "nothing" } }),
      await of({ series: { ...series, direction: "up" } }),
      await of({ series: { ...series, hysteresis: -1 } }),
      await of({ tenders: {} }),
      await of({ tenders: { query: "ab" } }),
      await of({ staleness: { datasets: [] } }),
      await rejections({ name: "x", trigger: outages(), endpointIds: ["ep_0"] }),
      await rejections({ trigger: outages() }),
    ]).toEqual([
      ["trigger.changes.datasets[1]"],
      ["trigger.changes.condition"],
      ["trigger.changes.countries[0]"],
      ["trigger"],
      ["trigger"],
      ["trigger.series.series"],
      ["trigger.series.direction"],
      ["trigger.series.hysteresis"],
      ["trigger.tenders.query"],
      ["trigger.tenders.query"],
      ["trigger.staleness.datasets"],
      404,
      ["name"],
    ]);
  });
});
