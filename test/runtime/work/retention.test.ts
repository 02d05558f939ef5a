import { beforeAll, expect, test } from "vitest";
import { readConfig } from "../../../src/config/config.ts";
import { createLog } from "../../../src/log/log.ts";
import { boundedQueueTables, boundedTables, filledTables } from "../../../src/runtime/bounded-tables.ts";
import { retentionJob, retentions } from "../../../src/runtime/work/retention.ts";
import type { Database } from "../../../src/store/database.ts";
import { openAccount } from "../../support/accounts.ts";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { describeEachDatabase } from "../../support/databases.ts";
import { type Company, type ImpactPage, type Monitoring, monitoring } from "../../support/domains/monitoring.ts";

const dayMs = 86_400_000;
const daysAgo = (days: number) => new Date(testTime.getTime() - days * dayMs);

describeEachDatabase("what is kept for how long", (openFresh) => {
  let database: Database;
  let app: TestApp;
  let api: Monitoring;
  beforeAll(async () => {
    database = await openFresh();
    app = await startApp(database, { environment: { IDS_PLAN_LIMITS: "enterprise=100000" } });
    api = monitoring(app, database);
    return app[Symbol.asyncDispose];
  });

  /** One run of the job, two rows at a time. */
  async function run(environment: Record<string, string> = {}, now = testTime, signal = new AbortController().signal) {
    const { retain } = readConfig({ IDS_DATA: "sample", ...environment });
    const log = createLog("silent", process.stderr, (text) => text);
    const job = retentionJob({ database: database.kysely, retain, clock: () => now, log, max: 2 });
    await job.work({}, { id: "test", attempt: 1, signal });
  }
  const column = async (text: string) =>
    ((await database.query(text)).rows as { value: unknown }[]).map(({ value }) => value);

  test("every table has its time, or a reason why it does not grow, and none is named that is not there", async () => {
    const tables = (schema: string) =>
      column(`
        select c.relname as value from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = '${schema}' and c.relkind in ('r', 'p') and not c.relispartition`);
    const named = [
      ...retentions.map(({ table }) => table),
      ...Object.keys(boundedTables),
      ...Object.keys(filledTables),
    ];
    expect(new Set(named)).toEqual(new Set(await tables("public")));
    expect(new Set(named).size).toBe(named.length);
    expect(new Set(Object.keys(boundedQueueTables))).toEqual(new Set(await tables("pgboss")));
  });

  test("old calls are deleted in steps, recent ones and today's are still counted, and a second run changes nothing", async () => {
    const { id, key } = await openAccount(database, { subscriptions: [{ plan: "enterprise" }] });
    for (const days of [0, 1, 89, 399, 400, 401, 402, 403, 404, 2_000])
      await database.kysely
        .insertInto("usage_day")
        .values({ account: id, day: daysAgo(days).toISOString().slice(0, 10), operation: "GetQuote", calls: days + 1 })
        .execute();
    // The calls of this test are counted too, at a time that depends on the load.
    const own = `account = '${id}' and operation = 'GetQuote'`;
    const left = () => column(`select calls::int4 as value from usage_day where ${own} order by 1`);
    const reported = async () =>
      ((await (await app.get("/api/account/v1/get-usage?days=90", { key })).json()) as { usage: unknown }).usage;
    const before = await reported();
    expect(before).toMatchObject([{ calls: 1 }, { calls: 2 }, { calls: 90 }]);
    for (const _ of [1, 2]) {
      await run();
      expect(await left()).toEqual([1, 2, 90, 400, 401]);
      expect(await reported()).toEqual(before);
    }
    await run({ IDS_KEEP_USAGE_DAYS: "1" });
    expect(await left()).toEqual([1, 2]);
  });

  test("what is kept forever stays, and a run that is to end leaves the rest", async () => {
    await database.kysely
      .insertInto("usage_day")
      .values({ account: "old", day: "2001-01-01", operation: "GetQuote", calls: 1 })
      .execute();
    const left = () => column("select calls::int4 as value from usage_day where account = 'old'");
    await run({ IDS_KEEP_USAGE_DAYS: "forever" });
    expect(await left()).toEqual([1]);
    await run({}, testTime, AbortSignal.abort());
    expect(await left()).toEqual([1]);
    await run();
    expect(await left()).toEqual([]);
  });

  test("audit events end after their time, but for those that made a key which is still active", async () => {
    const at = daysAgo(500);
    app.setTime(at);
    const operator = await app.key("operator");
    const write = async (operation: string, body: object) =>
      (
        await app.get(`/api/account/v1/${operation}`, { key: operator, method: "POST", body: JSON.stringify(body) })
      ).json() as Promise<{ key: { id: string } }>;
    await write("create-account", { id: "kept", plan: "enterprise" });
    const active = (await write("create-api-key", { account: "kept", name: "active" })).key.id;
    const ended = (await write("create-api-key", { account: "kept", name: "ended" })).key.id;
    await write("revoke-api-key", { keyId: ended });
    app.setTime(testTime);
    await write("set-scopes", { account: "kept", scopes: [] });
    await run();
    const list = await app.json<{ events: { operation: string; details: { value: string }[] }[] }>(
      "/api/account/v1/list-audit-events?account=kept",
    );
    expect(list.events.map(({ operation }) => operation)).toEqual(["SetScopes", "CreateApiKey"]);
    expect(JSON.stringify(list.events[1]?.details)).toContain(active);
    const keys = await app.json<{ keys: { id: string }[] }>("/api/account/v1/list-api-keys?account=kept");
    expect(keys.keys.map(({ id }) => id)).toEqual([active]);
  });

  test("a delivery is deleted with its attempts, one that waits stays, and due ones are still sent", async () => {
    const { id: account, key } = await openAccount(database, { subscriptions: [{ plan: "enterprise" }] });
    const made = await app.get("/api/v2/shipping/webhooks", {
      ...{ key, method: "POST", headers: { "Content-Type": "application/json" } },
      body: JSON.stringify({ callbackUrl: "https://hooks.example.org/" }),
    });
    const { subscriberId: webhook } = (await made.json()) as { subscriberId: string };
    for (const [id, state, days] of [
      ["whd_old", "delivered", 31],
      ["whd_failed", "failed", 40],
      ["whd_dropped", "discarded", 50],
      ["whd_waits", "pending", 60],
      ["whd_young", "delivered", 29],
    ] as const) {
      await database.query(
        `insert into webhook_delivery (id, webhook, type, body, state, failures, created_at, next_attempt_at)
         values ($1, $2, 'test', '{}', $3, 0, $4, $4)`,
        [id, webhook, state, daysAgo(days)],
      );
      await database.query(
        "insert into webhook_attempt (delivery, at, status, error, milliseconds) values ($1, $2, 500, 'status', 1)",
        [id, daysAgo(days)],
      );
    }
    await run();
    const log = await app.get(`/api/v2/shipping/webhooks/${webhook}/deliveries`, { key });
    const { deliveries } = (await log.json()) as { deliveries: { deliveryId: string; attempts: unknown[] }[] };
    expect(deliveries.map(({ attempts }) => attempts.length)).toEqual([1, 1]);
    expect(await column("select id as value from webhook_delivery order by id")).toEqual(["whd_waits", "whd_young"]);
    expect(await column("select delivery as value from webhook_attempt order by 1")).toEqual([
      "whd_waits",
      "whd_young",
    ]);
    expect(account).not.toBe("");
  });

  test("tender notices end after they closed, and open ones never do", async () => {
    for (const [id, days] of [
      ["closed long ago", 91],
      ["closed lately", 89],
      ["open", undefined],
    ] as const) {
      await database.query(
        `insert into tender (newest_key, closing_key, closed_at, value_key, relevance_key, revision, id, source, origin, content_hash, terms)
         values (0, 0, $2, 0, 0, 1, $1, 'ted', 'sample', '', '')`,
        [id, days === undefined ? null : daysAgo(days)],
      );
    }
    await run();
    expect(await column("select id as value from tender order by id")).toEqual(["closed lately", "open"]);
  });

  test("kept answers end when they expire", async () => {
    for (const [id, days] of [
      ["expired", 1],
      ["kept", -1],
    ] as const)
      await database.kysely
        .insertInto("idempotent_call")
        .values({ id, request_hash: "", answer: null, locked_until: daysAgo(days), expires_at: daysAgo(days) })
        .execute();
    await run();
    expect(await column("select id as value from idempotent_call")).toEqual(["kept"]);
  });

  test("removed companies are deleted with their impacts, retracted impacts separately, and old cursors require a new snapshot", async () => {
    app.setTime(daysAgo(500));
    const { id, key, companies } = await api.open("Arnsberg Castings", "Bexhill Pumps", "Corunna Freight");
    const [first, second, third] = companies as [string, string, string];
    const occurredAt = daysAgo(501).toISOString();
    await api.admit(id, first, { occurredAt });
    const stored = await api.admit(id, second, { occurredAt });
    const retracted = await api.admit(id, third, { occurredAt });
    await api.retract(id, retracted.impactId);
    const removal = {
      companyId: first,
      name: "Arnsberg Castings",
      domicile: "GB",
      state: "MONITORED_COMPANY_STATE_REMOVED",
    };
    expect(
      await api.post("import-companies", { contractVersion: "cm-import-v1", companies: [removal] }, key),
    ).toMatchObject({ status: 200 });
    const lists = async () => ({
      companies: (await api.get<{ companies: Company[] }>("list-monitored-companies", {}, key)).body.companies,
      impacts: (await api.get<ImpactPage>("list-company-event-impacts", {}, key)).body.impacts,
    });
    expect((await lists()).companies).toHaveLength(3);

    app.setTime(testTime);
    const { snapshot } = (await api.get<ImpactPage>("list-company-event-impacts", {}, key)).body;
    await run();
    const after = await lists();
    expect(new Set(after.companies.map(({ companyId }) => companyId))).toEqual(new Set([second, third]));
    expect(after.impacts.map(({ impactId }) => impactId)).toEqual([stored.impactId]);
    const poll = { cursor: snapshot.pollCursor };
    expect((await api.get<ImpactPage>("list-company-event-changes", poll, key)).body).toMatchObject({
      pollState: "CURRENT",
      impacts: [],
    });

    // The revisions that no cursor reaches are deleted a day later, even in an account without writes.
    const later = new Date(testTime.getTime() + dayMs + 120_000);
    const rows = () =>
      column(`
      select id as value from monitored_company where account = '${id}'
      union all select id from company_impact where account = '${id}'`);
    expect(new Set(await rows())).toContain(first);
    await run({}, later);
    expect(new Set(await rows())).toEqual(new Set([second, third, stored.impactId]));
    expect(await lists()).toEqual(after);
    expect((await api.get<ImpactPage>("list-company-event-changes", poll, key)).body).toMatchObject({
      pollState: "SNAPSHOT_REQUIRED",
    });
  });
});
