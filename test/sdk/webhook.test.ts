import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createPlainClient,
  type DeliveredEvent,
  unwrapWebhook,
  type WebhookEvent,
  WebhookVerificationError,
} from "../../sdk/typescript/src/plain.ts";
import { eventTypes, exampleEvent } from "../../src/contract/event-types.ts";
import { newSecret, signatureHeaders } from "../../src/delivery/signature.ts";
import type { Database } from "../../src/store/database.ts";
import { eventually, startApp, type TestApp, testTime } from "../support/app.ts";
import { openOnce } from "../support/databases.ts";
import { startJobs } from "../support/processes/job-worker.ts";
import { startReceiver, type WebhookReceiver } from "../support/servers/webhook-receiver.ts";
import { failureOf } from "./both-modes.ts";

const at = testTime;
const now = at.getTime();
const secret = newSecret((size) => Buffer.alloc(size, 1));
const other = newSecret((size) => Buffer.alloc(size, 2));
const event = { type: "webhook.test", timestamp: at.toISOString(), data: { chokepointId: "suez", score: 60 } };
const body = JSON.stringify(event);
const headers = signatureHeaders({ id: "whd_1", at, body }, [secret]);
const { "webhook-signature": signature = "" } = headers;

describe("A delivery of the running service", () => {
  const environment = { IDS_ALLOW_LOOPBACK_WEBHOOKS: "on" };
  const hooks = "/api/v2/shipping/webhooks";
  let database: Database;
  let app: TestApp;
  let jobs: AsyncDisposable;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    database = await openOnce();
    app = await startApp(database, { environment });
    jobs = await startJobs(database, { environment, deliveryTimes: { perSecond: 1_000 }, clock: () => testTime });
    receiver = await startReceiver();
  });
  afterAll(async () => {
    await receiver[Symbol.asyncDispose]();
    await jobs[Symbol.asyncDispose]();
    await app[Symbol.asyncDispose]();
    await database.close();
  });

  test("is unwrapped with its secret and, while a new one takes its place, with either", async () => {
    const ids = createPlainClient({ baseUrl: app.url, apiKey: await app.key("enterprise") });
    const registered = await ids.post(hooks, { callbackUrl: receiver.url, chokepointIds: ["suez"] });
    const { subscriberId } = registered;
    const delivered = async (count: number) => {
      await ids.post(`${hooks}/{subscriber_id}/test`, { subscriberId });
      await eventually(
        async () => receiver.received.length,
        (length) => length === count,
      );
      return receiver.received[count - 1]!;
    };
    const first = await delivered(1);
    const unwrapped = await unwrapWebhook(first.body, first.headers, registered.secret, { now });
    expect(unwrapped).toEqual(JSON.parse(first.body));
    expect(unwrapped).toMatchObject({ type: "webhook.test", data: { subscriberId, chokepointId: "suez" } });
    const rotated = await ids.post(`${hooks}/{subscriber_id}/rotate-secret`, { subscriberId });
    const second = await delivered(2);
    for (const own of [registered.secret, rotated.secret])
      expect((await unwrapWebhook<WebhookEvent>(second.body, second.headers, own, { now })).data.subscriberId).toBe(
        subscriberId,
      );
    expect(await failureOf(unwrapWebhook(first.body, first.headers, rotated.secret, { now }))).toBeInstanceOf(
      WebhookVerificationError,
    );
  });
});

test("a delivery may come as text or bytes, its headers as the platform or Node have them", async () => {
  const bytes = new TextEncoder().encode(body);
  for (const form of [headers, new Headers(headers)])
    for (const text of [body, bytes]) expect(await unwrapWebhook(text, form, secret, { now })).toEqual(event);
});

test("the type of an event includes every event that the service sends", async () => {
  for (const type of eventTypes) {
    const sent = JSON.stringify(exampleEvent(type));
    const own = signatureHeaders({ id: "whd_1", at, body: sent }, [secret]);
    expect(detailOf(await unwrapWebhook(sent, own, secret, { now })), type.name).not.toBe("undefined");
  }
});

/** Does not compile if the type of an event lacks one of these, or has another. */
function detailOf(event: DeliveredEvent): string {
  switch (event.type) {
    case "chokepoint.disruption":
    case "chokepoint.recovered":
    case "webhook.test":
      return event.data.chokepointId;
    case "change.matched":
    case "tender.matched":
    case "dataset.stale":
    case "dataset.degraded":
    case "dataset.recovered":
      return String(event.data.changes);
    case "series.crossed":
    case "series.recovered":
      return String(event.data.crossings);
    case "watchlist.digest":
      return String(event.data.items);
    case "rule.test":
    case "endpoint.disabled":
      return event.data.id;
    default:
      return event satisfies never;
  }
}

test("whatever of a signed delivery is changed, it is refused", async () => {
  const text = fc.string();
  await fc.assert(
    fc.asyncProperty(text, text, fc.constantFrom("body", "id", "time", "signature"), async (sent, change, part) => {
      const signed = JSON.stringify({ ...event, text: sent });
      const good = signatureHeaders({ id: "whd_1", at, body: signed }, [secret]);
      expect(await unwrapWebhook(signed, good, secret, { now })).toEqual(JSON.parse(signed));
      const bad = {
        body: [`${signed}${change}.`, good],
        id: [signed, { ...good, "webhook-id": `${change}.` }],
        time: [signed, { ...good, "webhook-timestamp": String(now / 1_000 + 1) }],
        signature: [signed, { ...good, "webhook-signature": `v1,${change}` }],
      } satisfies Record<string, [string, Record<string, string>]>;
      const [wrongBody, wrongHeaders] = bad[part];
      const error = await failureOf(
        unwrapWebhook(wrongBody as string, wrongHeaders as Record<string, string>, secret, { now }),
      );
      expect(error).toBeInstanceOf(WebhookVerificationError);
    }),
    { numRuns: 60 },
  );
});

test.each([
  ["another secret", headers, other, now],
  ["a time 301 s ago", headers, secret, now + 301_000],
  ["a time in 301 s", headers, secret, now - 301_000],
  ["no time", { ...headers, "webhook-timestamp": "now" }, secret, now],
  ["no signature", { ...headers, "webhook-signature": undefined }, secret, now],
  ["a signature of a later version", { ...headers, "webhook-signature": `v2${signature.slice(2)}` }, secret, now],
  ["a signature that isn't base64", { ...headers, "webhook-signature": "v1,=" }, secret, now],
])("a delivery with %s is refused", async (_what, sent, own, present) => {
  expect(await failureOf(unwrapWebhook(body, sent, own, { now: present }))).toBeInstanceOf(WebhookVerificationError);
});

test("its time may differ by 300 seconds, or by what is said", async () => {
  for (const seconds of [-300, 0, 300])
    expect(await unwrapWebhook(body, headers, secret, { now: now + seconds * 1_000 })).toEqual(event);
  const patient = { now: now + 3_600_000, toleranceSeconds: 3_600 };
  expect(await unwrapWebhook(body, headers, secret, patient)).toEqual(event);
  expect(
    await failureOf(unwrapWebhook(body, headers, secret, { now: now + 11_000, toleranceSeconds: 10 })),
  ).toMatchObject({ message: "The delivery is not of the last 10 seconds" });
});

test("what is signed and no event is refused, and a secret that is none is a TypeError", async () => {
  for (const text of ["", "null", "[]", "{}"]) {
    const signed = signatureHeaders({ id: "whd_1", at, body: text }, [secret]);
    expect(await failureOf(unwrapWebhook(text, signed, secret, { now }))).toMatchObject({
      message: "The delivery is not an event",
    });
  }
  for (const wrong of ["", "whsec_", "whsec_*"])
    expect(await failureOf(unwrapWebhook(body, headers, wrong, { now }))).toBeInstanceOf(TypeError);
});
