import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { eventually, startApp } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";
import { alertCalls } from "../../support/domains/alerts.ts";
import { startJobs } from "../../support/processes/job-worker.ts";
import { startReceiver } from "../../support/servers/webhook-receiver.ts";

const trigger = { changes: { datasets: ["internet-outages"] } };
const environment = { IDS_DATA: "live", IDS_ALLOW_LOOPBACK_WEBHOOKS: "on" };

// The embedded database does one thing after the other.
describe.skipIf(process.env.IDS_TEST_DATABASE_URL === undefined)("Endpoints of one account", () => {
  test("that fail for good at the same moment are disabled after one attempt each, which is reported of both", async () => {
    await using stack = new AsyncDisposableStack();
    const database = stack.adopt(await openOnce(), (each) => each.close());
    const receiver = stack.use(await startReceiver());
    const app = stack.use(await startApp(database, { environment }));
    const { call, feed, rule, deliveries } = alertCalls(app, await app.key("pro_monthly"));
    for (const name of ["one", "two"]) await call("create-endpoint", { name, kind: "webhook", target: receiver.url });
    const feedId = await feed();
    receiver.reply(410);
    await call("test-rule", { ruleId: await rule(trigger) });
    const waiting = async () => {
      const { rows } = await sql<{ count: number }>`
        select count(distinct pid)::int as count from pg_locks join pg_stat_activity using (pid)
        where not granted and datname = current_database()`.execute(database.kysely);
      return rows[0]?.count ?? 0;
    };
    await database.kysely.transaction().execute(async (transaction) => {
      // What both read before they report.
      await sql`lock table subscription in access exclusive mode`.execute(transaction);
      stack.use(await startJobs(database, { environment }));
      // The service may wait for the same table, because it reads plans at intervals.
      await eventually(waiting, (count) => receiver.received.length === 2 && count >= 2);
    });
    const reported = await eventually(
      () => deliveries(feedId),
      ({ length }) => length === 3,
    );
    expect(receiver.received).toHaveLength(2);
    expect(reported.map(({ type }) => type)).toEqual(["rule.test", "endpoint.disabled", "endpoint.disabled"]);
  });
});
