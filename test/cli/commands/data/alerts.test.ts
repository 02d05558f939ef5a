import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import { expect, onTestFinished, test } from "vitest";
import { eventTypes } from "../../../../src/contract/event-types.ts";
import { eventually, startApp } from "../../../support/app.ts";
import { openOnce } from "../../../support/databases.ts";
import { alertCalls } from "../../../support/domains/alerts.ts";
import { startReceiver } from "../../../support/servers/webhook-receiver.ts";
import { ids } from "../../terminal.ts";

const secret = "whsec_ABEiM0RVZneImaq7zN3u/wARIjNEVWZ3iJmqu8zd7v8=";

/** Passes requests on, but for those while it is away; before a look at deliveries something may happen. */
async function startRelay(url: string, beforeLook?: () => Promise<unknown>) {
  const state: { isAway: boolean; rejected: number } = { isAway: false, rejected: 0 };
  const server = createServer(async (request, response) => {
    if (request.url?.includes("ListDeliveries")) await beforeLook?.();
    if (state.isAway) {
      state.rejected += 1;
      request.socket.destroy();
      return;
    }
    const {
      "x-service-key": key = "",
      "content-type": type = "",
      "connect-protocol-version": version = "",
    } = request.headers;
    const headers = { "x-service-key": String(key), "content-type": type, "connect-protocol-version": String(version) };
    const body = request.method === "POST" ? { body: await buffer(request) } : {};
    const answer = await fetch(`${url}${request.url}`, { method: request.method ?? "GET", headers, ...body });
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  return { state, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test("ids listen prints and forwards what rules report, over a restart of the service, and leaves no endpoint behind", async () => {
  const database = await openOnce();
  onTestFinished(database.close);
  await using app = await startApp(database);
  await using receiver = await startReceiver();
  const key = await app.key("free");
  const { call, rule } = alertCalls(app, key);
  const relay = await startRelay(app.url);
  const environment = { IDS_URL: relay.url, IDS_API_KEY: key };
  const listening = ids(environment, "listen", "--count", "1", "--forward", receiver.url, "--secret", secret);
  const endpoints = async () => (await call<{ endpoints: object[] }>("list-endpoints")).body.endpoints;
  await eventually(endpoints, ({ length }) => length === 1);
  const ruleId = await rule({ changes: { datasets: ["internet-outages"] } });
  relay.state.isAway = true;
  await call("test-rule", { ruleId });
  await eventually(
    async () => relay.state.rejected,
    (rejected) => rejected > 0,
  );
  relay.state.isAway = false;
  const { status, out, err } = await listening;
  expect(err).toContain("The service does not respond. Waiting …\nThe service responds again.\n");
  expect({ status, ...JSON.parse(out) }).toMatchObject({ status: 0, type: "rule.test", data: { id: ruleId } });
  const [received] = receiver.received;
  expect(new Webhook(secret).verify(received!.body, received!.headers as Record<string, string>)).toEqual(
    JSON.parse(out),
  );
  expect(await endpoints()).toEqual([]);
});

test("ids listen prints what was reported between the making of its endpoint and its first look", async () => {
  const database = await openOnce();
  onTestFinished(database.close);
  await using app = await startApp(database);
  const key = await app.key("free");
  const { call, rule } = alertCalls(app, key);
  let reported: Promise<unknown> | undefined;
  const report = async () => {
    const ruleId = await rule({ changes: { datasets: ["internet-outages"] } });
    await call("test-rule", { ruleId });
    const deliveries = async () => (await call<{ deliveries: object[] }>("list-deliveries")).body.deliveries;
    await eventually(deliveries, ({ length }) => length === 1);
  };
  const relay = await startRelay(app.url, () => {
    reported ??= report();
    return reported;
  });
  const { status, out } = await ids({ IDS_URL: relay.url, IDS_API_KEY: key }, "listen", "--count", "1");
  expect({ status, ...JSON.parse(out) }).toMatchObject({ status: 0, type: "rule.test" });
});

test("ids trigger sends a signed example of each type of event, and names the types if the type is missing", async () => {
  await using receiver = await startReceiver();
  for (const { name } of eventTypes)
    expect((await ids({}, "trigger", name, "--to", receiver.url, "--secret", secret)).out).toMatch(/ 204\n$/);
  const events = receiver.received.map(({ body, headers }) =>
    new Webhook(secret).verify(body, headers as Record<string, string>),
  );
  expect(events).toMatchObject(eventTypes.map(({ name }) => ({ type: name, data: {} })));
  expect(await ids({}, "trigger", "nothing", "--to", receiver.url)).toMatchObject({
    status: 2,
    err: expect.stringContaining("change.matched"),
  });
  const rejecting = await startReceiver();
  rejecting.reply(500);
  const rejected = await ids({}, "trigger", "rule.test", "--to", rejecting.url, "--secret", secret);
  await rejecting[Symbol.asyncDispose]();
  expect(rejected).toMatchObject({ status: 1, err: expect.stringContaining("rejected the event: 500") });
  const unreached = await ids({}, "trigger", "rule.test", "--to", rejecting.url, "--secret", secret);
  expect(unreached).toMatchObject({ status: 1, err: expect.stringContaining("not reached") });
  expect(await ids({}, "trigger", "rule.test", "--to", "ftp://x")).toMatchObject({ status: 2 });
});
