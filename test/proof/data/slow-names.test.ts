import { createSocket } from "node:dgram";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nameServerResolver, type Resolve } from "../../../src/egress/resolver.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";
import { billingOptions, webhookPath } from "../../support/servers/billing-server.ts";

const hooks = "/api/v2/shipping/webhooks";
const others = "/api/infrastructure/v1/get-ip-geo";
const maxMs = 300;

/** The time that 99 of 100 took at most. */
function p99(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
}

describe("callers who make the service wait for others", () => {
  const silent = createSocket("udp4");
  let app: TestApp;
  let close: () => Promise<void>;

  beforeAll(async () => {
    silent.bind(0, "127.0.0.1");
    await once(silent, "listening");
    const unanswered = nameServerResolver([`127.0.0.1:${silent.address().port}`]);
    const resolve: Resolve = async (host) =>
      host.startsWith("slow") ? unanswered(host) : [{ address: "8.8.8.8", family: 4 }];
    const database = await openOnce();
    close = database.close;
    app = await startApp(database, { resolve, ...billingOptions() });
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    await close();
    silent.close();
  });

  /** Asks as another account until the others' work ends. */
  async function requestMeanwhile(path: string, work: Promise<unknown>): Promise<number[]> {
    const key = await app.key("enterprise");
    await app.get(path, { key });
    const times: number[] = [];
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    work.then(end, end);
    while (!isOver) {
      const begun = performance.now();
      expect((await app.get(path, { key })).status).toBe(200);
      times.push(performance.now() - begun);
      // Within the key's own quota.
      await delay(20);
    }
    return times;
  }

  test("names without a responding server don't delay other accounts, which read and register in the meantime", async () => {
    const keys = await Promise.all(Array.from({ length: 5 }, () => app.key("api_starter")));
    const register = async (key: string, host: string) => {
      const body = JSON.stringify({ callbackUrl: `https://${host}.example.org/hook` });
      return (await app.get(hooks, { key, method: "POST", body })).status;
    };
    const begun = performance.now();
    const held = Promise.all(
      keys.flatMap((key) => Array.from({ length: 10 }, (_, place) => register(key, `slow-${place}`))),
    );
    const registered = (async () => {
      const other = await app.key("api_starter");
      const from = performance.now();
      return { status: await register(other, "quick"), milliseconds: performance.now() - from };
    })();
    const times = await requestMeanwhile(others, held);
    const statuses = await held;
    const { status, milliseconds } = await registered;
    console.info(
      `slow names: ${statuses.filter((each) => each === 429).length} of ${statuses.length} shed, all answered after ${Math.round(performance.now() - begun)} ms; another registers in ${Math.round(milliseconds)} ms; others' p99 ${p99(times).toFixed(1)} ms of ${times.length}`,
    );
    expect(new Set(statuses)).toEqual(new Set([400, 429]));
    expect(status).toBe(200);
    expect(milliseconds).toBeLessThan(1_000);
    expect(p99(times)).toBeLessThan(maxMs);
  });

  test("2,000 broken signatures are each a 400, and delay no other caller", async () => {
    const send = async (count: number) => {
      const headers = { "Stripe-Signature": "t=1,v1=" };
      const statuses = new Set<number>();
      for (let sent = 0; sent < count; sent++)
        statuses.add((await fetch(app.url + webhookPath, { method: "POST", headers, body: "{}" })).status);
      return statuses;
    };
    const flood = Promise.all(Array.from({ length: 10 }, () => send(200)));
    const times = await requestMeanwhile(others, flood);
    console.info(`broken signatures: others' p99 ${p99(times).toFixed(1)} ms of ${times.length}`);
    expect(new Set((await flood).flatMap((each) => [...each]))).toEqual(new Set([400]));
    expect(p99(times)).toBeLessThan(maxMs);
  });
});
