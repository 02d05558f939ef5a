import { Webhook } from "standardwebhooks";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { Resolve } from "../../../src/egress/resolver.ts";
import { chokepoints } from "../../../src/reference/trade/chokepoints.ts";
import type { Database } from "../../../src/store/database.ts";
import { eventually, startApp, type TestApp, testTime } from "../../support/app.ts";
import { describeEachDatabase } from "../../support/databases.ts";

const hooks = "/api/v2/shipping/webhooks";
const callbackUrl = "https://hooks.example.org/chokepoints";

describeEachDatabase("webhooks of an account", (openFresh) => {
  let database: Database;
  let app: TestApp;
  let key: string;
  let addresses: Awaited<ReturnType<Resolve>> = [];
  beforeAll(async () => {
    database = await openFresh();
    app = await startApp(database, { resolve: async () => addresses });
    return () => app[Symbol.asyncDispose]();
  });
  // Registering has a quota of its own.
  beforeEach(async () => {
    key = await app.key("api_starter");
    addresses = [{ address: "8.8.8.8", family: 4 }];
  });

  async function call(method: string, path: string, body?: unknown, as = key) {
    const options = { method, key: as, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await app.get(`${hooks}${path}`, options);
    const text = await response.text();
    return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
  }
  const register = async (body: object = { callbackUrl }) => (await call("POST", "", body)).body;

  test("a webhook receives its secret at registration, and never again", async () => {
    const { status, body } = await call("POST", "", {
      callbackUrl,
      chokepointIds: ["suez", " SUEZ ", "panama"],
      alertThreshold: 60,
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      subscriberId: expect.stringMatching(/^wh_[0-9a-f]{24}$/),
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    const webhook = {
      ...{ subscriberId: body.subscriberId, callbackUrl, chokepointIds: ["suez", "panama"], alertThreshold: 60 },
      ...{ createdAt: testTime.toISOString(), active: true, inactiveReason: "" },
    };
    expect(await call("GET", `/${body.subscriberId}`)).toEqual({ status: 200, body: webhook });
    const listed = await call("GET", "");
    expect(listed.body.webhooks).toContainEqual(webhook);
    expect(JSON.stringify(listed)).not.toContain("whsec_");
  });

  test("its secret lies sealed in the store", async () => {
    const { subscriberId, secret } = await register();
    const { rows } = await database.query("select secret from webhook where id = $1", [subscriberId]);
    const stored = Buffer.from((rows[0] as { secret: Uint8Array }).secret);
    expect(stored.includes(secret.slice(6, 20))).toBe(false);
    expect(stored.includes(Buffer.from(secret.slice(6), "base64").subarray(0, 8))).toBe(false);
  });

  test("a webhook covers all chokepoints by default, from a threshold of 50, and retains a threshold of 0", async () => {
    const { subscriberId } = await register();
    const { body } = await call("GET", `/${subscriberId}`);
    expect(body).toMatchObject({ chokepointIds: chokepoints.map(({ id }) => id), alertThreshold: 50 });
    const zero = await register({ callbackUrl, alertThreshold: 0 });
    expect((await call("GET", `/${zero.subscriberId}`)).body).toMatchObject({ alertThreshold: 0 });
  });

  test("a broken registration names the member and the rule", async () => {
    const cases: [object, string][] = [
      [{}, "callbackUrl"],
      [{ callbackUrl: 7 }, "callbackUrl"],
      [{ callbackUrl: "https:/" }, "callbackUrl"],
      [{ callbackUrl: "http://hooks.example.org" }, "callbackUrl"],
      [{ callbackUrl: "https://127.0.0.1/hook" }, "callbackUrl"],
      [{ callbackUrl: `https://example.org/${"a".repeat(2_048)}` }, "callbackUrl"],
      [{ callbackUrl, chokepointIds: "suez" }, "chokepointIds"],
      [{ callbackUrl, chokepointIds: ["suez", "nowhere"] }, "chokepointIds[1]"],
      [{ callbackUrl, chokepointIds: [7] }, "chokepointIds"],
      [{ callbackUrl, alertThreshold: -1 }, "alertThreshold"],
      [{ callbackUrl, alertThreshold: 101 }, "alertThreshold"],
      [{ callbackUrl, alertThreshold: "high" }, "alertThreshold"],
    ];
    for (const [body, field] of cases)
      expect(await call("POST", "", body, await app.key("api_starter")), JSON.stringify(body)).toEqual({
        status: 400,
        body: { violations: [{ field, description: expect.any(String) }] },
      });
  });

  test("a name that leads to an address that is not public, or nowhere, is refused without telling which", async () => {
    const description = "value must contain a host name that resolves only to public addresses";
    const mixed = [
      { address: "8.8.8.8", family: 4 },
      { address: "::1", family: 6 },
    ] as const;
    const azure = { address: "168.63.129.16", family: 4 } as const;
    for (const found of [[{ address: "10.0.0.7", family: 4 } as const], mixed, [azure], []]) {
      addresses = found;
      const rejected = await call("POST", "", { callbackUrl });
      expect(rejected.body).toEqual({ violations: [{ field: "callbackUrl", description }] });
    }
  });

  test("names without a response delay only their own account, which checks two at a time", async () => {
    const { promise: responded, resolve: answer } = Promise.withResolvers<void>();
    let waiting = 0;
    const resolve: Resolve = async (host) => {
      if (host !== "slow.example.org") return [{ address: "8.8.8.8", family: 4 }];
      waiting += 1;
      await responded;
      return [];
    };
    await using slow = await startApp(database, { resolve });
    const post = async (url: string, as: string) => {
      const response = await slow.get(hooks, { key: as, method: "POST", body: JSON.stringify({ callbackUrl: url }) });
      return response.status;
    };
    const [own, other] = [await slow.key("api_starter"), await slow.key("api_starter")];
    const held = [1, 2].map(() => post("https://slow.example.org/a", own));
    await eventually(
      async () => waiting,
      (count) => count === 2,
    );
    expect(await post("https://slow.example.org/a", own)).toBe(429);
    expect(await post(callbackUrl, other)).toBe(200);
    answer();
    expect(await Promise.all(held)).toEqual([400, 400]);
    expect(await post(callbackUrl, own)).toBe(200);
  });

  test("every operation on a webhook of another account, or of none, is 404", async () => {
    const { subscriberId } = await register();
    const stranger = await app.key("api_starter");
    for (const id of [subscriberId, "wh_000000000000000000000000", "nothing", "%00", "'; drop table webhook"])
      for (const [method, path, body] of [
        ["GET", ""],
        ["DELETE", ""],
        ["POST", "/rotate-secret"],
        ["POST", "/reactivate"],
        ["POST", "/test"],
        ["GET", "/deliveries"],
        ["POST", "/replay", { deliveryId: "whd_0" }],
      ] as const) {
        const answer = await call(method, `/${encodeURIComponent(decodeURIComponent(id))}${path}`, body, stranger);
        expect([404, 400], `${method} ${id}${path}`).toContain(answer.status);
        if (id !== "%00") expect(answer).toEqual({ status: 404, body: { message: "Webhook not found" } });
      }
    expect((await call("GET", `/${subscriberId}`)).status).toBe(200);
    expect(await call("POST", `/${subscriberId}/explode`)).toEqual({ status: 404, body: { error: "Not found" } });
  });

  test("without a key there is nothing, whatever the verb", async () => {
    for (const [method, path] of [
      ["GET", ""],
      ["POST", ""],
      ["GET", "/wh_0"],
      ["DELETE", "/wh_0"],
      ["POST", "/wh_0/test"],
    ] as const)
      expect((await app.get(`${hooks}${path}`, { method, key: null })).status, `${method} ${path}`).toBe(401);
  });

  test("a webhook that is taken away is gone, and taking it away again is 404", async () => {
    const { subscriberId } = await register();
    expect(await call("DELETE", `/${subscriberId}`)).toEqual({ status: 204, body: undefined });
    expect((await call("GET", `/${subscriberId}`)).status).toBe(404);
    expect((await call("DELETE", `/${subscriberId}`)).status).toBe(404);
  });

  test("a rotated secret is new, and the old one signs for a day longer", async () => {
    const { subscriberId, secret } = await register();
    const { status, body } = await call("POST", `/${subscriberId}/rotate-secret`);
    expect([status, body.subscriberId, body.rotatedAt]).toEqual([200, subscriberId, testTime.toISOString()]);
    expect(body.earlierSecretUntil).toBe(new Date(testTime.getTime() + 86_400_000).toISOString());
    expect(body.secret).not.toBe(secret);
    expect(new Webhook(body.secret)).toBeDefined();
  });

  test("an account has at most 25 webhooks", async () => {
    const own = await register();
    await database.query(
      `insert into webhook (id, account, callback_url, chokepoint_ids, alert_threshold, created_at, secret)
       select 'wh_' || lpad(to_hex(n), 24, '0'), account, callback_url, chokepoint_ids, alert_threshold, created_at, secret
       from webhook, generate_series(1, 24) as n where id = $1`,
      [own.subscriberId],
    );
    expect(await call("POST", "", { callbackUrl })).toEqual({
      status: 409,
      body: { message: "An account may have 25 webhooks" },
    });
  });

  test("a registration repeated under its idempotency key is made once", async () => {
    const once = {
      method: "POST",
      key: key,
      body: JSON.stringify({ callbackUrl }),
      headers: { "Idempotency-Key": "k" },
    };
    const [first, second] = [await app.get(hooks, once), await app.get(hooks, once)];
    expect(await second.json()).toEqual(await first.json());
    expect((await call("GET", "")).body.webhooks).toHaveLength(1);
  });
});
