import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { enqueueEvents } from "../../../src/domains/shipping/outbox.ts";
import { type Database, openDatabase } from "../../../src/store/database.ts";
import { migrate } from "../../../src/store/migrate.ts";
import { startApp, testTime } from "../../support/app.ts";
import { randomOf } from "../../support/domains/synthetic-bases.ts";
import { hasPostgres, startPostgres } from "../../support/servers/postgres-server.ts";
import { type Reply, startReceiver, type WebhookReceiver } from "../../support/servers/webhook-receiver.ts";

const events = 1_000;
const kills = 20;
const environment = { IDS_ALLOW_LOOPBACK_WEBHOOKS: "on" };
const plan = [20, 50, 100, 100, 100, 100, 100, 100, 100];
const options = { environment, deliveryTimes: { plan, timeoutMs: 500, perSecond: 1_000 } };

interface Endpoint {
  readonly id: string;
  readonly secrets: readonly string[];
  readonly receiver: WebhookReceiver;
  readonly healthy: boolean;
}

describe.skipIf(!hasPostgres)("1,000 events to 10 webhooks while the process that sends is killed", () => {
  test("reach every healthy one in order, under one id each", { timeout: 1_800_000 }, async () => {
    await using server = await startPostgres();
    const database = await openDatabase({ url: server.url, directory: "/nowhere", name: "test", log: () => undefined });
    try {
      await migrate(database, () => testTime);
      await using stack = new AsyncDisposableStack();
      const endpoints = await register(database, stack);
      const started = performance.now();
      const worker = killedWorker(server.url);
      for (let event = 1; event <= events; event++) {
        await database.kysely.transaction().execute((transaction) =>
          enqueueEvents(
            transaction,
            [
              {
                chokepoint_id: "suez",
                score: event % 101,
                status: "red",
                threat: "high",
                upstream_unavailable: false,
              },
            ],
            { now: new Date(), fresh: false },
          ),
        );
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      const killed = await worker.lastRound();
      await drained(database);
      await worker.end();
      const sent = endpoints.reduce((sum, { receiver }) => sum + receiver.received.length, 0);
      const seconds = ((performance.now() - started) / 1_000).toFixed(1);
      console.log(
        `${events} events, ${killed} kills: ${sent} requests to ${endpoints.length} webhooks in ${seconds} s`,
      );
      for (const endpoint of endpoints) await check(database, endpoint);
    } finally {
      await database.close();
    }
  });
});

/** Ten webhooks that receive every change, four of them with a misbehaving address. */
async function register(database: Database, stack: AsyncDisposableStack): Promise<Endpoint[]> {
  const app = stack.use(await startApp(database, { environment }));
  const random = randomOf(7);
  const sometimes = (share: number, reply: Reply) => () => (random() < share ? reply : 204);
  const replies: [Reply | (() => Reply), boolean][] = [
    [200, true],
    [202, true],
    [204, true],
    [sometimes(0.2, 500), true],
    [sometimes(0.02, { status: 429, headers: { "Retry-After": "1" } }), true],
    [sometimes(0.05, { status: 302, headers: { Location: "/elsewhere" } }), true],
    [sometimes(0.005, "hangs"), true],
    ["hangs", false],
    [500, false],
    [410, false],
  ];
  const key = await app.key("operator");
  const endpoints: Endpoint[] = [];
  for (const [reply, healthy] of replies) {
    const receiver = stack.use(await startReceiver());
    receiver.reply(reply);
    const body = JSON.stringify({ callbackUrl: receiver.url, chokepointIds: ["suez"], alertThreshold: 0 });
    const call = async (path: string, text: string) =>
      (await (await app.get(`/api/v2/shipping/webhooks${path}`, { method: "POST", key, body: text })).json()) as {
        subscriberId: string;
        secret: string;
      };
    const { subscriberId: id, secret } = await call("", body);
    // The secret of every second one is rotated, so that both sign.
    const rotated = endpoints.length % 2 === 0 ? [(await call(`/${id}/rotate-secret`, "{}")).secret] : [];
    await database.query(
      "update webhook set earlier_secret_until = now() + interval '1 day' where earlier_secret is not null",
    );
    endpoints.push({ id, secrets: [secret, ...rotated], receiver, healthy });
  }
  return endpoints;
}

/** A worker that is killed at random and started again, until it has been so often enough. */
function killedWorker(url: string) {
  const script = fileURLToPath(new URL("../../support/processes/webhook-worker.ts", import.meta.url));
  const random = randomOf(11);
  let last = spawnWorker();
  function spawnWorker() {
    return spawn(process.execPath, [script, url, JSON.stringify(options)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
  }
  const rounds = (async () => {
    for (let round = 0; round < kills; round++) {
      await once(last.stdout, "data");
      await new Promise((resolve) => setTimeout(resolve, 100 + 1_500 * random()));
      const ended = once(last, "exit");
      last.kill("SIGKILL");
      await ended;
      last = spawnWorker();
    }
    return kills;
  })();
  return {
    lastRound: () => rounds,
    async end() {
      const ended = once(last, "exit");
      last.kill("SIGKILL");
      await ended;
    },
  };
}

async function drained({ query }: Database): Promise<void> {
  const deadline = performance.now() + 600_000;
  for (;;) {
    const { rows } = await query("select count(*)::int as waiting from webhook_delivery where state = 'pending'");
    const { waiting } = rows[0] as { waiting: number };
    if (waiting === 0) return;
    if (performance.now() > deadline) throw new Error(`${waiting} deliveries still wait`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

async function check({ query }: Database, { id, secrets, receiver, healthy }: Endpoint): Promise<void> {
  const { rows } = await query("select id, body from webhook_delivery where webhook = $1 order by place", [id]);
  const queued = rows as { id: string; body: string }[];
  const bodies = new Map(queued.map((delivery) => [delivery.id, delivery.body]));
  for (const received of receiver.received) {
    expect(received.body).toBe(bodies.get(received.id));
    for (const secret of secrets) new Webhook(secret).verify(received.body, received.headers as Record<string, string>);
  }
  const firsts = [...new Set(receiver.received.map((received) => received.id))];
  // Order: what comes for the first time is always the next, and what comes again is what came last.
  expect(firsts).toEqual(queued.slice(0, firsts.length).map((delivery) => delivery.id));
  const changes = receiver.received.filter((received, index, all) => received.id !== all[index - 1]?.id);
  expect(changes).toHaveLength(firsts.length);
  const { rows: found } = await query("select inactive_reason, inactive_since from webhook where id = $1", [id]);
  const [webhook] = found as { inactive_reason: string | null; inactive_since: Date | null }[];
  expect(webhook?.inactive_reason === null).toBe(healthy);
  if (healthy) expect(firsts).toHaveLength(queued.length);
  const since = webhook?.inactive_since?.getTime() ?? Number.POSITIVE_INFINITY;
  // The attempt that switched it off began before.
  expect(receiver.received.filter(({ at }) => at > since + 1_000)).toEqual([]);
}
