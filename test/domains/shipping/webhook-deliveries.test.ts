import { Webhook } from "standardwebhooks";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { type ChokepointState, enqueueEvents } from "../../../src/domains/shipping/outbox.ts";
import type { Resolve } from "../../../src/egress/resolver.ts";
import type { Database } from "../../../src/store/database.ts";
import { eventually, startApp, type TestApp, testTime } from "../../support/app.ts";
import { describeEachDatabase } from "../../support/databases.ts";
import { startJobs } from "../../support/processes/job-worker.ts";
import { startReceiver, type WebhookReceiver } from "../../support/servers/webhook-receiver.ts";

const hooks = "/api/v2/shipping/webhooks";
const environment = { IDS_ALLOW_LOOPBACK_WEBHOOKS: "on" };
const deliveryTimes = { plan: [20, 20], timeoutMs: 10_000, perSecond: 1_000 };
const options = { environment, deliveryTimes };

interface Delivery {
  readonly deliveryId: string;
  readonly type: string;
  readonly state: string;
  readonly nextAttemptAt?: string;
  readonly attempts: readonly { readonly status?: number; readonly error: string }[];
}

describeEachDatabase("deliveries to webhooks", (openFresh) => {
  let database: Database;
  let app: TestApp;
  let key: string;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    database = await openFresh();
    app = await startApp(database, { environment });
    return () => app[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    await database.query("delete from webhook");
    receiver = await startReceiver();
    key = await app.key("operator");
    return () => receiver[Symbol.asyncDispose]();
  });

  async function call<Body>(method: string, path: string, body?: unknown): Promise<{ status: number; body: Body }> {
    const response = await app.get(`${hooks}${path}`, { method, key, ...(body ? { body: JSON.stringify(body) } : {}) });
    return { status: response.status, body: (await response.json()) as Body };
  }
  const register = async (wishes: object = {}) =>
    (await call<{ subscriberId: string; secret: string }>("POST", "", { callbackUrl: receiver.url, ...wishes })).body;
  const log = async (id: string) =>
    (await call<{ deliveries: Delivery[] }>("GET", `/${id}/deliveries`)).body.deliveries;
  const sendTest = (id: string) => call<{ deliveryId: string }>("POST", `/${id}/test`);
  const states = async (id: string) => (await log(id)).map(({ state }) => state);
  const publish = (states: readonly (Partial<ChokepointState> & { score: number })[], now = testTime, fresh = false) =>
    database.kysely.transaction().execute((transaction) =>
      enqueueEvents(
        transaction,
        states.map((state) => ({
          ...{ chokepoint_id: "suez", status: "red", threat: "high", upstream_unavailable: false },
          ...state,
        })),
        { now, fresh },
      ),
    );

  test("a test event arrives signed, and the log lists it", async () => {
    await using _jobs = await startJobs(database, options);
    const { subscriberId, secret } = await register({ chokepointIds: ["panama"], alertThreshold: 60 });
    const { status, body } = await sendTest(subscriberId);
    expect(status).toBe(202);
    const [delivery] = await eventually(
      () => log(subscriberId),
      ([first]) => first?.state === "delivered",
    );
    expect(delivery).toMatchObject({
      deliveryId: body.deliveryId,
      type: "webhook.test",
      attempts: [{ status: 204, error: "" }],
    });
    const [received] = receiver.received;
    expect(received).toMatchObject({ id: body.deliveryId, path: "/hook" });
    expect(received?.headers).toMatchObject({ "content-type": "application/json", "webhook-id": body.deliveryId });
    expect(new Webhook(secret).verify(received!.body, received!.headers as Record<string, string>)).toEqual({
      type: "webhook.test",
      timestamp: testTime.toISOString(),
      data: {
        ...{ subscriberId, chokepointId: "panama", chokepointName: "Panama Canal", score: 60 },
        ...{ alertThreshold: 60, reason: "test" },
      },
    });
  });

  test("a live score is reported as the first one, and alerts from samples are discarded", async () => {
    const { subscriberId } = await register({ chokepointIds: ["suez"], alertThreshold: 50 });
    await publish([{ score: 80 }]);
    await publish([{ score: 85 }], testTime, true);
    const { rows } = await database.query("select body from webhook_delivery where webhook = $1 order by created_at", [
      subscriberId,
    ]);
    const details = (rows as { body: string | { data: { details: object } } }[]).map(({ body }) =>
      typeof body === "string" ? JSON.parse(body).data.details : body.data.details,
    );
    expect(details).toHaveLength(2);
    for (const each of details) expect(each).not.toHaveProperty("previousScore");
  });

  test("for a day after a rotation both secrets sign, then only the new one", async () => {
    const { subscriberId, secret } = await register();
    const { body } = await call<{ secret: string }>("POST", `/${subscriberId}/rotate-secret`);
    await sendTest(subscriberId);
    const within = async (hours: number) => {
      const seen = receiver.received.length;
      const clock = () => new Date(Date.now() + hours * 3_600_000);
      // The overlap counts from the rotation, which is the present of the service.
      await database.query("update webhook set earlier_secret_until = $1", [new Date(Date.now() + 24 * 3_600_000)]);
      await using _jobs = await startJobs(database, { ...options, clock });
      await eventually(
        async () => receiver.received.length,
        (count) => count > seen,
      );
      const received = receiver.received.at(-1)!;
      const signatures = String(received.headers["webhook-signature"]).split(" ").length;
      await eventually(
        () => states(subscriberId),
        (all) => all.every((state) => state === "delivered"),
      );
      return { received, signatures };
    };
    const early = await within(0);
    expect(early.signatures).toBe(2);
    for (const each of [secret, body.secret])
      new Webhook(each).verify(early.received.body, early.received.headers as Record<string, string>);
    await sendTest(subscriberId);
    const late = await within(25);
    expect(late.signatures).toBe(1);
  });

  test("a chokepoint that rises above the threshold is reported once, and its recovery too", async () => {
    await using _jobs = await startJobs(database, options);
    const { subscriberId } = await register({ chokepointIds: ["suez"], alertThreshold: 60 });
    for (const score of [40, 61, 65, 58, 55, 70]) await publish([{ score }, { chokepoint_id: "panama", score: 99 }]);
    await publish([{ score: 0, upstream_unavailable: true }]);
    await sendTest(subscriberId);
    await eventually(
      () => states(subscriberId),
      (all) => all.length === 4 && all.every((state) => state === "delivered"),
    );
    const reported = receiver.received.map(({ body }) => JSON.parse(body)).slice(0, 3);
    expect(reported.map(({ type, data }) => [type, data.score, data.reason, data.details.previousScore])).toEqual([
      ["chokepoint.disruption", 61, "score_crossed_threshold", 40],
      ["chokepoint.recovered", 55, "score_fell_below_threshold", 58],
      ["chokepoint.disruption", 70, "score_crossed_threshold", 55],
    ]);
    expect(reported[0].data.details).toEqual({
      ...{ previousScore: 40, trend: "rising", status: "red", warRiskTier: "WAR_RISK_TIER_HIGH" },
    });
  });

  test("a refresh of the chokepoints' status reports to every webhook what is above its threshold", async () => {
    const { subscriberId } = await register({ alertThreshold: 70 });
    await app.refresh("chokepoint-status");
    const responded = (await log(subscriberId)).filter(({ type }) => type === "chokepoint.disruption");
    expect(responded.length).toBeGreaterThanOrEqual(2);
    await using _jobs = await startJobs(database, options);
    await eventually(
      () => states(subscriberId),
      (all) => all.every((state) => state === "delivered"),
    );
    const chokepoints = receiver.received.map(({ body }) => JSON.parse(body).data.chokepointId);
    expect(chokepoints).toEqual(expect.arrayContaining(["hormuz_strait", "kerch_strait"]));
  });

  test("what fails is tried again under the same id while later ones wait, so that the order is kept", async () => {
    await using _jobs = await startJobs(database, options);
    let failures = 2;
    receiver.reply(() => (failures-- > 0 ? 500 : 204));
    const { subscriberId } = await register();
    const ids = [];
    for (let count = 0; count < 3; count++) ids.push((await sendTest(subscriberId)).body.deliveryId);
    await eventually(
      () => states(subscriberId),
      (all) => all.every((state) => state === "delivered"),
    );
    expect(receiver.received.map(({ id }) => id)).toEqual([ids[0], ids[0], ...ids]);
    const first = (await log(subscriberId)).at(-1);
    expect(first?.attempts.map(({ status }) => status)).toEqual([204, 500, 500]);
    const timestamps = receiver.received.map(({ headers }) => Number(headers["webhook-timestamp"]));
    expect(timestamps).toEqual(timestamps.toSorted((a, b) => a - b));
  });

  test("after the last attempt the webhook is switched off with the reason, and nothing more is sent until it is reactivated", async () => {
    receiver.reply(500);
    const { subscriberId } = await register();
    const [first, second] = [await sendTest(subscriberId), await sendTest(subscriberId)];
    await using _jobs = await startJobs(database, options);
    const webhook = await eventually(
      async () =>
        (await call<{ active: boolean; inactiveReason: string; inactiveSince?: string }>("GET", `/${subscriberId}`))
          .body,
      ({ active }) => !active,
    );
    expect(webhook).toMatchObject({ inactiveReason: "exhausted", inactiveSince: expect.any(String) });
    expect(await states(subscriberId)).toEqual(["discarded", "failed"]);
    expect(receiver.received).toHaveLength(3);
    await publish([{ score: 99 }]);
    expect((await sendTest(subscriberId)).status).toBe(409);
    expect(await states(subscriberId)).toHaveLength(2);

    receiver.reply(200);
    expect((await call("POST", `/${subscriberId}/reactivate`)).body).toEqual({ subscriberId, active: true });
    for (const { body } of [second, first])
      expect((await call("POST", `/${subscriberId}/replay`, { deliveryId: body.deliveryId })).status).toBe(202);
    await eventually(
      () => states(subscriberId),
      (all) => all.every((state) => state === "delivered"),
    );
    expect(receiver.received.slice(3).map(({ id }) => id)).toEqual([second.body.deliveryId, first.body.deliveryId]);
    expect(await call("POST", `/${subscriberId}/replay`, { deliveryId: "whd_0" })).toEqual({
      status: 404,
      body: { message: "Delivery not found" },
    });
  });

  test("an address that answers 410 is switched off at once", async () => {
    await using _jobs = await startJobs(database, options);
    receiver.reply(410);
    const { subscriberId } = await register();
    await sendTest(subscriberId);
    const { body } = await eventually(
      () => call<{ active: boolean; inactiveReason: string }>("GET", `/${subscriberId}`),
      ({ body: { active } }) => !active,
    );
    expect(body.inactiveReason).toBe("gone");
    expect(receiver.received).toHaveLength(1);
  });

  test("what hangs is cut in time and holds up no other webhook; a redirect is not followed", async () => {
    await using other = await startReceiver();
    await using _jobs = await startJobs(database, {
      ...options,
      deliveryTimes: { ...deliveryTimes, timeoutMs: 1_000 },
    });
    receiver.reply("hangs");
    other.reply({ status: 302, headers: { Location: `${receiver.url}/inner` } });
    const [slow, moved] = [await register(), await register({ callbackUrl: other.url })];
    await sendTest(slow.subscriberId);
    await sendTest(moved.subscriberId);
    const errors = async (id: string) =>
      (await log(id)).flatMap(({ attempts }) => attempts.map(({ status, error }) => [status, error]));
    await eventually(
      () => errors(slow.subscriberId),
      (all) => all.length === 3,
    );
    expect(await errors(slow.subscriberId)).toEqual(Array(3).fill([undefined, "timeout"]));
    expect(await errors(moved.subscriberId)).toEqual(Array(3).fill([302, "status"]));
    expect(receiver.received.map(({ path }) => path)).toEqual(Array(3).fill("/hook"));
  });

  test("a name that leads elsewhere by the time of delivery is not connected to", async () => {
    let leads = "8.8.8.8";
    const resolve: Resolve = async () => [{ address: leads, family: 4 }];
    const { subscriberId } = await register({ callbackUrl: "https://hooks.example.org/hook" });
    leads = "10.0.0.1";
    await sendTest(subscriberId);
    await using _jobs = await startJobs(database, { ...options, resolve });
    await eventually(
      () => states(subscriberId),
      ([state]) => state === "failed",
    );
    expect((await log(subscriberId))[0]?.attempts.map(({ error }) => error)).toEqual(Array(3).fill("address"));
  });

  test("a Retry-After is waited for, and what waits can be seen", async () => {
    await using _jobs = await startJobs(database, options);
    receiver.reply({ status: 429, headers: { "Retry-After": "3600" } });
    const { subscriberId } = await register();
    const started = Date.now();
    const { body } = await sendTest(subscriberId);
    const [delivery] = await eventually(
      () => log(subscriberId),
      ([first]) => first?.attempts.length === 1,
    );
    expect(delivery?.state).toBe("pending");
    expect(Date.parse(delivery?.nextAttemptAt ?? "")).toBeGreaterThanOrEqual(started + 3_600_000);
    expect((await call("POST", `/${subscriberId}/replay`, body)).status).toBe(409);
  });

  test("a test or a replay triggers waiting deliveries in order, without using up their attempts", async () => {
    await using _jobs = await startJobs(database, options);
    const { subscriberId } = await register();
    const done = (await sendTest(subscriberId)).body.deliveryId;
    await eventually(
      () => states(subscriberId),
      ([first]) => first === "delivered",
    );
    receiver.reply({ status: 429, headers: { "Retry-After": "3600" } });
    const started = Date.now();
    const ids: string[] = [];
    // One attempt more than the plan has.
    for (let tries = 1; tries <= 4; tries++) {
      ids.push((await sendTest(subscriberId)).body.deliveryId);
      const waiting = await eventually(
        async () => (await log(subscriberId)).filter(({ state }) => state === "pending"),
        (deliveries) =>
          deliveries.at(-1)?.attempts.length === tries &&
          deliveries.every(({ nextAttemptAt = "" }) => Date.parse(nextAttemptAt) >= started + 3_600_000),
      );
      expect(waiting.map(({ attempts }) => attempts.length)).toEqual([...Array(tries - 1).fill(0), tries]);
    }
    receiver.reply(204);
    expect((await call("POST", `/${subscriberId}/replay`, { deliveryId: done })).status).toBe(202);
    await eventually(
      () => states(subscriberId),
      (all) => all.every((state) => state === "delivered"),
    );
    expect(receiver.received.slice(5).map(({ id }) => id)).toEqual([...ids, done]);
  });
});
