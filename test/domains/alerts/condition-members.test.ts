import { globSync, readFileSync } from "node:fs";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { dayMs } from "../../../src/reference/duration.ts";
import type { Database } from "../../../src/store/database.ts";
import { changesOf, outage, outageBed } from "../../changes/listed-changes.ts";
import { costlyConditions } from "../../projection/costly-conditions.ts";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { describeOnce } from "../../support/databases.ts";
import { alertCalls, evaluate } from "../../support/domains/alerts.ts";
import { openLoaded } from "../../support/loaded.ts";

const outages = (condition: string, rest: object = {}) => ({
  changes: { datasets: ["internet-outages"], condition, ...rest },
});
const total = "after.severity == 'OUTAGE_SEVERITY_TOTAL'";
const severities = "Use one of: OUTAGE_SEVERITY_PARTIAL, OUTAGE_SEVERITY_MAJOR, OUTAGE_SEVERITY_TOTAL";
const ofChange = "Use one of: position, at, dataset, kind, rows, subject, country, before, after";

const wrong: readonly (readonly [condition: string, description: RegExp | string])[] = [
  ["after.nosuchfield == 'x'", /^Unknown member "nosuchfield" of after\. Use one of: id, title, .*severity/],
  ["before.nosuchfield > `1`", /^Unknown member "nosuchfield" of before\. Use one of: id, /],
  ["!(after.nosuchfield) || kind == 'appeared'", /^Unknown member "nosuchfield" of after/],
  ["contains(after.nosuchfield, 'x')", /^Unknown member "nosuchfield" of after/],
  ["[after.title, after.nosuchfield]", /^Unknown member "nosuchfield" of after/],
  ["{a: after.nosuchfield}", /^Unknown member "nosuchfield" of after/],
  ["after | nosuchfield", /^Unknown member "nosuchfield" of after/],
  ["@.after.nosuchfield[0]", /^Unknown member "nosuchfield" of after/],
  ["after.nosuchfield[?@ == 'x']", /^Unknown member "nosuchfield" of after/],
  ["after.detected_at > `0`", /^Unknown member "detected_at" of after/],
  ["after.location.lat > `0`", 'Unknown member "lat" of after.location. Use one of: latitude, longitude'],
  ["after.severity == 'Total'", `Unknown value "Total" of after.severity. ${severities}`],
  ["'Total' != before.severity", `Unknown value "Total" of before.severity. ${severities}`],
  ["kind == 'appeared' && after.severity == `3`", `Unknown value 3 of after.severity. ${severities}`],
  [
    "after.severity == 'OUTAGE_SEVERITY_UNSPECIFIED'",
    `Unknown value "OUTAGE_SEVERITY_UNSPECIFIED" of after.severity. ${severities}`,
  ],
  ["severity == 'x'", `Unknown member "severity" of a change; rows have after.severity. ${ofChange}`],
  ['after.severity == "Total"', `Unknown member "Total" of a change; text requires single quotes. ${ofChange}`],
];

const right = [
  total,
  "after.severity == `null`",
  "after.severity != before.severity",
  "before.severity == 'OUTAGE_SEVERITY_PARTIAL' && after.severity",
  "after.title == 'Total'",
  "after.location.latitude > `10`",
  "after.*",
  "values(after)[?@ == 'Total']",
  "(after || before).nosuchfield",
  "[after][0].severity == 'Total'",
  "[after, before][?nosuchfield == 'x']",
  "country == 'UA' && dataset == 'internet-outages' && at > `0` && position > `0` && rows == 'outages' && subject",
  ...Object.values(costlyConditions),
];

describeOnce("conditions of rules", (openFresh) => {
  let database: Database;
  let app: TestApp;
  beforeEach(async () => {
    database = await openFresh();
    app = await startApp(database, { environment: { IDS_DATA: "live" } });
    return app[Symbol.asyncDispose];
  });
  /** Calls of a new account, because the requests of one account per minute are limited. */
  const newCalls = async () => alertCalls(app, await app.key("enterprise"));
  const preview = async (changes: object) => (await newCalls()).call("preview-rule", { trigger: { changes } });

  test("a rule is rejected if its condition reads a member that no change has, or compares an enum with a wrong value", async () => {
    for (const [condition, expected] of wrong) {
      const { call, rule } = await newCalls();
      const ruleId = await rule(outages(total));
      const trigger = outages(condition);
      const description = typeof expected === "string" ? expected : expect.stringMatching(expected);
      const rejection = { status: 400, body: { violations: [{ field: "trigger.changes.condition", description }] } };
      expect(await call("create-rule", { name: "wrong", trigger }), condition).toMatchObject(rejection);
      expect(await call("update-rule", { ruleId, name: "wrong", trigger }), condition).toMatchObject(rejection);
      expect(await call("preview-rule", { trigger }), condition).toMatchObject(rejection);
      const { body } = await call<{ rules: unknown[] }>("list-rules");
      expect(body.rules).toMatchObject([{ id: ruleId, name: "watch", trigger: outages(total) }]);
    }
  });

  test("a preview accepts a condition that is right, or that cannot be decided", async () => {
    for (const condition of right) expect((await preview(outages(condition).changes)).status, condition).toBe(200);
  });

  test("a preview accepts the conditions of the documentation", async () => {
    const examples = globSync("docs/**/*.md").flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(/\{\s*"datasets":\["([\w-]+)"\][^{}]*"condition":"([^"]+)"\}/g)].map(
        ([, dataset = "", condition = ""]) => ({ datasets: [dataset], condition }),
      ),
    );
    expect(examples.length).toBeGreaterThanOrEqual(3);
    for (const changes of examples) expect((await preview(changes)).status, changes.condition).toBe(200);
  });

  test("a rule of several datasets accepts the members of each, and a rule of corrections those of generations", async () => {
    const of = async (condition: string, names: readonly string[], kinds: readonly string[] = []) =>
      (await preview({ datasets: names, condition, kinds })).body.violations;
    const both = ["conflict-events", "internet-outages"];
    expect(await of(`after.fatalities > \`10\` || ${total}`, both)).toBeUndefined();
    expect(await of("after.fatalities > `10`", ["internet-outages"])).toMatchObject([{}]);
    expect(await of("after.nosuchfield", both)).toMatchObject([
      { description: expect.stringMatching(/fatalities.*severity/) },
    ]);
    expect(await of("after.generation < before.generation", both, ["corrected"])).toBeUndefined();
    expect(await of("after.generation < before.generation", both)).toMatchObject([{}]);
    expect(await of("after.anything", ["country-macro"])).toBeUndefined();
  });

  test("a rule that was stored with a wrong condition is listed, resumed, and reports what else it matches", async () => {
    const { refresh } = outageBed(database);
    await refresh([outage("a")]);
    const calls = await newCalls();
    await calls.feed();
    const ruleId = await calls.rule(outages(total));
    const stored = outages("after.severity == 'Total' || after.nosuchfield || after.title == 'Outage b'");
    await database.kysely
      .withTables<{ alert_rule: { id: string; trigger: string } }>()
      .updateTable("alert_rule")
      .set({ trigger: JSON.stringify(stored) })
      .where("id", "=", ruleId)
      .execute();
    for (const operation of ["pause-rule", "resume-rule"])
      expect(await calls.call(operation, { ruleId })).toMatchObject({
        status: 200,
        body: { rule: { trigger: stored } },
      });
    await refresh([outage("a"), outage("b")]);
    await evaluate(database);
    expect((await calls.call("list-rules")).body).toMatchObject({ rules: [{ id: ruleId, fired: 1, trigger: stored }] });
  });
});

/** Returns the paths of a change's values as conditions read them. */
function pathsOf(value: unknown, path: string): readonly string[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [path];
  return Object.entries(value).flatMap(([name, inner]) => pathsOf(inner, `${path}.${JSON.stringify(name)}`));
}

test("a preview accepts every member that changes of the samples have", async () => {
  const database = await openLoaded();
  onTestFinished(database.close);
  await using app = await startApp(database);
  const { call } = alertCalls(app, await app.key("enterprise"));
  const { nextPosition } = await changesOf(app);
  app.setTime(new Date(testTime.getTime() + dayMs));
  const scores = ["risk-scores", "news-topic-timelines", "shipping-stress"] as const;
  // Scores change with the events and outages of the next day.
  for (const name of ["conflict-events", "internet-outages", ...scores] as const) await app.refresh(name);
  // The next refresh adds the deleted rows again, so its changes have whole rows.
  for (const table of ["conflict_event", "tender_detail", "tender"]) await database.query(`delete from ${table}`);
  const tables = ["conflict-events", "global-tenders"] as const;
  for (const name of tables) await app.refresh(name);
  for (const name of [...scores, ...tables]) {
    const kinds = "appeared,changed,vanished";
    const { changes } = await changesOf(app, `datasets=${name}&kinds=${kinds}&after=${nextPosition}`);
    const paths = changes.flatMap(({ before = {}, after = {} }) => [
      ...pathsOf(before, "before"),
      ...pathsOf(after, "after"),
    ]);
    expect(paths.length, name).toBeGreaterThan(0);
    const trigger = { changes: { datasets: [name], condition: [...new Set(paths)].join("||") } };
    expect(await call("preview-rule", { trigger }), name).toMatchObject({ status: 200 });
  }
});
