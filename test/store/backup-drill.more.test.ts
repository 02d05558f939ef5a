import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { openEmbedded } from "../http/embedded-database.ts";
import { eventually, startApp, type TestApp } from "../support/app.ts";
import { describeEachDatabase, openOnce } from "../support/databases.ts";
import { scenarios } from "../support/domains/scenarios.ts";
import { startJobs } from "../support/processes/job-worker.ts";
import { startReceiver } from "../support/servers/webhook-receiver.ts";
import { backedUp, restored, rowsByTable } from "./backup-rows.ts";

const environment = { IDS_ALLOW_LOOPBACK_WEBHOOKS: "on" };
const hooks = "/api/v2/shipping/webhooks";
const events = "/api/conflict/v1/list-conflict-events?country=SD";
/** Tables that the load, or reading with a key, writes. */
const moving = ["account", "api_key", "subscription", "generation", "usage_day"];

async function post<Body>(app: TestApp, key: string, path: string, body: object): Promise<Body> {
  const response = await app.get(path, { key, method: "POST", body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Body;
}

/** Makes keys and asks with them until it is stopped; returns those whose making was answered. */
function startLoad(app: TestApp) {
  const keys: string[] = [];
  let isStopped = false;
  const run = async () => {
    while (!isStopped) {
      const key = await app.key("pro_monthly");
      keys.push(key);
      expect((await app.get(events, { key })).status).toBe(200);
    }
  };
  const running = Promise.all([run(), run(), run()]);
  return {
    keys,
    async stop() {
      isStopped = true;
      await running;
    },
  };
}

const withoutMoving = (rows: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(rows).filter(([name]) => !moving.includes(name)));

describeEachDatabase("a backup under load, restored on the other kind of database", (openFresh) => {
  test("has every row; keys open, and what waited is computed, signed and delivered", {
    timeout: 180_000,
  }, async () => {
    const lost = await openFresh();
    await using receiver = await startReceiver();
    const { file, key, hook, job, made, before, served } = await (async () => {
      await using app = await startApp(lost, { environment });
      await app.refresh("conflict-events");
      await app.refresh("military-bases");
      const key = await app.key("operator");
      const hook = await post<{ secret: string; subscriberId: string }>(app, key, hooks, { callbackUrl: receiver.url });
      // No worker runs, so that both wait.
      await post(app, key, `${hooks}/${hook.subscriberId}/test`, {});
      const job = (await scenarios(app, key).run({ scenarioId: "panama-drought-50pct" })).body;
      const served = await (await app.get(events, { key })).text();
      await app.settled();
      const before = await rowsByTable(lost);
      const load = startLoad(app);
      await eventually(
        async () => load.keys.length,
        (count) => count > 5,
      );
      const made = [...load.keys];
      const file = await backedUp(lost);
      await load.stop();
      return { file, key, hook, job, made, before, served };
    })();
    await lost.close();

    const found = lost.kind === "embedded" ? await openOnce() : await openEmbedded();
    try {
      await restored(found, file);
      const after = await rowsByTable(found);
      expect(withoutMoving(after)).toEqual(withoutMoving(before));
      // An account is written with its key and its subscription, or not at all.
      const [accounts = [], keys = [], subscriptions = []] = ["account", "api_key", "subscription"].map(
        (name) => after[name],
      );
      expect([keys.length, subscriptions.length]).toEqual([accounts.length, accounts.length]);
      expect(accounts.length).toBeGreaterThanOrEqual(made.length);
      await using app = await startApp(found, { environment });
      expect(await (await app.get(events, { key })).text()).toBe(served);
      for (const each of made) expect((await app.get(events, { key: each })).status).toBe(200);
      await using _jobs = await startJobs(found, { environment, deliveryTimes: { timeoutMs: 2_000 } });
      await eventually(
        async () => receiver.received.length,
        (count) => count > 0,
      );
      const [{ body, headers } = { body: "", headers: {} }] = receiver.received;
      expect(new Webhook(hook.secret).verify(body, headers as Record<string, string>)).toMatchObject({});
      expect((await scenarios(app, key).ended(job.statusUrl)).body.status).toMatch(/done|failed/);
    } finally {
      await found.close();
    }
  });
});
