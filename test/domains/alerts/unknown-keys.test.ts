import { expect, onTestFinished, test } from "vitest";
import { keepPoints } from "../../../src/store/history/series-points.ts";
import { startApp, testTime } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";
import { alertCalls } from "../../support/domains/alerts.ts";

test("keys that the series has no figure of are named when a rule is made, changed or tried, as they were given", async () => {
  const database = await openOnce();
  onTestFinished(database.close);
  await using app = await startApp(database);
  const point = (key: string) => ({ key, at: testTime, value: 1 });
  await database.kysely.transaction().execute(async (transaction) => {
    const kept = { series: "risk.score", basis: { methodology: "v8", sources: "acled" }, areSampled: true };
    await keepPoints(transaction, [{ ...kept, origin: "sample", points: [point("SD"), point("UA/east")] }], testTime);
    await keepPoints(transaction, [{ ...kept, origin: "live", points: [point("FR")] }], testTime);
  });
  const { call } = alertCalls(app, await app.key("pro_monthly"));
  const of = (keys: readonly string[]) => ({
    trigger: { series: { series: "risk.score", keys, threshold: 80, direction: "above" } },
  });
  const wrong = of(["sd", "xx", "UA", "UA/west", "FR"]);
  const named = { unknownKeys: ["xx", "UA/west", "FR"] };

  const { body: made } = await call<{ rule: { id: string } }>("create-rule", { name: "watch", ...wrong });
  expect(made).toMatchObject(named);
  const ruleId = made.rule.id;
  expect((await call("preview-rule", wrong)).body).toMatchObject(named);
  expect((await call("preview-rule", { ruleId })).body).toMatchObject(named);
  expect((await call("update-rule", { ruleId, name: "watch", ...wrong })).body).toMatchObject(named);
  for (const right of [of(["SD", "ua/EAST"]), of([]), { trigger: { staleness: { datasets: ["risk-scores"] } } }])
    expect((await call("update-rule", { ruleId, name: "watch", ...right })).body).toMatchObject({ unknownKeys: [] });
});

test("a rule accepts every form of a country, and rejects a value that is no country by its place", async () => {
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
