import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { beforeAll, expect, test } from "vitest";
import { AccountService } from "../../../gen/es/ids/account/v1/account_pb.ts";
import type { Database } from "../../../src/store/database.ts";
import { eventually, startApp, type TestApp, testTime } from "../../support/app.ts";
import { describeEachDatabase } from "../../support/databases.ts";

const outages = "/api/infrastructure/v1/list-internet-outages";
const dayMs = 86_400_000;

interface Key {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: readonly string[];
  readonly expiresAt?: number;
  readonly revokedAt?: number;
  readonly lastUsedAt?: number;
}

describeEachDatabase("accounts", (openFresh) => {
  let database: Database;
  let app: TestApp;
  let operator: string;

  beforeAll(async () => {
    database = await openFresh();
    app = await startApp(database);
    operator = await app.key("operator");
    await app.refresh("internet-outages");
    return app[Symbol.asyncDispose];
  });

  /** POST of an operation of the account service; the body and the status. */
  const call = async (operation: string, body: object, key = operator, headers: Record<string, string> = {}) => {
    const response = await app.get(`/api/account/v1/${operation}`, {
      ...{ key, method: "POST", headers: { "Content-Type": "application/json", ...headers } },
      body: JSON.stringify(body),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as never };
  };
  const open = async (id: string, plan = "enterprise") => {
    expect((await call("create-account", { id, plan })).status).toBe(201);
    const { body, status } = await call("create-api-key", { name: "first", account: id });
    expect(status).toBe(201);
    return body as { secret: string; key: Key };
  };
  const listed = async (key: string) =>
    ((await (await app.get("/api/account/v1/list-api-keys", { key })).json()) as { keys: Key[] }).keys;
  const statusOf = async (key: string) => (await app.get(outages, { key })).status;

  test("an account's first key is made by the operator, shown once, and opens the service", async () => {
    const { secret, key } = await open("first");
    expect(secret).toMatch(/^ids_[0-9a-f]{40}$/);
    expect(key).toMatchObject({ name: "first", prefix: secret.slice(0, 9), account: "first" });
    expect(await statusOf(secret)).toBe(200);
    const caller = await (await app.get("/api/account/v1/get-caller", { key: secret })).json();
    expect(caller).toMatchObject({ account: { id: "first", plan: "enterprise", tier: 3 }, key: { id: key.id } });
    expect(JSON.stringify(await listed(secret))).not.toContain(secret);
  });

  test("the secret of a key is in no table, in no form but its hash", async () => {
    const { secret } = await open("secretive");
    await call("create-api-key", { name: "once" }, secret, { "Idempotency-Key": "kept" });
    for (const name of ["api_key", "account", "subscription", "usage_day", "idempotent_call", "audit_event"] as const) {
      const rows = await database.kysely.selectFrom(name).selectAll().execute();
      const text = rows.map((row) =>
        Object.values(row)
          .map((value) => (Buffer.isBuffer(value) ? value.toString("latin1") : String(value)))
          .join(),
      );
      for (const row of text) expect(row).not.toMatch(/ids_[0-9a-f]{40}/);
      expect(text.join()).not.toContain(secret.slice(4));
    }
  });

  test("a rotated key works for its overlap and then ends, and ends at once without overlap", async () => {
    const { secret, key } = await open("rotating");
    const rotated = await call("rotate-api-key", { keyId: key.id, overlapSeconds: 3600 }, secret);
    const made = rotated.body as { secret: string; key: Key; replaced: Key };
    expect(made.replaced).toMatchObject({ id: key.id, expiresAt: testTime.getTime() + 3_600_000 });
    expect([await statusOf(secret), await statusOf(made.secret)]).toEqual([200, 200]);
    expect((await call("rotate-api-key", { keyId: key.id }, made.secret)).status).toBe(404);
    app.setTime(new Date(testTime.getTime() + 3_600_000));
    expect([await statusOf(secret), await statusOf(made.secret)]).toEqual([401, 200]);
    app.setTime(testTime);
    const next = (await call("rotate-api-key", { keyId: made.key.id, overlapSeconds: 0 }, made.secret)).body as {
      secret: string;
      key: Key;
    };
    await eventually(
      () => statusOf(made.secret),
      (status) => status === 401,
    );
    expect(await statusOf(next.secret)).toBe(200);
    const again = await call("rotate-api-key", { keyId: next.key.id }, next.secret);
    expect((again.body as { replaced: Key }).replaced.expiresAt).toBe(testTime.getTime() + dayMs);
  });

  test("a revoked key is refused within two seconds, and another account's key cannot be revoked", async () => {
    const one = await open("one");
    const other = await open("other");
    expect(await statusOf(one.secret)).toBe(200);
    expect(await call("revoke-api-key", { keyId: one.key.id }, other.secret)).toMatchObject({
      status: 404,
      body: { message: "No such active key" },
    });
    expect((await call("revoke-api-key", { keyId: one.key.id }, one.secret)).status).toBe(200);
    const revokedAt = performance.now();
    await eventually(
      () => statusOf(one.secret),
      (status) => status === 401,
    );
    expect(performance.now() - revokedAt).toBeLessThan(20_000);
    expect((await call("revoke-api-key", { keyId: one.key.id })).status).toBe(404);
  });

  test("two accounts never see each other's keys, and only the operator may name another account", async () => {
    const [one, other] = [await open("left"), await open("right")];
    expect((await listed(one.secret)).map(({ id }) => id)).toEqual([one.key.id]);
    const named = await app.get("/api/account/v1/list-api-keys?account=right", { key: one.secret });
    expect([named.status, await named.json()]).toEqual([403, { error: "Operator key required" }]);
    expect((await call("create-api-key", { name: "x", account: "right" }, one.secret)).status).toBe(403);
    expect((await listed(other.secret)).length).toBe(1);
    for (const operation of ["create-account", "set-subscription", "set-scopes"])
      expect((await call(operation, {}, one.secret)).status, operation).toBe(403);
    expect((await app.get("/api/account/v1/list-accounts", { key: one.secret })).status).toBe(403);
  });

  test("an account has five live keys at most, also when they are asked for at once", async () => {
    const { secret } = await open("many");
    const made = await Promise.all(
      Array.from({ length: 8 }, (_, index) => call("create-api-key", { name: `key ${index}` }, secret)),
    );
    expect(made.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 409, 409, 409, 409]);
    expect(made.find(({ status }) => status === 409)?.body).toEqual({
      message: "The account already has 5 active keys: revoke one first",
    });
    await call("revoke-api-key", { keyId: (await listed(secret)).find(({ name }) => name !== "first")?.id }, secret);
    expect((await call("create-api-key", { name: "again" }, secret)).status).toBe(201);
  });

  test("a key with an end is refused after it", async () => {
    const { secret } = await open("ending");
    const expiresAt = testTime.getTime() + 1000;
    const { body } = await call("create-api-key", { name: "short", expiresAt }, secret);
    const short = (body as { secret: string }).secret;
    expect(await statusOf(short)).toBe(200);
    app.setTime(new Date(expiresAt));
    const rejected = await app.get(outages, { key: short });
    app.setTime(testTime);
    expect([rejected.status, await rejected.json()]).toEqual([401, { error: "Invalid API key" }]);
  });

  test("a key carries only scopes that its account was given, and loses them with it", async () => {
    const { secret } = await open("scoped");
    const wanted = { name: "reader", account: "scoped", scopes: ["company_monitoring:read"] };
    expect((await call("create-api-key", wanted)).body).toEqual({
      violations: [{ field: "scopes", description: "the account lacks company_monitoring:read" }],
    });
    expect((await call("set-scopes", { account: "scoped", scopes: wanted.scopes })).body).toMatchObject({
      account: { scopes: wanted.scopes },
    });
    const made = (await call("create-api-key", wanted)).body as { key: { scopes: string[] } };
    expect(made.key.scopes).toEqual(wanted.scopes);
    await call("set-scopes", { account: "scoped", scopes: [] });
    const scopes = new Set((await listed(secret)).map((key) => key.scopes.join(" ")));
    expect(scopes).toEqual(new Set(["", "keys:read keys:write"]));
  });

  test("a body that cannot be read, or breaks a rule, is a 400 that says what is wrong", async () => {
    const post = async (body: string | Buffer<ArrayBuffer>, operation = "create-api-key") => {
      const response = await app.get(`/api/account/v1/${operation}`, { key: operator, method: "POST", body });
      return [response.status, await response.json()];
    };
    const violation = (field: string, description: string) => [400, { violations: [{ field, description }] }];
    for (const body of ["[", "[]", "null", "1", '"x"', Buffer.from('{"name":"é"}', "latin1")])
      expect(await post(body), String(body)).toEqual([400, { message: "Invalid request body" }]);
    expect(await post("")).toEqual(violation("name", "value is required"));
    expect(await post('{"name":1}')).toEqual(violation("name", "value must be a string"));
    expect(await post('{"name":"x","expiresAt":1.5}')).toEqual(
      violation("expiresAt", "value must be an integer within its range"),
    );
    expect(await post('{"name":"x","expiresAt":1}')).toEqual(violation("expiresAt", "value must be in the future"));
    expect(await post('{"account":"none","name":"x"}')).toEqual([404, { message: "No such account" }]);
    expect(await post('{"id":"a b"}', "create-account")).toMatchObject([400, { violations: [{ field: "id" }] }]);
    expect(await post('{"id":"gold","plan":"gold"}', "create-account")).toMatchObject([
      400,
      { violations: [{ field: "plan", description: expect.stringMatching(/^value must be one of free, /) }] },
    ]);
    expect(await post(JSON.stringify({ name: "x".repeat(262_144) }))).toEqual([
      413,
      { error: "payload_too_large", maxBytes: 262_144 },
    ]);
    expect((await post('{"id":"first","plan":"free"}', "create-account"))[0]).toBe(409);
    expect((await app.get("/api/account/v1/create-api-key")).status).toBe(405);
  });

  test("a repeated call with the same idempotency key is done once", async () => {
    const { secret } = await open("repeating");
    const repeat = { "Idempotency-Key": "job-1" };
    const first = await call("create-api-key", { name: "job" }, secret, repeat);
    const second = await call("create-api-key", { name: "job" }, secret, repeat);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    expect([first, second].map(({ headers }) => headers.get("Idempotent-Replayed"))).toEqual(["false", "true"]);
    expect(second.headers.get("Idempotency-Key")).toBe("job-1");
    expect(await listed(secret)).toHaveLength(2);
    expect(await call("create-api-key", { name: "other" }, secret, repeat)).toMatchObject({
      status: 422,
      body: { error: "idempotency_key_reused" },
    });
    const others = await open("repeating-too");
    expect(
      (await call("create-api-key", { name: "job" }, others.secret, repeat)).headers.get("Idempotent-Replayed"),
    ).toBe("false");
    const narrow = await call("create-api-key", { name: "narrow", scopes: ["keys:write"] }, secret);
    const replayed = await call("create-api-key", { name: "job" }, (narrow.body as { secret: string }).secret, repeat);
    expect(replayed.headers.get("Idempotent-Replayed"), "another key gets no secret of the first").toBe("false");
    expect(replayed.body).not.toEqual(first.body);
    for (const bad of ["", "x".repeat(256), "a b"])
      expect((await call("create-api-key", { name: "job" }, secret, { "Idempotency-Key": bad })).body).toMatchObject({
        violations: [{ field: "Idempotency-Key" }],
      });
  });

  test("of calls at the same time with one idempotency key one is done, the others wait or repeat its answer", async () => {
    const { secret } = await open("hasty");
    const calls = await Promise.all(
      Array.from({ length: 6 }, () => call("create-api-key", { name: "job" }, secret, { "Idempotency-Key": "same" })),
    );
    const statuses = new Set(calls.map(({ status }) => status));
    expect([...statuses].every((status) => status === 201 || status === 409)).toBe(true);
    for (const { status, headers } of calls) if (status === 409) expect(headers.get("Retry-After")).toBe("2");
    expect(await listed(secret)).toHaveLength(2);
  });

  test("a call that failed is not kept under its idempotency key", async () => {
    await open("failing");
    const boss = await app.key("operator");
    const repeat = { "Idempotency-Key": "again" };
    const wanted = { name: "reader", account: "failing", scopes: ["a:b"] };
    expect((await call("create-api-key", wanted, boss, repeat)).status).toBe(400);
    await call("set-scopes", { account: "failing", scopes: ["a:b"] });
    expect((await call("create-api-key", wanted, boss, repeat)).status).toBe(201);
  });

  test("usage reports the calls of each operation and day, of this account only, and never their content", async () => {
    const { secret } = await open("counting");
    for (const country of ["US", "DE", "FR"]) await app.get(`${outages}?country=${country}`, { key: secret });
    app.setTime(new Date(testTime.getTime() + dayMs));
    await app.get(outages, { key: secret });
    await app.settled();
    const read = await app.get("/api/account/v1/get-usage", { key: secret });
    const { usage } = (await read.json()) as { usage: { day: string; operation: string; calls: number }[] };
    app.setTime(testTime);
    expect(usage.filter(({ operation }) => operation === "ListInternetOutages")).toEqual([
      { day: "2026-11-19", operation: "ListInternetOutages", calls: 1 },
      { day: "2026-11-18", operation: "ListInternetOutages", calls: 3 },
    ]);
    expect((await app.get("/api/account/v1/get-usage?days=91", { key: secret })).status).toBe(400);
    const [key] = await listed(secret);
    expect(key?.lastUsedAt).toBeGreaterThanOrEqual(testTime.getTime());
  });

  test("accounts are listed in pages, each once", async () => {
    const seen: string[] = [];
    let cursor = "";
    do {
      const page = await app.json<{
        accounts: { id: string }[];
        pagination: { nextCursor: string; totalCount: number };
      }>(`/api/account/v1/list-accounts?page_size=3&cursor=${encodeURIComponent(cursor)}`);
      seen.push(...page.accounts.map(({ id }) => id));
      cursor = page.pagination.nextCursor;
    } while (cursor !== "");
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => (a < b ? -1 : 1)));
    expect(seen).toContain("first");
  });

  test("a Connect client receives the same response, with the same idempotency", async () => {
    const { secret } = await open("connecting");
    const client = createClient(
      AccountService,
      createConnectTransport({ baseUrl: app.url, httpVersion: "1.1", useHttpGet: true }),
    );
    const headers = { "X-Service-Key": secret, "Idempotency-Key": "rpc" };
    const first = await client.createApiKey({ name: "rpc" }, { headers });
    const second = await client.createApiKey({ name: "rpc" }, { headers });
    expect(second.secret).toBe(first.secret);
    await expect(client.createApiKey({ name: "else" }, { headers })).rejects.toThrow(/invalid_argument/);
    await expect(client.createAccount({ id: "x" }, { headers: { "X-Service-Key": secret } })).rejects.toThrow(
      "[permission_denied] Operator key required",
    );
    expect((await client.getCaller({}, { headers })).account?.id).toBe("connecting");
  });

  test("the operator reads the usage and the limits of an account, and another account is rejected", async () => {
    await call("create-account", { id: "observed", plan: "api_starter" });
    await database.query("insert into usage_day values ('observed', '2026-11-18', 'ListInternetOutages', 3)");
    const ofAccount = "/api/account/v1/get-usage?account=observed";
    const { usage, limits } = await app.json<{ usage: object[]; limits: object[] }>(ofAccount);
    expect(usage).toEqual([{ day: "2026-11-18", operation: "ListInternetOutages", calls: 3 }]);
    expect(limits).toContainEqual(expect.objectContaining({ name: "daily", limit: 10_000, remaining: 10_000 }));
    expect((await app.get(ofAccount, { key: await app.key("enterprise") })).status).toBe(403);
    expect((await app.get("/api/account/v1/get-usage?account=unknown")).status).toBe(404);
  });
});
