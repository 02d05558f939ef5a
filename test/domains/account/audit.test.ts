import { Writable } from "node:stream";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { describeEachDatabase } from "../../support/databases.ts";

interface AuditEvent {
  readonly id: string;
  readonly actor: string;
  readonly keyId: string;
  readonly account: string;
  readonly operation: string;
  readonly outcome: string;
  readonly address: string;
  readonly requestId: string;
  readonly details: readonly { readonly name: string; readonly value: string }[];
}

describeEachDatabase("the audit log", (openFresh) => {
  let app: TestApp;
  let database: Database;
  let operator: string;
  const logged: string[] = [];

  beforeAll(async () => {
    database = await openFresh();
    const log = new Writable({
      write(line, _encoding, done) {
        logged.push(String(line));
        done();
      },
    });
    app = await startApp(database, { environment: { IDS_LOG_LEVEL: "info" }, log });
    operator = await app.key("operator");
    return app[Symbol.asyncDispose];
  });

  let requested = 0;
  const write = async (path: string, body: object, key = operator, method = "POST") => {
    requested += 1;
    const headers = { "X-Request-Id": `write-${requested}` };
    const options = { key, headers, method, ...(method === "POST" ? { body: JSON.stringify(body) } : {}) };
    const response = await app.get(path, options);
    const text = await response.text();
    return { status: response.status, body: text === "" ? {} : JSON.parse(text) };
  };
  const accountWrite = (operation: string, body: object, key?: string) =>
    write(`/api/account/v1/${operation}`, body, key);
  const read = async (key: string, query = "") =>
    (await (await app.get(`/api/account/v1/list-audit-events${query}`, { key })).json()) as {
      events: AuditEvent[];
      pagination: { nextCursor: string; totalCount: number };
    };

  test("ten writes leave ten lines with actor, action, subject, origin, and outcome", async () => {
    await accountWrite("create-account", { id: "acme", plan: "enterprise" });
    await accountWrite("set-scopes", { account: "acme", scopes: ["company_monitoring:read"] });
    await accountWrite("set-subscription", { account: "acme", plan: "api_business" });
    const first = (await accountWrite("create-api-key", { name: "first", account: "acme" })).body;
    const plain = (await accountWrite("create-api-key", { name: "plain" }, first.secret)).body;
    await accountWrite("rotate-api-key", { keyId: plain.key.id }, first.secret);
    await accountWrite("revoke-api-key", { keyId: plain.key.id }, first.secret);
    await accountWrite("revoke-api-key", { keyId: "key_nothing" }, first.secret);
    const callbackUrl = "https://hooks.example.org/secret-path";
    const hook = (await write("/api/v2/shipping/webhooks", { callbackUrl }, first.secret)).body;
    await write(`/api/v2/shipping/webhooks/${hook.subscriberId}`, {}, first.secret, "DELETE");

    const { events, pagination } = await read(first.secret);
    const lines = events.map(({ operation, outcome, account }) => `${operation} ${outcome} ${account}`).reverse();
    expect(lines).toEqual([
      "CreateAccount ok acme",
      "SetScopes ok acme",
      "SetSubscription ok acme",
      "CreateApiKey ok acme",
      "CreateApiKey ok acme",
      "RotateApiKey ok acme",
      "RevokeApiKey ok acme",
      "RevokeApiKey NotFound acme",
      "RegisterWebhook ok acme",
      "DeleteWebhook ok acme",
    ]);
    expect(pagination).toEqual({ nextCursor: "", totalCount: 10 });
    expect(events.map(({ requestId }) => requestId).reverse()).toEqual(
      Array.from({ length: 10 }, (_, place) => `write-${place + 1}`),
    );
    for (const { actor, keyId, address } of events.slice(0, 6))
      expect([actor, keyId, address]).toEqual(["acme", first.key.id, "127.0.0.1"]);
    const made = events.find(({ requestId }) => requestId === "write-5");
    expect(made?.details).toContainEqual({ name: "result.key.id", value: plain.key.id });
    const text = JSON.stringify(events);
    for (const secret of [first.secret, plain.secret, hook.secret, "secret-path"]) expect(text).not.toContain(secret);
  });

  test("an account sees only its own lines, and the operator all lines or those of one account, page by page", async () => {
    await accountWrite("create-account", { id: "other", plan: "free" });
    const other = (await accountWrite("create-api-key", { name: "first", account: "other" })).body;
    const own = await read(other.secret);
    expect(new Set(own.events.map(({ account }) => account))).toEqual(new Set(["other"]));
    const rejected = await app.get("/api/account/v1/list-audit-events?account=acme", { key: other.secret });
    expect(rejected.status).toBe(403);
    expect((await read(operator, "?account=other")).events).toEqual(own.events);
    const seen: string[] = [];
    for (let cursor: string | undefined = ""; cursor !== undefined; ) {
      const page = await read(operator, `?page_size=3&cursor=${cursor}`);
      seen.push(...page.events.map(({ id }) => id));
      cursor = page.pagination.nextCursor || undefined;
    }
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => Number(b) - Number(a)));
    expect(seen.length).toBe((await read(operator)).pagination.totalCount);
  });

  test("a key without the scope to read keys does not read the log", async () => {
    await accountWrite("create-account", { id: "scopeless", plan: "free" });
    const first = (await accountWrite("create-api-key", { name: "first", account: "scopeless" })).body;
    const plain = (await accountWrite("create-api-key", { name: "plain" }, first.secret)).body;
    expect((await app.get("/api/account/v1/list-audit-events", { key: plain.secret })).status).toBe(403);
  });

  test("the program log has the names of the fields of a write, and no sent or returned value", async () => {
    await accountWrite("create-account", { id: "named", name: "Jane Doe", plan: "free" });
    const first = (await accountWrite("create-api-key", { name: "Laptop of Jane", account: "named" })).body;
    const lines = logged.filter((line) => line.includes(first.key.account)).map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { msg: "write", operation: "CreateAccount", outcome: "ok", account: "named", fields: ["id", "name", "plan"] },
      { msg: "write", operation: "CreateApiKey", address: "127.0.0.1", fields: ["name", "account"] },
    ]);
    for (const value of ["Jane", first.key.id, first.key.prefix]) expect(logged.join("")).not.toContain(value);
  });

  test("a write is not done while its line cannot be written", async () => {
    const accounts = async () =>
      (await (await app.get("/api/account/v1/list-accounts", { key: operator })).json()) as { accounts: object[] };
    const before = (await accounts()).accounts.length;
    await sql`alter table audit_event rename to audit_event_away`.execute(database.kysely);
    const { status } = await accountWrite("create-account", { id: "unlogged", plan: "free" });
    await sql`alter table audit_event_away rename to audit_event`.execute(database.kysely);
    expect(status).toBeGreaterThanOrEqual(500);
    expect((await accounts()).accounts).toHaveLength(before);
  });
});
