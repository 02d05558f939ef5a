import { expect, onTestFinished, test } from "vitest";
import { retainPoints } from "../../../src/store/history/series-points.ts";
import { startApp, testTime } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";
import { alertCalls } from "../../support/domains/alerts.ts";

interface Rejection {
  readonly violations: readonly { readonly field: string; readonly description: string }[];
}

const of = (keys: readonly string[], series = "risk.score") => ({
  trigger: { series: { series, keys, threshold: 80, direction: "above" } },
});

/** An app on a store that has points of the keys of these series. */
async function appWith(points: Readonly<Record<string, readonly string[]>>) {
  const database = await openOnce();
  onTestFinished(database.close);
  const app = await startApp(database);
  onTestFinished(() => app[Symbol.asyncDispose]());
  const basis = { methodology: "v8", sources: "acled" };
  await database.kysely.transaction().execute((transaction) =>
    retainPoints(
      transaction,
      Object.entries(points).map(([series, keys]) => ({
        ...{ series, basis, areSampled: true, origin: "sample" as const },
        points: keys.map((key) => ({ key, at: testTime, value: 1 })),
      })),
      testTime,
    ),
  );
  return alertCalls(app, await app.key("pro_monthly"));
}

test("a rule on a key that its series does not cover is rejected with the reason, in every operation", async () => {
  const { call } = await appWith({
    "risk.score": ["UA", "MM"],
    "gas.fill": ["EU"],
    "gas.country_fill": ["DE", "FR"],
    "resilience.domain": ["DE/governance"],
    "chokepoint.disruption": ["suez", "panama"],
  });
  const { body: made } = await call<{ rule: { id: string } }>("create-rule", { name: "watch", ...of(["ua"]) });
  const ruleId = made.rule.id;
  for (const [series, keys, description] of [
    [
      "risk.score",
      ["UA", "sd"],
      /^risk\.score covers 31 countries; SD is not one of them\. Use one of: US, RU, .*UA, /,
    ],
    ["risk.score", ["SD", "NG"], /^risk\.score covers 31 countries; SD and NG are not among them\./],
    ["risk.score", ["XX"], /^Unknown key of risk\.score: XX\. Use one of: /],
    [
      "gas.fill",
      ["DE"],
      /^gas\.fill covers EU; DE is not one of them\. Related series with values: gas\.country_fill\./,
    ],
    ["risk.score", ["UA/west"], /^Unknown key of risk\.score: UA\/WEST\./],
    ["resilience.domain", ["DE/west"], /^Unknown key of resilience\.domain: DE\/WEST\./],
    ["chokepoint.disruption", ["suezz"], /^Unknown key of chokepoint\.disruption: SUEZZ\. Use one of: PANAMA, SUEZ\./],
  ] as const) {
    const rule = of(keys, series);
    for (const [operation, fields] of [
      ["create-rule", { name: "watch", ...rule }],
      ["update-rule", { name: "watch", ruleId, ...rule }],
      ["preview-rule", rule],
    ] as const) {
      const { status, body } = await call<Rejection>(operation, fields);
      expect(status, `${operation} ${keys}`).toBe(400);
      expect(body.violations).toEqual([
        { field: "trigger.series.keys", description: expect.stringMatching(description) },
      ]);
    }
  }
  const { body: listed } = await call<{ rules: unknown[] }>("list-rules");
  expect(listed.rules).toHaveLength(1);
});

test("a rule on covered keys, on first parts of keys, and on countries without events so far is accepted", async () => {
  const { call } = await appWith({
    "risk.score": ["UA"],
    "vulnerability.score": ["UA/cobalt", "UA/wheat"],
    "conflict.fatalities": ["SD"],
  });
  for (const [series, keys, unknownKeys] of [
    ["risk.score", ["ua"], []],
    ["risk.score", [], []],
    // Scored, but without a value so far.
    ["risk.score", ["MM"], ["MM"]],
    ["vulnerability.score", ["ua", "UA/Wheat"], []],
    ["conflict.fatalities", ["SD", "se"], ["se"]],
  ] as const) {
    const { status, body } = await call("preview-rule", of(keys, series));
    expect([status, body]).toEqual([200, expect.objectContaining({ unknownKeys })]);
  }
});

test("a rule on a series that was never loaded accepts valid keys only", async () => {
  const { call } = await appWith({});
  for (const [series, keys] of [
    ["resilience.score", ["DE"]],
    ["conflict.fatalities", ["UA"]],
    ["gas.fill", ["EU"]],
    ["chokepoint.disruption", ["suez"]],
    ["vulnerability.score", ["UA/cobalt"]],
  ] as const) {
    const { status, body } = await call("create-rule", { name: "watch", ...of(keys, series) });
    expect([status, body]).toEqual([201, expect.objectContaining({ unknownKeys: keys })]);
  }
  for (const [series, key] of [
    ["resilience.score", "XX"],
    ["macro.growth", "UA/east"],
    ["conflict.fatalities", "Sudan"],
    ["risk.score", "SD"],
  ] as const)
    expect((await call("create-rule", { name: "watch", ...of([key], series) })).status, series).toBe(400);
});

test("a rule accepts every form of a country, and rejects a value that is not a country by its place", async () => {
  const database = await openOnce();
  onTestFinished(database.close);
  await using app = await startApp(database);
  const { call } = alertCalls(app, await app.key("pro_monthly"));
  const rule = (trigger: object) => call("create-rule", { name: "watch", trigger });
  for (const [name, other] of [
    ["changes", { datasets: ["conflict-events"] }],
    ["tenders", {}],
  ] as const) {
    const wrong = await rule({ [name]: { ...other, countries: ["UA", "ZZ"] } });
    expect(wrong.body).toMatchObject({ violations: [{ field: `trigger.${name}.countries[1]` }] });
    expect((await rule({ [name]: { ...other, countries: ["EU"] } })).status).toBe(400);
    const right = await rule({ [name]: { ...other, countries: ["uk", "Sudan", "1A0"] } });
    expect(right.body).toMatchObject({ rule: { trigger: { [name]: { countries: ["GB", "SD", "XK"] } } } });
  }
});
