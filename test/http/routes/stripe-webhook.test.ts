import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import type { Database } from "../../../src/store/database.ts";
import { minutesOn, openAccount } from "../../support/accounts.ts";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { describeEachDatabase } from "../../support/databases.ts";
import { requestRest } from "../../support/domains/decision.ts";
import { accessOperation } from "../../support/servers/access-contract.ts";
import { accessService } from "../../support/servers/access-service.ts";
import {
  billingOptions,
  deliver,
  invoiceObject,
  signedEvent,
  startBillingServer,
  subscriptionObject,
} from "../../support/servers/billing-server.ts";

const plain = accessOperation("getPlain");
const monthOn = minutesOn(30 * 24 * 60);
const services = [accessService];

let made = 0;
/** Ids that no other test has. */
function fresh() {
  made += 1;
  return { customer: `cus_${made}`, subscription: `sub_w${made}`, event: (name: string) => `evt_${made}_${name}` };
}

/** An event of a subscription that is `ageSeconds` older than the test's time. */
function subscriptionEvent(
  ids: ReturnType<typeof fresh>,
  name: "created" | "updated" | "deleted",
  secondsAgo: number,
  as: Partial<Parameters<typeof subscriptionObject>[2]> = {},
) {
  const object = subscriptionObject(ids.subscription, ids.customer, {
    ...{ state: name === "deleted" ? "canceled" : "active", price: "price_pro", end: monthOn },
    ...as,
  });
  const created = new Date(testTime.getTime() - secondsAgo * 1000);
  const id = ids.event(`${name}_${secondsAgo}`);
  return signedEvent({ id, type: `customer.subscription.${name}`, created, object }, testTime);
}

function paidEvent(ids: ReturnType<typeof fresh>, end: Date) {
  const object = invoiceObject(ids.subscription, ids.customer, end);
  return signedEvent({ id: ids.event(`paid_${end.getTime()}`), type: "invoice.paid", created: testTime, object });
}

describeEachDatabase("Stripe's webhook", (openFresh) => {
  let database: Database;
  let app: TestApp;
  beforeAll(async () => {
    database = await openFresh();
    app = await startApp(database, { services, ...billingOptions() });
    return () => app[Symbol.asyncDispose]();
  });

  async function send(delivery: ReturnType<typeof signedEvent>): Promise<void> {
    const response = await deliver(app, delivery);
    expect([response.status, await response.json()]).toEqual([200, { received: true }]);
    await app.settled();
  }

  /** Returns the account's limit, or its rejection. */
  async function dataStatus(key: string): Promise<unknown> {
    const { status, headers, body } = await requestRest(app, plain, key);
    return status === 200 ? Number(headers.get("X-RateLimit-Limit")) : body;
  }

  function stored(id: string) {
    return database.kysely.selectFrom("subscription").selectAll().where("id", "=", id).executeTakeFirst();
  }

  const counted = async (outcome: string, type: string) => {
    const text = await (await app.get("/metrics")).text();
    const line = text
      .split("\n")
      .find((each) => each.startsWith(`ids_billing_events_total{type="${type}",outcome="${outcome}"}`));
    return Number(line?.split(" ").at(-1) ?? 0);
  };

  test("brings the plan of a new subscription, moves it, and ends it, each within the poll of every replica", async () => {
    const ids = fresh();
    const { key } = await openAccount(database, { subscriptions: [{ plan: "free" }], customer: ids.customer });
    expect(await dataStatus(key)).toBe(30);
    await send(subscriptionEvent(ids, "created", 100));
    expect(await dataStatus(key)).toBe(60);
    await send(subscriptionEvent(ids, "updated", 50, { price: "price_api" }));
    expect(await dataStatus(key)).toBe(300);
    await send(subscriptionEvent(ids, "updated", 40, { state: "past_due", price: "price_api" }));
    expect(await dataStatus(key)).toBe(30);
    await send(subscriptionEvent(ids, "updated", 30, { price: "price_api" }));
    expect(await dataStatus(key)).toBe(300);
    await send(subscriptionEvent(ids, "deleted", 10, { price: "price_api" }));
    expect(await dataStatus(key)).toBe(30);
  });

  test("a subscription that Stripe itself ended has lapsed", async () => {
    const ids = fresh();
    const { key } = await openAccount(database, { subscriptions: [], customer: ids.customer });
    await send(subscriptionEvent(ids, "created", 100));
    await send(subscriptionEvent(ids, "deleted", 10, { end: minutesOn(-5 * 24 * 60) }));
    expect(await dataStatus(key)).toEqual({ error: "Subscription lapsed", code: "subscription_lapsed" });
  });

  test("without Stripe's key a signed end takes effect with the next call", async () => {
    const { IDS_STRIPE_SECRET_KEY: _, ...environment } = billingOptions().environment;
    await using keyless = await startApp(database, { services, environment });
    const ids = fresh();
    const { key } = await openAccount(database, { subscriptions: [], customer: ids.customer });
    expect((await deliver(keyless, subscriptionEvent(ids, "created", 100))).status).toBe(200);
    await keyless.settled();
    expect((await requestRest(keyless, plain, key)).status).toBe(200);
    expect((await deliver(keyless, subscriptionEvent(ids, "deleted", 10))).status).toBe(200);
    await keyless.settled();
    const ended = await requestRest(keyless, plain, key);
    expect([ended.status, ended.body]).toEqual([403, { error: "Subscription lapsed", code: "subscription_lapsed" }]);
  });

  test("the store reports the newest event, whatever the order and number of events", async () => {
    const history = [
      ["created", 90, { price: "price_pro", end: minutesOn(60) }],
      ["updated", 70, { price: "price_api", end: minutesOn(120) }],
      ["updated", 50, { state: "past_due" }],
      ["updated", 30, { price: "price_pro", end: monthOn }],
      ["deleted", 10, { end: minutesOn(180) }],
    ] as const;
    const length = fc.integer({ min: 1, max: history.length });
    const orders = length.chain((count) => {
      const each = [...history.keys()].slice(0, count);
      return fc.tuple(
        fc.constant(count),
        fc
          .tuple(fc.shuffledSubarray(each, { minLength: count }), fc.array(fc.constantFrom(...each), { maxLength: 4 }))
          .map(([all, again]) => [...all, ...again]),
      );
    });
    await fc.assert(
      fc.asyncProperty(orders, async ([count, order]) => {
        const ids = fresh();
        await openAccount(database, { subscriptions: [], customer: ids.customer });
        for (const index of order) {
          const [name, ago, as] = history[index]!;
          expect((await deliver(app, subscriptionEvent(ids, name, ago, as))).status).toBe(200);
        }
        const [newest, , reported] = history[count - 1]!;
        const {
          price = "price_pro",
          end = monthOn,
          state = "active",
        }: { price?: string; end?: Date; state?: string } = reported;
        expect(await stored(ids.subscription)).toMatchObject({
          plan: price === "price_api" ? "api_starter" : "pro_monthly",
          active: newest !== "deleted" && state === "active",
          valid_until: end,
        });
      }),
      { numRuns: 20 },
    );
  });

  test("of two events of the same second the end stays the end", async () => {
    for (const order of [
      ["deleted", "updated"],
      ["updated", "deleted"],
    ] as const) {
      const ids = fresh();
      await openAccount(database, { subscriptions: [], customer: ids.customer });
      for (const name of order) await send(subscriptionEvent(ids, name, 10));
      expect(await stored(ids.subscription)).toMatchObject({ active: false });
    }
  });

  test("a paid invoice moves the period on and never back, and lets an ended subscription be asked about at once", async () => {
    const ids = fresh();
    const { key } = await openAccount(database, { subscriptions: [], customer: ids.customer });
    await send(subscriptionEvent(ids, "created", 100, { end: minutesOn(-1) }));
    expect(await dataStatus(key)).toMatchObject({ code: "renewal_verification_failed" });
    await send(paidEvent(ids, monthOn));
    expect(await dataStatus(key)).toBe(60);
    await send(paidEvent(ids, minutesOn(-1)));
    expect(await dataStatus(key)).toBe(60);

    await using billing = await startBillingServer();
    await using requesting = await startApp(database, { services, ...billingOptions(billing.url) });
    billing.behave({ state: "past_due", price: "price_pro", end: monthOn });
    await send(subscriptionEvent(ids, "updated", 50, { state: "past_due" }));
    await requesting.settled();
    expect((await requestRest(requesting, plain, key)).body).toMatchObject({ code: "subscription_lapsed" });
    billing.behave({ state: "active", price: "price_pro", end: monthOn });
    expect((await requestRest(requesting, plain, key)).status).toBe(403);
    await send(paidEvent(ids, minutesOn(60)));
    await requesting.settled();
    expect((await requestRest(requesting, plain, key)).status).toBe(200);
  });

  test("an event that comes while Stripe is being asked wins over the older answer", async () => {
    await using billing = await startBillingServer();
    await using requesting = await startApp(database, { services, ...billingOptions(billing.url) });
    billing.behave("hangs");
    const ids = fresh();
    const { key } = await openAccount(database, { subscriptions: [], customer: ids.customer });
    await send(subscriptionEvent(ids, "created", 100, { end: minutesOn(-1) }));
    const requested = requestRest(requesting, plain, key);
    await expect.poll(() => billing.requests.length).toBe(1);
    await send(subscriptionEvent(ids, "deleted", 10, { end: minutesOn(-1) }));
    billing.release({ state: "active", price: "price_pro", end: monthOn });
    await requested;
    expect(await stored(ids.subscription)).toMatchObject({ active: false, valid_until: minutesOn(-1) });
    await requesting.settled();
    expect((await requestRest(requesting, plain, key)).body).toMatchObject({ code: "subscription_lapsed" });
  });

  test("what is delivered again is acknowledged and counted, and changes nothing", async () => {
    const ids = fresh();
    await openAccount(database, { subscriptions: [], customer: ids.customer });
    const type = "customer.subscription.created";
    const [applied, repeated] = [await counted("applied", type), await counted("repeated", type)];
    const delivery = subscriptionEvent(ids, "created", 100);
    for (let time = 0; time < 3; time++) await send(delivery);
    expect(await counted("applied", type)).toBe(applied + 1);
    expect(await counted("repeated", type)).toBe(repeated + 2);
  });

  test("an event of an unknown customer or price is acknowledged and counted, and counts once they are known", async () => {
    const ids = fresh();
    const type = "customer.subscription.created";
    const before = await counted("unknown_customer", type);
    const delivery = subscriptionEvent(ids, "created", 100);
    await send(delivery);
    expect(await counted("unknown_customer", type)).toBe(before + 1);
    const { key } = await openAccount(database, { subscriptions: [{ plan: "free" }], customer: ids.customer });
    await send(delivery);
    expect(await dataStatus(key)).toBe(60);

    const other = { ...fresh(), customer: ids.customer };
    await send(subscriptionEvent(other, "created", 100, { price: "price_new" }));
    expect(await counted("unknown_price", type)).toBeGreaterThan(0);
    expect(await stored(other.subscription)).toBeUndefined();
    await send(subscriptionEvent(ids, "updated", 50, { price: "price_new", state: "canceled" }));
    expect(await stored(ids.subscription)).toMatchObject({ plan: "pro_monthly", active: false });
  });

  test("every other kind of event is acknowledged", async () => {
    const object = { object: "charge", id: "ch_1" };
    await send(signedEvent({ id: "evt_charge", type: "charge.succeeded", created: testTime, object }));
    expect(await counted("ignored", "other")).toBeGreaterThan(0);
  });
});
