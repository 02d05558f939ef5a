import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { connect } from "node:http2";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../../src/store/database.ts";
import { minutesOn } from "../../support/accounts.ts";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";
import { billingOptions, deliver, signedEvent, webhookPath } from "../../support/servers/billing-server.ts";

describe("at the door of Stripe's webhook", () => {
  let database: Database;
  let app: TestApp;
  beforeAll(async () => {
    database = await openOnce();
    app = await startApp(database, billingOptions());
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    await database.close();
  });
  const charge = { id: "evt_1", type: "charge.succeeded", created: testTime, object: {} };

  test("what Stripe has not signed, or more than five minutes ago, is refused by the header's name", async () => {
    const good = signedEvent(charge);
    const { "Stripe-Signature": signature = "", ...others } = good.headers;
    const forged = signature.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
    const bad: ReturnType<typeof signedEvent>[] = [
      { ...good, headers: others },
      ...["", "t=1,v1=", "t=1,v1=00", "t=,v1=", "v1=", forged].map((text) => ({
        ...good,
        headers: { ...others, "Stripe-Signature": text },
      })),
      { ...good, body: `${good.body} ` },
      { ...good, body: "" },
      signedEvent(charge, testTime, "whsec_other"),
      signedEvent(charge, minutesOn(-5.1)),
    ];
    const description = expect.stringContaining("Stripe's signature");
    const rejection = { violations: [{ field: "Stripe-Signature", description }] };
    for (const delivery of bad) {
      const response = await deliver(app, delivery);
      expect([response.status, await response.json()], JSON.stringify(delivery)).toEqual([400, rejection]);
      expect(response.headers.get("Cache-Control")).toBe("no-store");
    }
    for (const delivery of [good, signedEvent(charge, minutesOn(-4.9))])
      expect((await deliver(app, delivery)).status).toBe(200);
  });

  test("a signed event of an unknown schema is rejected with the member's name, and does not count as a fault", async () => {
    const broken = [
      [{ ...charge, type: "customer.subscription.updated", object: { id: 7 } }, "body.data.object.id"],
      [{ ...charge, type: "invoice.paid", object: "in_1" }, "body.data.object"],
      [{ ...charge, type: 7 as never }, "body.type"],
      [{ ...charge, id: "evt_\0" }, "body.id"],
      [{ ...charge, type: "customer.subscription.updated", object: { id: "sub_\0" } }, "body.data.object.id"],
    ] as const;
    for (const [event, field] of broken) {
      const response = await deliver(app, signedEvent(event));
      expect([response.status, await response.json()], field).toEqual([
        400,
        { violations: expect.arrayContaining([{ field, description: expect.any(String) }]) },
      ]);
    }
  });

  test("a body above 256 KB is 413, with or without a declared length, and a GET is 405", async () => {
    const long = "x".repeat(256 * 1024 + 1);
    const reported = await fetch(`${app.url}${webhookPath}`, { method: "POST", body: long });
    const unreported = await fetch(`${app.url}${webhookPath}`, {
      ...{ method: "POST", body: new Blob([long]).stream(), duplex: "half" },
    });
    for (const response of [reported, unreported])
      expect([response.status, await response.json()]).toEqual([
        413,
        { error: "payload_too_large", maxBytes: 262_144 },
      ]);
    const session = connect(app.url);
    const stream = session.request({ ":path": webhookPath, ":method": "POST" });
    stream.end(long);
    const [head] = (await once(stream, "response")) as [Record<string, unknown>];
    session.destroy();
    expect(head[":status"]).toBe(413);
    const get = await app.get(webhookPath, { key: null });
    expect([get.status, get.headers.get("Allow")]).toEqual([405, "POST, OPTIONS"]);
  });

  test("a body that does not come within five seconds is 408", async () => {
    const { body, headers } = signedEvent(charge);
    const slow = request(`${app.url}${webhookPath}`, {
      method: "POST",
      headers: { ...headers, "Content-Length": body.length },
    });
    slow.on("error", () => undefined);
    slow.write(body.slice(0, 20));
    const [response] = (await once(slow, "response")) as [IncomingMessage];
    expect([response.statusCode, JSON.parse(await text(response))]).toEqual([408, { error: "request_timeout" }]);
    slow.destroy();
  });

  test("without a signing secret there is no webhook", async () => {
    const environment = { IDS_STRIPE_SECRET_KEY: "sk_test_1", IDS_STRIPE_PRICES: "price_1=enterprise" };
    await using without = await startApp(database, { environment });
    const response = await deliver(without, signedEvent(charge));
    expect([response.status, await response.json()]).toEqual([404, { error: "Not found" }]);
  });
});
