import { XMLParser } from "fast-xml-parser";
import { Webhook } from "standardwebhooks";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { Database } from "../../../src/store/database.ts";
import { outage, outageBed } from "../../changes/listed-changes.ts";
import { eventually, startApp, type TestApp } from "../../support/app.ts";
import { describeEachDatabase } from "../../support/databases.ts";
import { alertCalls, evaluate, type ListedDelivery } from "../../support/domains/alerts.ts";
import { startJobs } from "../../support/processes/job-worker.ts";
import { type MailServer, startMailServer } from "../../support/servers/mail-server.ts";
import { startReceiver, type WebhookReceiver } from "../../support/servers/webhook-receiver.ts";

interface Made {
  readonly endpoint: { readonly id: string; readonly target: string; readonly state: string };
  readonly secret: string;
}

const deliveryTimes = { plan: [20, 20], timeoutMs: 2_000, perSecond: 1_000 };
const trigger = { changes: { datasets: ["internet-outages"] } };

describeEachDatabase("endpoints", (openFresh) => {
  let database: Database;
  let app: TestApp;
  let mail: MailServer;
  let receiver: WebhookReceiver;
  let environment: Record<string, string>;
  beforeAll(async () => {
    mail = await startMailServer();
    environment = {
      ...{ IDS_DATA: "live", IDS_ALLOW_LOOPBACK_WEBHOOKS: "on" },
      ...{ IDS_SMTP_URL: mail.url, IDS_SMTP_FROM: "alerts@ids.example" },
    };
    database = await openFresh();
    app = await startApp(database, { environment });
    return async () => {
      await app[Symbol.asyncDispose]();
      await mail[Symbol.asyncDispose]();
    };
  });
  beforeEach(async () => {
    receiver = await startReceiver();
    return () => receiver[Symbol.asyncDispose]();
  });
  const callsOf = async (plan = "pro_monthly") => {
    const key = await app.key(plan);
    const calls = alertCalls(app, key);
    const create = async (kind: string, target = "", name = kind) =>
      (await calls.call<Made>("create-endpoint", { name, kind, target })).body;
    return { key, ...calls, create };
  };
  const done = (deliveries: readonly ListedDelivery[]) => deliveries.every(({ state }) => state !== "pending");

  test("one change reaches a webhook signed, a Slack-compatible hook as text, an address by mail and a feed", async () => {
    await using slack = await startReceiver();
    const { call, create, rule, deliveries } = await callsOf();
    const [hook, chat, address, feed] = [
      await create("webhook", receiver.url),
      await create("slack", slack.url),
      await create("email", "desk@example.org", "Prize: https://evil.example"),
      await create("feed"),
    ];
    expect(chat).toMatchObject({ secret: "", endpoint: { target: new URL(slack.url).host } });
    expect(address).toMatchObject({ secret: "", endpoint: { state: "unconfirmed" } });
    const ruleId = await rule(trigger);
    await using _jobs = await startJobs(database, { environment, deliveryTimes });
    const [confirmation] = await eventually(
      async () => mail.received,
      ({ length }) => length === 1,
    );
    const [, code = ""] = /^ {4}([0-9a-f]{32})\r?$/m.exec(confirmation?.data ?? "") ?? [];
    expect(confirmation?.data).not.toContain("evil.example");
    expect(JSON.stringify(await deliveries())).not.toContain(code);
    const confirm = (text: string) => call("confirm-endpoint", { endpointId: address.endpoint.id, code: text });
    expect((await confirm("0123456789abcdef")).status).toBe(400);
    expect((await confirm(code)).body).toMatchObject({ endpoint: { state: "active" } });

    const { refresh } = outageBed(database);
    await refresh([outage("a")]);
    await refresh([outage("a"), outage("b", { title: "<b> & more" })]);
    await evaluate(database);
    await using _more = await startJobs(database, { environment, deliveryTimes });
    const sent = await eventually(deliveries, (all) => all.length === 5 && done(all));
    expect(sent.map(({ state }) => state)).toEqual(Array(5).fill("delivered"));
    const [received] = receiver.received;
    const event = new Webhook(hook.secret).verify(received!.body, received!.headers as Record<string, string>);
    expect(event).toMatchObject({
      type: "change.matched",
      data: { ruleId, changes: [{ subject: "b", kind: "appeared" }] },
    });
    expect(sent.find(({ endpointId }) => endpointId === hook.endpoint.id)).toMatchObject({
      id: received?.id,
      body: received?.body,
    });
    expect(JSON.parse(slack.received[0]?.body ?? "").text).toMatch(
      /^\*watch: 1 matching change\*\ninternet-outages \(UA\) appeared b .*&lt;b&gt; &amp; more/,
    );
    expect(mail.received[1]?.to).toBe("desk@example.org");
    expect(mail.received[1]?.data).toContain("Subject: watch: 1 matching change");
    const read = (path: string) => app.get(path, { key: null });
    const atom = await read(feed.secret);
    expect(atom.headers.get("content-type")).toBe("application/atom+xml; charset=utf-8");
    const { feed: document } = new XMLParser().parse(await atom.text());
    expect(document).toMatchObject({ title: "feed", entry: { title: "watch: 1 matching change" } });
    expect(document.entry.content).toContain("<b> & more");
    const { feed: linked } = new XMLParser({ ignoreAttributes: false }).parse(await (await read(feed.secret)).text());
    expect(linked.link).toEqual([
      {
        "@_rel": "self",
        "@_type": "application/atom+xml",
        "@_href": `${app.url}${new URL(feed.secret, app.url).pathname}`,
      },
      { "@_rel": "alternate", "@_type": "text/html", "@_href": `${app.url}/alerts` },
    ]);
    expect(
      (await app.get(feed.secret, { key: null, headers: { "If-None-Match": atom.headers.get("etag") ?? "" } })).status,
    ).toBe(304);
    const { body: rotated } = await call<{ secret: string }>("rotate-endpoint-secret", {
      endpointId: feed.endpoint.id,
    });
    expect([(await read(feed.secret)).status, (await read(rotated.secret)).status]).toEqual([404, 200]);
    await call("delete-endpoint", { endpointId: feed.endpoint.id });
    expect((await read(rotated.secret)).status).toBe(404);
  });

  test("an endpoint that keeps failing is disabled with a notice to the others and the caller, and can be reactivated and replayed", async () => {
    const { key, call, create, deliveries, rule } = await callsOf();
    const [hook, feed] = [await create("webhook", receiver.url), await create("feed")];
    receiver.reply(410);
    const ruleId = await rule(trigger);
    const { body: tested } = await call<{ deliveryIds: string[] }>("test-rule", { ruleId });
    expect(tested.deliveryIds).toHaveLength(2);
    await using _jobs = await startJobs(database, { environment, deliveryTimes });
    const disabled = { id: hook.endpoint.id, name: "webhook", reason: "gone" };
    const reported = await eventually(
      () => deliveries(feed.endpoint.id),
      ({ length }) => length === 2,
    );
    expect(reported.map(({ body }) => JSON.parse(body)).map(({ type, data }) => [type, data])).toEqual([
      ["rule.test", { id: ruleId, name: "watch", reason: "" }],
      ["endpoint.disabled", disabled],
    ]);
    const caller = (await (await app.get("/api/account/v1/get-caller", { key })).json()) as {
      disabledEndpoints: object[];
    };
    expect(caller.disabledEndpoints).toMatchObject([disabled]);
    const [failed] = await deliveries(hook.endpoint.id);
    expect((await call("replay-delivery", { deliveryId: failed?.id })).status).toBe(409);
    const foreign = await (await callsOf()).call("replay-delivery", { deliveryId: failed?.id });
    expect(foreign).toMatchObject({ status: 404, body: { message: "Delivery not found" } });
    receiver.reply(204);
    const endpointId = hook.endpoint.id;
    expect((await call("reactivate-endpoint", { endpointId })).body).toMatchObject({ endpoint: { state: "active" } });
    expect((await call("replay-delivery", { deliveryId: failed?.id })).status).toBe(202);
    await eventually(
      () => deliveries(endpointId),
      ([first]) => first?.state === "delivered",
    );
    expect(receiver.received.map(({ id }) => id)).toEqual([failed?.id, failed?.id]);
    const { body: rotated } = await call<{ secret: string }>("rotate-endpoint-secret", { endpointId });
    expect(rotated.secret).toMatch(/^whsec_/);
    expect(rotated.secret).not.toBe(hook.secret);
  });

  test("what a plan stopped to cover before it was sent is discarded", async () => {
    const { create, deliveries, rule } = await callsOf();
    await create("webhook", receiver.url);
    await rule(trigger);
    const { refresh } = outageBed(database);
    await refresh([outage("x")]);
    await refresh([outage("x"), outage("y")]);
    await evaluate(database);
    await database.query("update webhook_delivery set required_tier = 2");
    await using _jobs = await startJobs(database, { environment, deliveryTimes });
    expect(await eventually(deliveries, (all) => all.length === 1 && done(all))).toMatchObject([
      { state: "discarded" },
    ]);
    expect(receiver.received).toEqual([]);
  });

  test("targets that lead inward, addresses that are none, too many codes and what is foreign are refused", async () => {
    const mine = await callsOf("api_starter");
    const violations = async (kind: string, target: string) => {
      const { status, body } = await mine.call<{ violations?: { field: string }[] }>("create-endpoint", {
        name: "x",
        kind,
        target,
      });
      return body.violations?.map(({ field }) => field) ?? status;
    };
    expect([
      await violations("webhook", "http://hooks.example.org/"),
      await violations("slack", "https://10.0.0.1/"),
      await violations("email", "Desk <desk@example.org>"),
      await violations("email", "a@example.org, b@example.org"),
      await violations("feed", "https://example.org"),
      await violations("fax", "1"),
    ]).toEqual([["target"], ["target"], ["target"], ["target"], ["target"], ["kind"]]);
    const codes = [1, 2, 3, 4].map(
      () => () => mine.call("create-endpoint", { name: "x", kind: "email", target: "Flood@example.org" }),
    );
    const statuses: number[] = [];
    for (const send of codes) statuses.push((await send()).status);
    expect(statuses).toEqual([201, 201, 201, 429]);
    const { body } = await mine.call<{ endpoints: { id: string }[] }>("list-endpoints");
    expect(body.endpoints).toHaveLength(3);
    const other = await callsOf();
    const endpointId = body.endpoints[0]?.id;
    for (const operation of ["delete-endpoint", "rotate-endpoint-secret", "reactivate-endpoint"])
      expect((await other.call(operation, { endpointId })).status, operation).toBe(404);
    expect((await other.call("create-rule", { name: "x", trigger, endpointIds: [endpointId] })).status).toBe(404);
    await using without = await startApp(database, { environment: { ...environment, IDS_SMTP_URL: "" } });
    const off = alertCalls(without, await without.key("pro_monthly"));
    expect(await off.call("create-endpoint", { name: "x", kind: "email", target: "desk@example.org" })).toMatchObject({
      status: 503,
    });
  });
});
