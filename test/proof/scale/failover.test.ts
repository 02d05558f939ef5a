import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Client } from "pg";
import { expect, test } from "vitest";
import { newKey } from "../../../src/access/keys/api-key.ts";
import { atRate } from "../../support/at-rate.ts";
import { freePort, startServeProcess } from "../../support/processes/serve-process.ts";
import { hasPostgres, startPostgres, startStandby } from "../../support/servers/postgres-server.ts";

const reads = [
  "/api/conflict/v1/list-conflict-events?country=SD",
  "/api/economic/v1/list-global-tenders?query=software&countries=FR,DE,GB&sort=closing_soon",
  "/api/intelligence/v1/get-risk-scores?region=UA",
];
const perSecond = 100;

test.skipIf(!hasPostgres)(
  "a promoted standby of a host list accepts writes within seconds, no acknowledged write is lost, and reads continue",
  { timeout: 240_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "ids-failover-"));
    const ports = [await freePort(), await freePort()];
    const listening = (port: number | undefined) => ["listen_addresses=127.0.0.1", `port=${port}`];
    const primary = await startPostgres(...listening(ports[0]));
    await using standby = await startStandby(ports[0] ?? 0, ...listening(ports[1]));
    await synchronously(ports[0] ?? 0);
    const hosts = ports.map((port) => `127.0.0.1:${port}`).join(",");
    const key = newKey(randomBytes);
    const environment = {
      DATABASE_URL: `postgres://postgres@${hosts}/postgres?target_session_attrs=primary`,
      ...{ IDS_DATA_DIR: folder, IDS_OPERATOR_KEY: key },
    };
    await using service = await startServeProcess(environment);
    await service.firstSuccess("/readyz");

    const enterprise: string = JSON.parse(readFileSync(join(folder, "demo-keys.json"), "utf8")).enterprise;
    const load = startReads(service.url, enterprise);
    const writes = startWrites(service.url, key);
    await wait(5_000);
    await primary.stop();
    await wait(500);
    await standby.promote();
    const promoted = performance.now();
    await wait(10_000);
    const { acknowledged, gapMs, times } = await writes.end();
    const resumedMs = (times.find((at) => at > promoted) ?? Number.POSITIVE_INFINITY) - promoted;
    const { requested, failed, slowestMs } = await load.end();
    const stored = await accountsOf(ports[1] ?? 0);
    console.log(
      `${requested} reads, ${failed.length} failed (${[...new Set(failed)].join(", ")}), the slowest took ${Math.round(slowestMs)} ms; ` +
        `${acknowledged.length} writes acknowledged, none for ${Math.round(gapMs)} ms, again ${Math.round(resumedMs)} ms after the promotion`,
    );
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
    expect(resumedMs).toBeLessThan(5_000);
    await primary[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  },
);

/** Each commit waits for the standby from now on. */
async function synchronously(port: number): Promise<void> {
  const client = await clientOf(port);
  await client.query("alter system set synchronous_standby_names = '*'");
  await client.query("select pg_reload_conf()");
  await client.end();
}

async function clientOf(port: number): Promise<Client> {
  const client = new Client({ connectionString: `postgres://postgres@127.0.0.1:${port}/postgres` });
  await client.connect();
  return client;
}

async function accountsOf(port: number): Promise<Set<string>> {
  const client = await clientOf(port);
  const { rows } = await client.query<{ id: string }>("select id from account");
  await client.end();
  return new Set(rows.map(({ id }) => id));
}

/** Accounts made one after the other, each tried until it is acknowledged. */
function startWrites(url: string, key: string) {
  const acknowledged: string[] = [];
  let ended = false;
  let last = performance.now();
  let gapMs = 0;
  const times: number[] = [];
  const writing = (async () => {
    for (let number = 0; !ended; number++) {
      const id = `account-${number}`;
      const response = await fetch(`${url}/api/account/v1/create-account`, {
        method: "POST",
        headers: { "x-service-key": key, "content-type": "application/json" },
        body: JSON.stringify({ id }),
      }).catch(() => undefined);
      const body = await response?.text();
      const now = performance.now();
      if (response?.ok) {
        acknowledged.push(id);
        times.push(now);
        gapMs = Math.max(gapMs, now - last);
        last = now;
      } else if (response?.status === 400) throw new Error(body);
      await wait(20);
    }
  })();
  return {
    async end() {
      ended = true;
      await writing;
      return { acknowledged, gapMs, times };
    },
  };
}

/** Reads in turn, each begun in time whether or not those before it have ended. */
function startReads(url: string, key: string) {
  const failed: string[] = [];
  let slowestMs = 0;
  const sendRequest = async (path: string) => {
    const begun = performance.now();
    const response = await fetch(url + path, { headers: { "x-service-key": key } }).catch((error: unknown) =>
      String(error),
    );
    if (typeof response !== "string") await response.arrayBuffer();
    slowestMs = Math.max(slowestMs, performance.now() - begun);
    if (typeof response === "string" || response.status !== 200)
      failed.push(`${typeof response === "string" ? response : response.status} ${path.split("?")[0]}`);
  };
  const reading = atRate(perSecond, (index) => sendRequest(reads[index % reads.length] ?? ""));
  return {
    async end() {
      const { begun } = await reading.end();
      return { requested: begun, failed, slowestMs };
    },
  };
}
