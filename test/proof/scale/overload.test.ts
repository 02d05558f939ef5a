import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { request } from "undici";
import { describe, expect, test } from "vitest";
import { atRate } from "../../support/at-rate.ts";
import { startServeProcess } from "../../support/processes/serve-process.ts";
import { hasPostgres, startPostgres } from "../../support/servers/postgres-server.ts";
import { hasWrk } from "../../support/wrk.ts";

const seconds = Number(process.env.IDS_OVERLOAD_SECONDS ?? 60);
/** The load is this many times the capacity. */
const times = 3;
/** A rejection must be sent within this time. */
const shedMs = 100;
/** How long an answer is thought to take in an overloaded process, on average, until it is known. */
const guessedMs = 150;
const script = fileURLToPath(new URL("overload.lua", import.meta.url));
const run = promisify(execFile);

const lack = !hasPostgres ? "no Postgres" : hasWrk ? undefined : "no wrk";
if (lack !== undefined) console.warn(`OVERLOAD IS NOT MEASURED: ${lack} on this machine`);

describe.skipIf(lack !== undefined)(`${times} times what a process on Postgres can do, for ${seconds} s`, () => {
  test("most of what it can do is still done, the rest is refused at once, and afterwards all is as before", {
    timeout: (seconds + 150) * 1_000,
  }, async () => {
    await using server = await startPostgres();
    const directory = mkdtempSync(join(tmpdir(), "ids-overload-"));
    await using service = await startServeProcess({ DATABASE_URL: server.url, IDS_DATA_DIR: directory });
    await service.firstSuccess("/readyz");
    const { operator: key }: { operator: string } = JSON.parse(readFileSync(join(directory, "demo-keys.json"), "utf8"));
    const load = { url: service.url, key };
    const [busy, many] = [16, 1_000];
    const peakNow = async () => goodput(await responded({ ...load, callers: busy, pauseMs: 0, seconds: 10 }));
    await peakNow();
    const peakBefore = await peakNow();
    const before = await slowest({ ...load, perSecond: peakBefore / 4, seconds: 10 });
    const turnMs = (1_000 * many) / (times * peakBefore);
    // A caller's turn is its pause and its answer: how long that takes is seen first.
    const guess = Math.round(turnMs - guessedMs);
    const begin = await responded({ ...load, callers: many, pauseMs: guess, seconds: 10 });
    const responseMs = (1_000 * many * begin.seconds) / begin.requested - guess;
    const over = await responded({ ...load, callers: many, pauseMs: Math.round(turnMs - responseMs), seconds });
    const rejectedInTime = await rejectedWithin(service.url, key);
    await delay(5_000);
    const after = await slowest({ ...load, perSecond: peakBefore / 4, seconds: 10 });
    const peakAfter = await peakNow();
    // The speed of a machine that is shared drifts.
    const peak = (peakBefore + peakAfter) / 2;
    rmSync(directory, { recursive: true });

    console.log(
      [
        `peak ${peakBefore.toFixed(0)} reads/s before, ${peakAfter.toFixed(0)} after; offered ${(over.requested / over.seconds).toFixed(0)}/s`,
        `goodput ${goodput(over).toFixed(0)}/s, ${((100 * goodput(over)) / peak).toFixed(0)} % of the peaks' mean; ${over.rejected} of ${over.requested} refused, ${over.broken} broke off`,
        `by the service's own count ${(100 * rejectedInTime).toFixed(2)} % of them were refused within ${shedMs} ms of their arrival`,
        `p99 at a quarter of the peak: ${before.toFixed(1)} ms before, ${after.toFixed(1)} ms from 5 s after on`,
      ].join("\n"),
    );
    expect(over.broken).toBe(0);
    expect(over.requested / over.seconds).toBeGreaterThan(0.9 * times * peak);
    expect(rejectedInTime).toBeGreaterThanOrEqual(0.99);
    expect(goodput(over)).toBeGreaterThan(0.7 * peak);
    expect(after).toBeLessThan(3 * before + 50);
  });
});

interface Load {
  readonly url: string;
  readonly key: string;
  readonly seconds: number;
}

interface Responded {
  readonly requested: number;
  readonly seconds: number;
  readonly rejected: number;
  readonly broken: number;
}

/** With a number that was not there before, the store is asked. */
const unasked = "/api/economic/v1/list-global-tenders?page_size=20&min_value=";
let first = 0;

/** By a program that takes little of the processors itself. */
async function responded(load: Load & { readonly callers: number; readonly pauseMs: number }): Promise<Responded> {
  first += 1_000_000;
  const words = ["-t1", `-c${load.callers}`, `-d${load.seconds}s`, "--timeout", "10s", "-s", script];
  const { stdout } = await run("wrk", [...words, "-H", `X-Service-Key: ${load.key}`, load.url], {
    env: { ...process.env, PAUSE: `${load.pauseMs}`, READ: unasked, FIRST: `${first}` },
  });
  return JSON.parse(stdout.slice(stdout.lastIndexOf("{")));
}

const goodput = ({ requested, rejected, seconds }: Responded) => (requested - rejected) / seconds;

/** The time that one in a hundred exceeds at `perSecond` requests. Each response is a 200. */
async function slowest({ url, key, perSecond, seconds }: Load & { readonly perSecond: number }): Promise<number> {
  first += 1_000_000;
  const times: number[] = [];
  const read = async (number: number) => {
    const begun = performance.now();
    const { statusCode, body } = await request(`${url}${unasked}${first + number}`, {
      headers: { "X-Service-Key": key },
    });
    await body.dump();
    expect(statusCode).toBe(200);
    times.push(performance.now() - begun);
  };
  const reading = atRate(perSecond, read);
  await delay(1_000 * seconds);
  await reading.end();
  return times.toSorted((a, b) => a - b)[Math.floor(0.99 * times.length)] ?? Number.NaN;
}

/** The share of refusals that took no longer, as the service measures: those who offer wait for a processor themselves. */
async function rejectedWithin(url: string, key: string): Promise<number> {
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
