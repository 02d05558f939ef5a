import { beforeAll, expect, test } from "vitest";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { describeEachDatabase } from "../../support/databases.ts";

describeEachDatabase("the deletion of an account", (openFresh) => {
  let app: TestApp;
  let database: Database;
  let operator: string;

  beforeAll(async () => {
    database = await openFresh();
    app = await startApp(database);
    operator = await app.key("operator");
    return app[Symbol.asyncDispose];
  });

  const call = async (path: string, body: object, key = operator) => {
    const response = await app.get(path, { key, method: "POST", body: JSON.stringify(body) });
    return { status: response.status, body: JSON.parse((await response.text()) || "{}") };
  };
  const remove = (account: string) => call("/api/account/v1/delete-account", { account });

  /** Opens an account that owns a row in most of the tables. */
  async function openAccount(id: string) {
    await call("/api/account/v1/create-account", { id, plan: "enterprise" });
    await call("/api/account/v1/set-scopes", {
      account: id,
      scopes: ["company_monitoring:read", "company_monitoring:write"],
    });
    const created = await call("/api/account/v1/create-api-key", {
      ...{ account: id, name: "all", scopes: ["company_monitoring:read", "company_monitoring:write"] },
    });
    const key: string = created.body.secret;
    const feed = await call(
      "/api/account/v1/create-feed-url",
      { name: "sheet", path: "/api/conflict/v1/list-conflict-events?format=csv" },
      key,
    );
    const hook = await call("/api/v2/shipping/webhooks", { callbackUrl: "https://hooks.example.org/1" }, key);
    const endpoint = await call("/api/alerts/v1/create-endpoint", { name: "feed", kind: "feed" }, key);
    const rule = await call(
      "/api/alerts/v1/create-rule",
      { name: "changes", trigger: { changes: { datasets: ["conflict-events"] } } },
      key,
    );
    const companies = await call(
      "/api/company-monitoring/v1/import-companies",
      {
        contractVersion: "cm-import-v1",
        companies: [{ name: "One plc", domicile: "GB", state: "MONITORED_COMPANY_STATE_ACTIVE" }],
      },
      key,
    );
    await app.settled();
    const statuses = Object.entries({ created, feed, hook, endpoint, rule, companies });
    return { key, statuses: statuses.map(([name, { status, body }]) => [name, status, JSON.stringify(body)]), feed };
  }

  /** Returns the number of rows of an account in each table that has any. */
  async function rowsOf(account: string): Promise<Record<string, number>> {
    const { rows: tables } = await database.query<{ name: string }>(
      "select table_name as name from information_schema.columns where column_name = 'account' and table_schema = current_schema()",
    );
    const counted: Record<string, number> = {};
    for (const { name } of tables) {
      const { rows } = await database.query<{ rows: number }>(
        `select count(*)::int as rows from ${name} where account = $1`,
        [account],
      );
      if (rows[0]?.rows) counted[name] = rows[0].rows;
    }
    return counted;
  }

  test("leaves only its own audit event, ends its keys and feed URLs, and changes no other account", async () => {
    const { key, feed, statuses } = await openAccount("gone");
    for (const [name, status, body] of statuses) expect(status, `${name} ${body}`).toBeLessThan(300);
    await openAccount("stays");
    const [before, others] = [await rowsOf("gone"), await rowsOf("stays")];
    expect(Object.keys(before).length).toBeGreaterThanOrEqual(9);
    expect(await remove("gone")).toEqual({ status: 200, body: { account: "gone" } });
    expect(await rowsOf("gone")).toEqual({ audit_event: 1 });
    expect(await rowsOf("stays")).toEqual(others);
    expect((await app.get("/api/account/v1/get-caller", { key })).status).toBe(401);
    expect((await app.get(new URL(feed.body.url, app.url).pathname, { key: null })).status).toBe(404);
    const listed = await app.get("/api/account/v1/list-audit-events?account=gone", { key: operator });
    expect(await listed.json()).toMatchObject({
      events: [{ operation: "DeleteAccount", outcome: "ok", account: "gone" }],
    });
    expect((await remove("gone")).status).toBe(404);
    expect((await call("/api/account/v1/create-account", { id: "gone" })).status).toBe(201);
    expect((await rowsOf("gone")).api_key).toBeUndefined();
  });

  test("is refused for the operator's account, while a provider charges, and without the operator's key", async () => {
    const { key } = await openAccount("paid");
    const caller = await app.get("/api/account/v1/get-caller", { key: operator });
    const { account } = (await caller.json()) as { account: { id: string } };
    expect((await remove(account.id)).status).toBe(409);
    expect((await call("/api/account/v1/delete-account", { account: "paid" }, key)).status).toBe(403);
    await database.query(
      "insert into subscription (id, account, provider, plan, active) values ('sub_1', 'paid', 'stripe', 'pro_monthly', true)",
    );
    const refused = await remove("paid");
    expect(refused.status).toBe(409);
    expect(JSON.stringify(refused.body)).toContain("End its subscription there first");
    await database.query("update subscription set active = false where id = 'sub_1'");
    expect((await remove("paid")).status).toBe(200);
  });
});
