import { Webhook } from "standardwebhooks";
import { expect, onTestFinished, test } from "vitest";
import { eventTypes } from "../../../src/contract/event-types.ts";
import { eventually, startApp } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";
import { alertCalls } from "../../support/domains/alerts.ts";
import { startReceiver } from "../../support/servers/webhook-receiver.ts";
import { ids } from "../terminal.ts";

const secret = "whsec_ABEiM0RVZneImaq7zN3u/wARIjNEVWZ3iJmqu8zd7v8=";

test("ids listen prints and forwards what rules report, and leaves no endpoint behind", async () => {
  const database = await openOnce();
  onTestFinished(database.close);
  await using app = await startApp(database);
  await using receiver = await startReceiver();
  const key = await app.key("free");
  const { call, rule } = alertCalls(app, key);
  const environment = { IDS_URL: app.url, IDS_API_KEY: key };
  const listening = ids(environment, "listen", "--count", "1", "--forward", receiver.url, "--secret", secret);
  const endpoints = async () => (await call<{ endpoints: object[] }>("list-endpoints")).body.endpoints;
  await eventually(endpoints, ({ length }) => length === 1);
  const ruleId = await rule({ changes: { datasets: ["internet-outages"] } });
  await call("test-rule", { ruleId });
  const { status, out } = await listening;
  expect({ status, ...JSON.parse(out) }).toMatchObject({ status: 0, type: "rule.test", data: { id: ruleId } });
  const [received] = receiver.received;
  expect(new Webhook(secret).verify(received!.body, received!.headers as Record<string, string>)).toEqual(
    JSON.parse(out),
  );
  expect(await endpoints()).toEqual([]);
});

test("ids trigger sends a signed example of each type of event, and names the types where one is none", async () => {
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
  expect(await ids({}, "trigger", "rule.test", "--to", "ftp://x")).toMatchObject({ status: 2 });
});
