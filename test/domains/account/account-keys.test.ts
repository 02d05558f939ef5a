import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { AccountKeys } from "../../../src/access/keys/account-keys.ts";
import { newKey } from "../../../src/access/keys/api-key.ts";
import type { Database } from "../../../src/store/database.ts";
import { eventually, startApp, type TestApp, testTime } from "../../support/app.ts";
import { describeEachDatabase } from "../../support/databases.ts";

const prefix = "/api/account/v1/";

interface Made {
  readonly secret: string;
  readonly key: { readonly id: string; readonly scopes: readonly string[] };
}

describeEachDatabase("keys of accounts", (openFresh) => {
  let database: Database;
  let app: TestApp;

  beforeAll(async () => {
    database = await openFresh();
    app = await startApp(database);
    return app[Symbol.asyncDispose];
  });

  const post = async <T>(operation: string, body: object, key?: string, headers: Record<string, string> = {}) => {
    const options = { ...(key ? { key } : {}), method: "POST", headers, body: JSON.stringify(body) };
    const response = await app.get(prefix + operation, options);
    return { status: response.status, headers: response.headers, body: (await response.json()) as T };
  };
  const open = async (id: string) => {
    await post("create-account", { id, plan: "enterprise" });
    return (await post<Made>("create-api-key", { name: "first", account: id })).body;
  };
  const list = async (path: string, key?: string) => (await app.get(prefix + path, key ? { key } : {})).json();

  test("five keys live on after a rotation at most", async () => {
    let { secret, key } = await open("rotating");
    for (let rotation = 0; rotation < 5; rotation++) {
      const { status, body } = await post<Made>("rotate-api-key", { keyId: key.id }, secret);
      expect(status).toBe(201);
      ({ secret, key } = body);
    }
    expect(await post("rotate-api-key", { keyId: key.id }, secret)).toMatchObject({
      status: 409,
      body: { message: "The account has 5 replaced keys that are still active: revoke one first" },
    });
    const { keys } = (await list("list-api-keys", secret)) as { keys: { id: string }[] };
    const replaced = keys.find(({ id }) => id !== key.id)?.id;
    expect((await post("revoke-api-key", { keyId: replaced }, secret)).status).toBe(200);
    expect((await post("rotate-api-key", { keyId: key.id }, secret)).status).toBe(201);
  });

  test("of very many keys that have ended the newest are listed, after those that live", async () => {
    const { secret, key } = await open("churning");
    await sql`
      insert into api_key (id, hash, account, name, created_at, revoked_at)
      select 'old_' || n, 'old_' || n, 'churning', 'old', ${testTime}::timestamptz + n * interval '1 s', ${testTime}
      from generate_series(1, 300) n`.execute(database.kysely);
    const { keys } = (await list("list-api-keys", secret)) as { keys: { id: string }[] };
    expect(keys.map(({ id }) => id)).toEqual([key.id, ...Array.from({ length: 199 }, (_, n) => `old_${n + 102}`)]);
  });

  test("a scope that is taken away while a key is being rotated does not live on in the new key", async () => {
    await open("scoped");
    await post("set-scopes", { account: "scoped", scopes: ["a:b"] });
    const made = (await post<Made>("create-api-key", { name: "reader", account: "scoped", scopes: ["a:b"] })).body;
    let settled = false;
    // As it is taken away, step by step: the account is changed, its keys are read, then they are changed.
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const taking = database.kysely.transaction().execute(async (transaction) => {
      await transaction.updateTable("account").set({ scopes: [] }).where("id", "=", "scoped").execute();
      const keys = await transaction.selectFrom("api_key").select("id").where("account", "=", "scoped").execute();
      begin();
      if (database.kind === "postgres") await eventually(async () => settled || (await isWaiting()), Boolean);
      for (const { id } of keys)
        await transaction.updateTable("api_key").set({ scopes: [] }).where("id", "=", id).execute();
    });
    const isWaiting = async () => {
      const { rows } = await sql`
        select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(
        database.kysely,
      );
      return rows.length > 0;
    };
    await begun;
    const itself = { account: "scoped", keyId: made.key.id, scopes: new Set<string>(), plan: { key: "enterprise" } };
    const rotating = new AccountKeys(database.kysely, randomBytes).rotate(
      { ...itself, expiresAt: undefined },
      made.key.id,
      0,
      testTime,
    );
    const rotated = rotating.then(() => {
      settled = true;
    });
    await Promise.all([taking, rotated]);
    const { keys } = (await list("list-api-keys?account=scoped")) as { keys: { scopes: string[] }[] };
    expect(keys.map(({ scopes }) => scopes)).toEqual([[], [], []]);
  });

  test("no request opens the account of the configured operator's key", async () => {
    expect(await post("create-account", { id: "operator", plan: "free" })).toMatchObject({
      status: 409,
      body: { message: "The ID or the billing customer is already in use" },
    });
  });

  test("a call whose answer was lost with its process, or its secret, is never done twice", async () => {
    const { secret } = await open("lost");
    const repeat = { "Idempotency-Key": "lost" };
    const call = () => post<{ error?: string }>("create-api-key", { name: "once" }, secret, repeat);
    const keys = async () => ((await list("list-api-keys", secret)) as { keys: object[] }).keys.length;
    expect((await call()).status).toBe(201);
    const stored = database.kysely.updateTable("idempotent_call");
    await stored.set({ answer: Buffer.alloc(64) }).execute();
    expect(await call()).toMatchObject({ status: 409, body: { error: "idempotency_answer_lost" } });
    await stored.set({ answer: null, locked_until: new Date(testTime.getTime() - 1) }).execute();
    expect(await call()).toMatchObject({ status: 409, body: { error: "idempotency_answer_lost" } });
    await stored.set({ locked_until: new Date(testTime.getTime() + 1_000) }).execute();
    expect(await call()).toMatchObject({ status: 409, body: { error: "idempotency_conflict" } });
    expect(await keys()).toBe(2);
  });

  test("the last use of a key that is being changed is left for later: nothing waits for it", async ({ skip }) => {
    skip(database.kind === "embedded", "one transaction holds all others up");
    const { secret, key } = await open("changing");
    await app.get(`${prefix}get-limits`, { key: secret });
    await database.kysely.transaction().execute(async (transaction) => {
      await transaction.updateTable("api_key").set({ name: "changed" }).where("id", "=", key.id).execute();
      await app.settled();
    });
  });

  test("the last page of accounts says that it is the last, also when it is full", async () => {
    const { pagination } = (await list("list-accounts")) as { pagination: { totalCount: number } };
    const full = await list(`list-accounts?page_size=${pagination.totalCount}`);
    expect(full).toMatchObject({ pagination: { nextCursor: "", totalCount: pagination.totalCount } });
    const rest = (await list(`list-accounts?page_size=${pagination.totalCount - 1}`)) as {
      pagination: { nextCursor: string };
    };
    expect(await list(`list-accounts?cursor=${encodeURIComponent(rest.pagination.nextCursor)}`)).toMatchObject({
      accounts: [{}],
      pagination: { nextCursor: "" },
    });
  });

  test("the keys of an account that does not exist are not an empty list", async () => {
    const response = await app.get(`${prefix}list-api-keys?account=nobody`);
    expect([response.status, await response.json()]).toEqual([404, { message: "No such account" }]);
  });

  test("calls are counted once, also while the last use of a key cannot be written", async () => {
    const { secret } = await open("counted");
    await app.settled();
    await sql`alter table api_key rename column last_used_at to hidden`.execute(database.kysely);
    const other = newKey(randomBytes);
    await app.get(`${prefix}get-limits`, { key: secret });
    app.setTime(new Date(testTime.getTime() + 300_000));
    await app.get(`${prefix}get-limits`, { key: secret });
    expect((await app.get(`${prefix}get-limits`, { key: other })).status).toBe(401);
    await app.settled();
    await sql`alter table api_key rename column hidden to last_used_at`.execute(database.kysely);
    await app.settled();
    app.setTime(testTime);
    const { usage } = (await list("get-usage", secret)) as { usage: { operation: string; calls: number }[] };
    expect(usage).toMatchObject([{ operation: "GetLimits", calls: 2 }]);
  });

  test("while idempotency keys cannot be looked at, a call with one is not done: it might be done twice", async () => {
    const { secret } = await open("unlooked");
    await sql`alter table idempotent_call rename to hidden`.execute(database.kysely);
    const made = await post("create-api-key", { name: "x" }, secret, { "Idempotency-Key": "a" });
    await sql`alter table hidden rename to idempotent_call`.execute(database.kysely);
    expect(made.status).toBe(500);
    const keys = database.kysely.selectFrom("api_key").where("account", "=", "unlooked").where("name", "=", "x");
    expect(await keys.select("id").execute()).toEqual([]);
  });
});
