import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { dayMs, hourMs } from "../../../src/reference/duration.ts";
import { type NewPoints, retainPoints } from "../../../src/store/history/series-points.ts";
import { outage, outageBed } from "../../changes/listed-changes.ts";
import { startApp, testTime } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";
import { alertCalls, evaluate } from "../../support/domains/alerts.ts";

type Reported = readonly [key: string, day: number, value: number];

/** The points of successive refreshes. Days count back from now. */
const refreshes: readonly (Partial<NewPoints> & { readonly reported: readonly Reported[] })[] = [
  // A history arrives at once, and only its last point counts.
  {
    reported: [...Array.from({ length: 9 }, (_, day): Reported => ["SD", 20 - day, day % 2 ? 95 : 60]), ["UA", 12, 90]],
  },
  { reported: [["SD", 6, 90]] },
  // The same point is corrected, over the threshold and back.
  { reported: [["SD", 6, 60]] },
  {
    reported: [
      ["SD", 6, 85],
      ["UA", 5, 50],
    ],
  },
  {
    onlyMissing: true,
    reported: [
      ["FR", 9, 99],
      ["FR", 8, 50],
      ["UA", 4, 99],
    ],
  },
  // This point is older than the last one.
  { reported: [["UA", 8, 99]] },
  // By another methodology.
  { basis: { methodology: "v9", sources: "acled" }, reported: [["SD", 3, 10]] },
  {
    basis: { methodology: "v9", sources: "acled" },
    reported: [
      ["SD", 2, 99],
      ["UA/east", 2, 99],
      ["FR", 2, 99],
    ],
  },
];

test("a dry run reports as many matches of a series as the rule itself over the same refreshes", async () => {
  const database = await openOnce();
  onTestFinished(database.close);
  await using app = await startApp(database, { environment: { IDS_DATA: "live" } });
  const { call, feed, deliveries } = alertCalls(app, await app.key("pro_monthly"));
  await feed();
  const rules = [["SD"], ["UA"], ["FR"], ["ua", "UA/east"], []].map((keys) => ({
    trigger: { series: { series: "vulnerability.score", keys, threshold: 80, direction: "above", hysteresis: 5 } },
    name: `of ${keys}`,
  }));
  const made: string[] = [];
  for (const rule of rules) made.push((await call<{ rule: { id: string } }>("create-rule", rule)).body.rule.id);
  for (const [hour, { reported: newPoints, ...rest }] of refreshes.entries()) {
    const points = newPoints.map(([key, day, value]) => ({
      key,
      at: new Date(testTime.getTime() - day * dayMs),
      value,
    }));
    const basis = { methodology: "v8", sources: "acled" };
    const stored: NewPoints = {
      series: "vulnerability.score",
      origin: "live",
      basis,
      areSampled: false,
      points,
      ...rest,
    };
    const recordedAt = new Date(testTime.getTime() - (refreshes.length - hour) * hourMs);
    await database.kysely.transaction().execute((transaction) => retainPoints(transaction, [stored], recordedAt));
    await evaluate(database);
  }

  const { body } = await call<{ rules: { id: string; name: string; fired: number }[] }>("list-rules");
  const reported = (await deliveries()).flatMap(({ body: sent }) => JSON.parse(sent).data.crossings);
  const tried = await Promise.all(
    made.map(
      async (ruleId) =>
        (
          await call<{ fired: number; beyondAtFirst: number; complete: boolean; crossings: object[] }>("preview-rule", {
            ruleId,
          })
        ).body,
    ),
  );
  expect(tried.map(({ fired, beyondAtFirst }) => fired + beyondAtFirst)).toEqual(
    made.map((id) => body.rules.find((rule) => rule.id === id)?.fired),
  );
  expect(tried[0]?.fired).toBeGreaterThan(3);
  // No earlier value of France is known, so that its value has not crossed the threshold.
  expect(tried[2]).toMatchObject({ fired: 0, beyondAtFirst: 1, crossings: [] });
  // The first refresh was hours ago: of the days before nothing is known.
  expect(tried.map(({ complete }) => complete)).toEqual(made.map(() => false));
  app.setTime(new Date(testTime.getTime() + 7 * dayMs));
  expect((await call("preview-rule", { ruleId: made[0] })).body).toMatchObject({ complete: true });
  expect(reported).toEqual(expect.arrayContaining(tried.flatMap(({ crossings }) => crossings)));
});

test("the conditions of the guide match the begin of a total outage, and the end of any", async () => {
  const guide = readFileSync("docs/alerts.md", "utf8");
  const changes = [...guide.matchAll(/^\| .* \| `+(\{"datasets":\["internet-outages"\].*\})`+ \|$/gm)].map(
    ([, json = ""]) => JSON.parse(json),
  );
  expect(changes).toHaveLength(2);
  const database = await openOnce();
  onTestFinished(database.close);
  await using app = await startApp(database, { environment: { IDS_DATA: "live" } });
  const { call } = alertCalls(app, await app.key("pro_monthly"));
  const { refresh } = outageBed(database);
  const [before, endedAt] = [outage("before", { country: "IR" }), 1_795_000_100_000n];
  await refresh([before]);
  await refresh([before, outage("total", { country: "IR", severity: 3 }), outage("partial", { country: "IR" })]);
  await refresh([{ ...before, endedAt }, outage("total", { country: "IR", severity: 3 }), outage("partial")]);
  const subjects: string[][] = [];
  for (const trigger of changes) {
    const { body } = await call<{ changes: { subject: string }[] }>("preview-rule", { trigger: { changes: trigger } });
    subjects.push(body.changes.map(({ subject }) => subject));
  }
  expect(subjects).toEqual([["total"], ["before"]]);
  const isComplete = async () =>
    (await call<{ complete: boolean }>("preview-rule", { trigger: { changes: changes[0] } })).body;
  expect(await isComplete(), "the log began today").toMatchObject({ complete: false });
  app.setTime(new Date(testTime.getTime() + 7 * dayMs));
  expect(await isComplete()).toMatchObject({ complete: true });
});
