import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Agent, request } from "undici";
import { describe, expect, test } from "vitest";
import { startServeProcess } from "../../support/processes/serve-process.ts";
import { hasPostgres, startPostgres } from "../../support/servers/postgres-server.ts";

const seconds = Number(process.env.IDS_OVERLOAD_SECONDS ?? 60);
/** What is offered is this many times what can be done. */
const times = 3;
const tickMs = 2;
/** Within so much a refusal is to be sent. */
const shedMs = 10;
/** Bounds the sockets of the callers. */
const mostUnderWay = 1_000;

interface Answer {
  readonly status: number;
  /** Milliseconds. */
  readonly took: number;
  /** Since the load began. */
  readonly at: number;
}

describe.skipIf(!hasPostgres)(`${times} times what a process on Postgres can do, for ${seconds} s`, () => {
  test("most of what it can do is still done, the rest is refused at once, and afterwards all is as before", {
    timeout: (seconds + 120) * 1_000,
  }, async () => {
    await using server = await startPostgres();
    const directory = mkdtempSync(join(tmpdir(), "ids-overload-"));
    await using service = await startServeProcess({ DATABASE_URL: server.url, IDS_DATA_DIR: directory });
    await service.firstSuccess("/readyz");
    const keys: { operator: string } = JSON.parse(readFileSync(join(directory, "demo-keys.json"), "utf8"));
    const dispatcher = new Agent({ connections: mostUnderWay, pipelining: 1 });
    let asked = 0;
    /** A read that nobody has asked for before: the store is asked for it. */
    const read = async (begun: number): Promise<Answer> => {
      const started = performance.now();
      asked += 1;
      const path = `/api/economic/v1/list-global-tenders?page_size=20&min_value=${asked}`;
      const { statusCode: status, body } = await request(service.url + path, {
        dispatcher,
        headers: { "X-Service-Key": keys.operator },
      });
      await body.dump();
      return { status, took: performance.now() - started, at: started - begun };
    };
    await closedLoop(read, 5);
    const peak = goodputOf(await closedLoop(read, 10), 0, 10);
    const before = await offered(read, { rate: peak / 4, forSeconds: 10 });
    const over = await offered(read, { rate: times * peak, forSeconds: seconds });
    const shedWithin = await refusedWithin(service.url, keys.operator);
    await delay(5_000);
    const after = await offered(read, { rate: peak / 4, forSeconds: 10 });
    await dispatcher.close();
    rmSync(directory, { recursive: true });

    const goodput = goodputOf(over, seconds / 6, seconds);
    const shed = over.filter(({ status }) => status === 503).map(({ took }) => took);
    const good = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 200).map(({ took }) => took);
    const of = (list: readonly number[], part: number) => (shareOf(list, part) ?? Number.NaN).toFixed(1);
    console.log(
      [
        `peak ${peak.toFixed(0)} reads/s; offered ${(over.length / seconds).toFixed(0)}/s`,
        `goodput ${goodput.toFixed(0)}/s, ${((100 * goodput) / peak).toFixed(0)} % of the peak; statuses ${JSON.stringify(Object.fromEntries(Object.entries(Object.groupBy(over, ({ status }) => status)).map(([status, list]) => [status, list?.length])))}`,
        `${shed.length} refused in ${of(shed, 0.5)} ms (p99 ${of(shed, 0.99)}); done in ${of(good(over), 0.5)} ms (p99 ${of(good(over), 0.99)})`,
        `by the service's own count ${(100 * shedWithin).toFixed(2)} % of them were refused within ${shedMs} ms of their arrival`,
        `p99 at a quarter of the peak: ${of(good(before), 0.99)} ms before, ${of(good(after), 0.99)} ms from 5 s after on`,
      ].join("\n"),
    );
    expect(new Set(over.map(({ status }) => status))).toEqual(new Set([200, 503]));
    expect(good(after).length).toBe(after.length);
    expect(shedWithin).toBeGreaterThanOrEqual(0.99);
    // Those who offer take a part of the two processors themselves.
    expect(goodput).toBeGreaterThan(peak / 2);
    expect(shareOf(good(after), 0.99) ?? Number.NaN).toBeLessThan(3 * (shareOf(good(before), 0.99) ?? 0) + 50);
  });
});

/** The share of refusals that took no longer, as the service measures: those who offer wait for a processor themselves. */
async function refusedWithin(url: string, key: string): Promise<number> {
  const { body } = await request(`${url}/metrics`, { headers: { "X-Service-Key": key } });
  const buckets = (await body.text())
    .split("\n")
    .filter((line) => line.startsWith("ids_request_duration_seconds_bucket") && line.includes('status="5xx"'));
  const sum = (le: string) =>
    buckets
      .filter((line) => line.includes(`le="${le}"`))
      .reduce((total, line) => total + Number(line.split(" ").at(-1)), 0);
  return sum(String(shedMs / 1_000)) / sum("+Inf");
}

type Read = (begun: number) => Promise<Answer>;

async function closedLoop(read: Read, forSeconds: number): Promise<Answer[]> {
  const begun = performance.now();
  const answers: Answer[] = [];
  const lane = async () => {
    while (performance.now() - begun < forSeconds * 1_000) answers.push(await read(begun));
  };
  await Promise.all(Array.from({ length: 16 }, lane));
  return answers;
}

/** So many a second, whether or not the earlier ones are answered. */
async function offered(read: Read, { rate, forSeconds }: { readonly rate: number; readonly forSeconds: number }) {
  const begun = performance.now();
  const answers: Answer[] = [];
  const underWay = new Set<Promise<unknown>>();
  for (let sent = 0; performance.now() - begun < forSeconds * 1_000; ) {
    const due = ((performance.now() - begun) / 1_000) * rate;
    for (; sent < due && underWay.size < mostUnderWay; sent += 1) {
      const one = read(begun).then((answer) => answers.push(answer));
      underWay.add(one);
      void one.finally(() => underWay.delete(one)).catch(() => undefined);
    }
    await delay(tickMs);
  }
  await Promise.all(underWay);
  return answers;
}

function goodputOf(answers: readonly Answer[], from: number, to: number): number {
  const done = answers.filter(({ status, at, took }) => {
    const end = (at + took) / 1_000;
    return status === 200 && end >= from && end < to;
  });
  return done.length / (to - from);
}

function shareOf(list: readonly number[], part: number): number | undefined {
  return list.toSorted((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * part))];
}
