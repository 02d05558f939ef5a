import { beforeEach, expect, test } from "vitest";
import { logChanges } from "../../../src/store/changes/change-log.ts";
import type { Database } from "../../../src/store/database.ts";
import { costlyConditions } from "../../projection/costly-conditions.ts";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { describeOnce } from "../../support/databases.ts";
import { alertCalls, evaluate } from "../../support/domains/alerts.ts";
import { isThorough } from "../../support/thoroughness.ts";
import { countTurns } from "../../support/turns.ts";

const logged = isThorough ? 10_000 : 2_000;
/** The budgets of a preview, and of an account for each 500 changes; the fuel of one change. */
const [previewFuel, chunkFuel, rowFuel, chunk] = [50_000_000, 20_000_000, 300_000, 500];

describeOnce("conditions that cost too much", (openFresh) => {
  let database: Database;
  let app: TestApp;
  beforeEach(async () => {
    database = await openFresh();
    app = await startApp(database, { environment: { IDS_DATA: "live" } });
    return app[Symbol.asyncDispose];
  });
  const log = (count: number, title: (index: number) => string) =>
    database.kysely.transaction().execute((transaction) =>
      logChanges(
        transaction,
        { dataset: "internet-outages", origin: "live", at: testTime },
        Array.from({ length: count }, (_, index) => ({
          kind: "appeared",
          rows: "outages",
          subject: `${index}`,
          country: "UA",
          after: { id: `${index}`, title: title(index), severity: "OUTAGE_SEVERITY_TOTAL" },
        })),
      ),
    );
  const trigger = (condition: string) => ({ changes: { datasets: ["internet-outages"], condition } });

  test.each(Object.values(costlyConditions))(
    "a preview over thousands of changes ends with its budget, one exhausted change a turn: %s",
    async (condition) => {
      await log(logged, (index) => `Outage ${index}`);
      const { call } = alertCalls(app, await app.key("pro_monthly"));
      using turns = countTurns();
      const { status, body } = await call("preview-rule", { trigger: trigger(condition) });
      expect([status, body]).toMatchObject([200, { fired: 0, complete: false }]);
      expect(turns.count()).toBeGreaterThanOrEqual(previewFuel / rowFuel - 1);
    },
  );

  test("a preview that spends its budget on the newest changes is not complete", async () => {
    await log(300, (index) => `Outage ${index}`);
    const { call } = alertCalls(app, await app.key("pro_monthly"));
    const { body } = await call("preview-rule", { trigger: trigger(costlyConditions.flattened) });
    expect(body).toMatchObject({ fired: 0, complete: false });
  });

  test("a stored rule passes over changes that exhaust its fuel, and the rules of others report all of theirs", async () => {
    const mine = alertCalls(app, await app.key("pro_monthly"));
    const other = alertCalls(app, await app.key("pro_monthly"));
    await mine.feed();
    await other.feed();
    const dear = `contains(after.title, 'dear') && (${costlyConditions.flattened}) || contains(after.title, 'last')`;
    const rules = {
      mine: await mine.rule(trigger(dear)),
      other: await other.rule(trigger("contains(after.title, 'last')")),
    };
    const isDear = (index: number) => index < logged - chunk || index % chunk < 40;
    await log(logged, (index) => (isDear(index) ? `dear ${index}, not the last` : `${index}, the last`));
    const warnings: string[] = [];
    {
      using turns = countTurns();
      await evaluate(database, { warn: (message) => warnings.push(message) });
      const exhausted = (logged / chunk - 1) * (chunkFuel / rowFuel) + 40;
      expect(turns.count()).toBeGreaterThanOrEqual(exhausted);
    }
    const reported = async ({ call }: typeof mine, id: string) =>
      (await call<{ rules: { id: string; fired: number }[] }>("list-rules")).body.rules.find((rule) => rule.id === id)
        ?.fired;
    expect(await reported(mine, rules.mine)).toBe(chunk - 40);
    expect(await reported(other, rules.other)).toBe(logged);
    expect(warnings).toHaveLength(logged / chunk - 1);
    await log(1, () => "the last");
    await evaluate(database);
    expect(await reported(mine, rules.mine)).toBe(chunk - 40 + 1);
  });
});
