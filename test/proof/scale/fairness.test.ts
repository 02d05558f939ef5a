import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { constants, setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { listenerLimits } from "../../../src/http/listener.ts";
import { describeEachDatabase } from "../../support/databases.ts";
import { median } from "../../support/median.ts";
import { type ServeProcess, startServeProcess } from "../../support/processes/serve-process.ts";

const program = fileURLToPath(new URL("../../support/processes/load-generator.ts", import.meta.url));
const events = "/api/conflict/v1/list-conflict-events";
const tenders = "/api/economic/v1/list-global-tenders";
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

interface Loaded {
  readonly statuses: Readonly<Record<string, number>>;
}

interface Viewed extends Loaded {
  readonly lastMs: number;
  readonly medianMs: number;
}

interface Keys {
  readonly enterprise: string;
  readonly operator: string;
}

interface Unread {
  readonly connections: number;
  readonly requested: number;
  readonly left: number;
  readonly lastMs: number;
}

const timeout = 300_000;
const cleanedAfterMs = 75_000;

describeEachDatabase("Under load", (_openFresh, freshPlace) => {
  /** The service in a process of its own, with every sample loaded, and the keys it made. */
  async function start(environment: Record<string, string> = {}) {
    const { url } = await freshPlace();
    const directory = mkdtempSync(join(tmpdir(), "ids-load-"));
    folders.push(directory);
    const service = await startServeProcess({
      ...{ IDS_DATA_DIR: directory, IDS_LOG_LEVEL: "warn", ...environment },
      ...(url ? { DATABASE_URL: url } : {}),
    });
    await service.firstSuccess(events);
    await settled(service);
    const keys: Keys = JSON.parse(readFileSync(join(directory, "demo-keys.json"), "utf8"));
    return { service, keys };
  }

  test.each(["held", "reset", "streams", "anonymous"])(
    "a burst of one address (%s) delays neither keys nor probes, and logs no error",
    { timeout },
    async (scene) => {
      const { service, keys } = await start();
      await using _ = service;
      const linesBefore = service.logged().split("\n").length;
      const first = await counters(service, keys.operator);
      const idle = watching(service.url, keys.enterprise);
      await delay(2_000);
      const quiet = await idle.stop();
      const generator = await ready(scene, service.url);
      const before = await counters(service, keys.operator);
      const watch = watching(service.url, keys.enterprise);
      const loaded = await generator.run<Loaded>();
      const { probes, others } = await watch.stop();
      const after = await counters(service, keys.operator);
      // The cost of the watching itself does not belong to the burst.
      const idleShare = (before.processorSeconds - first.processorSeconds) / (before.at - first.at);
      const processorMs =
        1000 * (after.processorSeconds - before.processorSeconds - idleShare * (after.at - before.at));
      const lines = service.logged().split("\n").length - linesBefore;
      console.log(
        `${scene}: ${JSON.stringify(loaded.statuses)}; before /livez p99 ${p99(quiet.probes)} ms, tenders ${p99(quiet.others.map(({ ms }) => ms))} ms; during /livez p99 ${p99(probes)} ms of ${probes.length}, tenders p99 ${p99(others.map(({ ms }) => ms))} ms of ${others.length}; ${processorMs.toFixed(0)} ms of processor for the burst, ${lines} lines logged`,
      );
      expect(new Set(others.map(({ status }) => status))).toEqual(new Set([200]));
      expect(after.shedKeyed).toBe(0);
      expect(service.logged()).not.toMatch(/"level":50/);
      expect(lines).toBeLessThanOrEqual(2);
      expect(p99(probes)).toBeLessThanOrEqual(100);
      expect(p99(others.map(({ ms }) => ms))).toBeLessThanOrEqual(500);
      if (scene === "reset") expect(processorMs / 2_000).toBeLessThanOrEqual(1);
    },
  );

  test("with 1,000 page views a second from thousands of addresses, cached pages are served, excess ones rejected, and keys barely affected", {
    timeout,
  }, async () => {
    const { service, keys } = await start({ IDS_TRUSTED_PROXIES: "127.0.0.0/8", IDS_PUBLIC_PAGES: "enterprise" });
    await using _ = service;
    for (const path of ["/", "/countries/UA"]) await (await fetch(service.url + path)).arrayBuffer();
    // Data of a first start is cleaned up once, with or without requests in the meantime.
    await delay(cleanedAfterMs);
    const idle = watching(service.url, keys.enterprise);
    await delay(20_000);
    const idleTimes = (await idle.stop()).others.map(({ ms }) => ms);
    const quiet = p99(idleTimes);
    const elsewhere = await rejecting();
    const aside = await ready("pages", elsewhere.url);
    const adjacent = watching(service.url, keys.enterprise);
    await aside.run<Viewed>();
    const asideP99 = p99((await adjacent.stop()).others.map(({ ms }) => ms));
    elsewhere.stop();
    for (const [scene, leastServed] of [
      ["pages", 10_000],
      ["selections", 100],
    ] as const) {
      const generator = await ready(scene, service.url);
      const watch = watching(service.url, keys.enterprise);
      const { statuses, lastMs, medianMs } = await generator.run<Viewed>();
      const { probes, others } = await watch.stop();
      const during = p99(others.map(({ ms }) => ms));
      console.log(
        `1,000 views of ${scene} a second for 20 s: ${JSON.stringify(statuses)}, the last answered after ${(lastMs / 1_000).toFixed(1)} s, pages in ${medianMs.toFixed(0)} ms at the median; tenders p99 before ${quiet} ms (median ${Math.round(median(idleTimes))}), while another process refused as many views ${asideP99} ms, during ${during} ms of ${others.length} (median ${Math.round(median(others.map(({ ms }) => ms)))}); /livez p99 ${p99(probes)} ms`,
      );
      expect(new Set(others.map(({ status }) => status))).toEqual(new Set([200]));
      expect(Object.keys(statuses).filter((status) => status !== "200" && status !== "503")).toEqual([]);
      expect(statuses["200"]).toBeGreaterThan(leastServed);
      expect(lastMs).toBeLessThan(25_000);
      // Both figures are of a machine with nothing else to do: the generator takes most of a processor.
      expect(during).toBeLessThanOrEqual(200);
    }
  });

  test("readers that take nothing hold no memory, and are cut in time", { timeout }, async () => {
    const statedMs = listenerLimits.stalledMs;
    const { service } = await start();
    await using _ = service;
    const generator = await ready("unread", service.url);
    const before = await service.residentMb();
    let max = before;
    const look = setInterval(async () => {
      max = Math.max(max, await service.residentMb());
    }, 100);
    const { connections, requested, left, lastMs } = await generator.run<Unread>();
    clearInterval(look);
    console.log(
      `300 connections, ${connections} accepted, ${requested} answers unread: ${(max - before).toFixed(0)} MB more at most, from ${before.toFixed(0)}; the last was cut after ${(lastMs / 1000).toFixed(1)} s of ${(2 * statedMs) / 1000}, ${left} were not`,
    );
    expect(max - before).toBeLessThanOrEqual(150);
    expect(left).toBe(0);
    // Asking itself takes a while.
    expect(lastMs).toBeLessThanOrEqual(2 * statedMs + 5_000);
  });
});

/** A process of its own that refuses every request: what of the machine a thousand refused views a second take anywhere. */
async function rejecting() {
  const source = `const server = require("node:http").createServer((_, response) => response.writeHead(503).end());
server.listen(0, "127.0.0.1", () => console.log(server.address().port));`;
  const child = spawn(process.execPath, ["-e", source], { stdio: ["ignore", "pipe", "inherit"] });
  const [port] = (await once(child.stdout, "data")) as [Buffer];
  return { url: `http://127.0.0.1:${String(port).trim()}`, stop: () => child.kill() };
}

/** A process of its own that is about to run a scene. */
async function ready(scene: string, url: string) {
  const child = spawn(process.execPath, ["--single-threaded-gc", program, scene, url], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  await once(child.stdout, "readable");
  // Callers are elsewhere in life, and take no turn of the service's processors.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  return {
    async run<Result>(): Promise<Result> {
      child.stdin.end("run\n");
      const lines = (await text(child.stdout)).trim().split("\n");
      return JSON.parse(lines.at(-1) ?? "null") as Result;
    },
  };
}

let amount = 1;

/** Requests the probe and, with a key, new tenders, one after the other. */
function watching(url: string, key: string) {
  const probes: number[] = [];
  const others: { status: number; ms: number }[] = [];
  let isOn = true;
  const timed = async (path: string, headers: Record<string, string>) => {
    const begun = performance.now();
    const response = await fetch(url + path, { headers });
    await response.arrayBuffer();
    return { status: response.status, ms: performance.now() - begun };
  };
  const probing = (async () => {
    while (isOn) {
      probes.push((await timed("/livez", {})).ms);
      await delay(5);
    }
  })();
  const reading = (async () => {
    for (; isOn; amount++) {
      others.push(await timed(`${tenders}?min_value=${amount}`, { "X-Service-Key": key }));
      // Within the key's own quota.
      await delay(60);
    }
  })();
  return {
    async stop() {
      isOn = false;
      await Promise.all([probing, reading]);
      return { probes, others };
    },
  };
}

async function counters({ url }: ServeProcess, key: string) {
  const metrics = await (await fetch(`${url}/metrics`, { headers: { "X-Service-Key": key } })).text();
  const value = (name: string) => Number(new RegExp(`^${name} ([\\d.]+)$`, "m").exec(metrics)?.[1] ?? 0);
  return {
    at: performance.now() / 1000,
    shedKeyed: value('ids_requests_shed_total\\{caller="keyed"\\}'),
    processorSeconds: value("process_cpu_seconds_total"),
  };
}

/** Waits until the process has nothing more to load. */
async function settled({ url }: ServeProcess): Promise<void> {
  const quietMs = 3_000;
  let [known, since] = ["", performance.now()];
  while (performance.now() - since < quietMs) {
    await delay(500);
    const { counts } = (await (await fetch(`${url}/api/health`)).json()) as { counts: object };
    const states = JSON.stringify(counts);
    if (states !== known) [known, since] = [states, performance.now()];
  }
}

function p99(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  return Math.round(sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0);
}
