import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { evaluationKind } from "../../../src/domains/alerts/evaluation/evaluation-job.ts";
import { openQueue } from "../../../src/jobs/queue.ts";
import { logChanges, type NewChange } from "../../../src/store/changes/change-log.ts";
import { type Database, openDatabase } from "../../../src/store/database.ts";
import { migrate } from "../../../src/store/migrate.ts";
import { startApp, testTime } from "../../support/app.ts";
import { alertCalls, evaluate } from "../../support/domains/alerts.ts";
import { randomOf } from "../../support/domains/synthetic-bases.ts";
import { hasPostgres, startPostgres } from "../../support/servers/postgres-server.ts";
import { startReceiver, type WebhookReceiver } from "../../support/servers/webhook-receiver.ts";

const environment = { IDS_DATA: "live", IDS_ALLOW_LOOPBACK_WEBHOOKS: "on" };
const plan = [20, 50, 100, 100, 100, 100, 100, 100, 100];
const options = { environment, deliveryTimes: { plan, timeoutMs: 500, perSecond: 1_000 } };
const rounds = 200;
const kills = 20;

function outageChange(id: string, country: string, severity = "OUTAGE_SEVERITY_TOTAL"): NewChange {
  return { kind: "appeared", rows: "outages", subject: id, country, after: { id, title: `Outage ${id}`, severity } };
}

function log(database: Database, changes: readonly NewChange[], dataset = "internet-outages"): Promise<void> {
  return database.kysely
    .transaction()
    .execute((transaction) => logChanges(transaction, { dataset, origin: "live", at: new Date() }, changes));
}

async function openMigrated(url: string): Promise<Database> {
  const database = await openDatabase({ url, directory: "/nowhere", name: "test", log: () => undefined });
  await migrate(database, () => testTime);
  return database;
}

describe.skipIf(!hasPostgres)("rules", () => {
  test("report each change at least once under one id while the worker is killed, and nothing that is paused or foreign", {
    timeout: 900_000,
  }, async () => {
    await using server = await startPostgres();
    await using stack = new AsyncDisposableStack();
    const database = await openMigrated(server.url);
    stack.defer(() => database.close());
    const app = stack.use(await startApp(database, { environment }));
    const account = async (trigger: object, isPaused = false) => {
      const receiver = stack.use(await startReceiver());
      const { call, rule } = alertCalls(app, await app.key("pro_monthly"));
      await call("create-endpoint", { name: "hook", kind: "webhook", target: receiver.url });
      const ruleId = await rule(trigger);
      if (isPaused) await call("pause-rule", { ruleId });
      return receiver;
    };
    const changes = { datasets: ["internet-outages"] };
    const all = await account({ changes });
    const ukraine = await account({ changes: { ...changes, countries: ["UA"] } });
    const total = await account({ changes: { ...changes, condition: "after.severity == 'OUTAGE_SEVERITY_TOTAL'" } });
    const silent = [await account({ changes }, true), await account({ changes: { datasets: ["conflict-events"] } })];

    const queue = await openQueue(database, { kinds: [evaluationKind], role: "send", log: () => undefined });
    stack.defer(() => queue.close());
    const worker = killedWorker(server.url);
    const started = performance.now();
    for (let round = 0; round < rounds; round += 1) {
      const [country, severity] = [
        round % 3 ? "UA" : "DE",
        round % 2 ? "OUTAGE_SEVERITY_TOTAL" : "OUTAGE_SEVERITY_PARTIAL",
      ];
      await log(database, [outageChange(`${round}`, country, severity)]);
      await queue.send(evaluationKind, {}, { key: evaluationKind.name });
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const killed = await worker.lastRound();
    const due = { all: rounds, ukraine: rounds - Math.ceil(rounds / 3), total: rounds / 2 };
    await settled(database, { send: () => queue.send(evaluationKind, {}, { key: evaluationKind.name }) });
    await worker.end();
    const requests = [all, ukraine, total].reduce((sum, { received }) => sum + received.length, 0);
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    console.log(`${rounds} changes, ${killed} kills: ${requests} requests to 3 endpoints in ${seconds} s`);
    expect({ all: reported(all), ukraine: reported(ukraine), total: reported(total) }).toEqual(due);
    for (const receiver of silent) expect(receiver.received).toEqual([]);
  });

  test("of 10,000 look at 1,000 changes in at most 2 seconds where an index leaves 100 of them for each", {
    timeout: 300_000,
  }, async () => {
    await using server = await startPostgres();
    await using stack = new AsyncDisposableStack();
    const database = await openMigrated(server.url);
    stack.defer(() => database.close());
    const app = stack.use(await startApp(database, { environment }));
    await manyRules(database);
    const letters = [..."ABCDEFGHIJ"];
    const countries = letters.flatMap((a) => letters.map((b) => a + b));
    const batch = (name: string) =>
      Array.from({ length: 1_000 }, (_, index) =>
        outageChange(
          `${name}${index}`,
          countries[index % 100] ?? "",
          index % 100 ? "OUTAGE_SEVERITY_PARTIAL" : undefined,
        ),
      );
    await log(database, batch("first"));
    const first = await timed(() => evaluate(database));
    await log(database, batch("second"));
    const second = await timed(() => evaluate(database));
    const { rows } = await database.query("select sum(fired)::int4 as fired from alert_rule");
    const [{ fired }] = rows as [{ fired: number }];
    console.log(
      `10,000 rules, 1,000 changes: ${first} ms, once more ${second} ms, rules read each time; ${fired} reports`,
    );
    expect(fired).toBe(2 * 10 * 100);
    expect(Math.min(first, second)).toBeLessThanOrEqual(2_000);
    // One that watches everything with every rule, for each of its endpoints, fills no store.
    await database.query(`
      insert into webhook (id, account, kind, name, callback_url, chokepoint_ids, alert_threshold, created_at, secret)
      select 'more_' || n, 'a0', 'feed', '', '', '{-}', 100, now(), '' from generate_series(1, 9) as n`);
    await database.query("delete from alert_rule where account <> 'a0'");
    await database.query(`update alert_rule set trigger = '{"changes":{"datasets":["internet-outages"]}}'`);
    await database.query("delete from webhook_delivery");
    await log(database, batch("third").slice(0, 500));
    const warnings: string[] = [];
    await evaluate(database, { warn: (text) => warnings.push(text) });
    const { rows: left } = await database.query("select count(*)::int4 as count from webhook_delivery");
    expect({ left, warnings }).toEqual({
      left: [{ count: 1_000 }],
      warnings: ["The rules of a0 report too many events at a time: some are not sent"],
    });
    await app.settled();
  });
});

/** A hundred accounts with a hundred rules each; of each country a hundred rules. */
async function manyRules({ query }: Database): Promise<void> {
  await query("insert into account (id, name) select 'a' || n, 'a' || n from generate_series(0, 99) as n");
  await query(`
    insert into subscription (id, account, provider, plan, active, updated_at)
    select 'local:a' || n, 'a' || n, 'local', 'api_starter', true, now() from generate_series(0, 99) as n`);
  await query(`
    insert into webhook (id, account, kind, name, callback_url, chokepoint_ids, alert_threshold, created_at, secret, token_hash)
    select 'ep_' || n, 'a' || n, 'feed', '', '', '{-}', 100, now(), '', 'hash' || n from generate_series(0, 99) as n`);
  await query(`
    insert into alert_rule (id, account, name, kind, trigger, endpoints, created_at, after_position)
    select 'rule_' || n, 'a' || n % 100, 'rule ' || n, 'changes', json_build_object('changes', json_build_object(
      'datasets', json_build_array('internet-outages'),
      'countries', json_build_array(chr(65 + n / 1000) || chr(65 + n / 100 % 10)),
      'condition', 'after.severity == ''OUTAGE_SEVERITY_TOTAL'' && contains(after.title, ''Outage'')'
    )), '{}', now(), 0 from generate_series(0, 9999) as n`);
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return Math.round(performance.now() - started);
}

/** How many changes came; fails where one came under two ids. */
function reported({ received }: WebhookReceiver): number {
  const ids = new Map<number, string>();
  for (const { id, body } of received)
    for (const { position } of JSON.parse(body).data.changes as { position: number }[]) {
      expect(ids.get(position) ?? id, `position ${position}`).toBe(id);
      ids.set(position, id);
    }
  return ids.size;
}

/** Everything was looked at, and nothing waits. */
async function settled({ query }: Database, { send }: { readonly send: () => Promise<unknown> }): Promise<void> {
  const deadline = performance.now() + 300_000;
  for (;;) {
    await send();
    const { rows } = await query(`
      select (select count(*)::int4 from webhook_delivery where state = 'pending') as waiting,
        (select value from generation where name = 'changes') - (select position from alert_position) as behind`);
    const { waiting, behind } = rows[0] as { waiting: number; behind: string };
    if (waiting === 0 && Number(behind) === 0) return;
    if (performance.now() > deadline)
      throw new Error(`${waiting} deliveries wait, ${behind} changes were not looked at`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

/** A worker that is killed at random and started again, until it has been so often enough. */
function killedWorker(url: string) {
  const script = fileURLToPath(new URL("../../support/processes/webhook-worker.ts", import.meta.url));
  const random = randomOf(11);
  const start = () =>
    spawn(process.execPath, [script, url, JSON.stringify(options)], { stdio: ["ignore", "pipe", "inherit"] });
  let last = start();
  const kill = async () => {
    const ended = once(last, "exit");
    last.kill("SIGKILL");
    await ended;
  };
  const rounds = (async () => {
    for (let round = 0; round < kills; round += 1) {
      await once(last.stdout, "data");
      await new Promise((resolve) => setTimeout(resolve, 100 + 1_500 * random()));
      await kill();
      last = start();
    }
    return kills;
  })();
  return { lastRound: () => rounds, end: kill };
}
