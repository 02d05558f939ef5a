import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { afterAll, expect, test } from "vitest";
import { atRate } from "../../support/at-rate.ts";
import { describeEachDatabase } from "../../support/databases.ts";
import { freePort, type ServeProcess, startServeProcess } from "../../support/processes/serve-process.ts";
import { startBalancer } from "../../support/servers/balancer.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
/**
 * The revision that replicas are rolled from, unless IDS_PREVIOUS names one: the last before the newest migration. Programs before
 * the first migration reject its store, so without a second one it is the last revision that changed the first.
 */
const previous = process.env.IDS_PREVIOUS ?? previousRevision();
const perSecond = 20;
const reads = [
  "/api/conflict/v1/list-conflict-events?country=SD",
  "/api/infrastructure/v1/list-internet-outages?country=US",
  "/api/trade/v1/get-trade-flows?reporting_country=276&years=5",
  "/api/economic/v1/list-global-tenders?query=software&countries=FR,DE,GB&sort=closing_soon",
  "/api/intelligence/v1/get-risk-scores?region=UA",
  "/api/resilience/v1/get-resilience-score?country_code=NO",
];
const folder = mkdtempSync(join(tmpdir(), "ids-roll-"));
const checkout = join(folder, "previous");
afterAll(() => {
  git("worktree", "remove", "--force", checkout);
  rmSync(folder, { recursive: true, force: true });
});

function previousRevision(): string {
  const migrations = "src/store/migrations";
  const newest = git(
    "log",
    "-1",
    "--format=%H",
    "--diff-filter=A",
    "--",
    `${migrations}/1???_*.ts`,
    `:!${migrations}/1000_*`,
  );
  return newest === "" ? git("log", "-1", "--format=%H", "--", migrations) : `${newest}^`;
}

function git(...words: string[]): string {
  return execFileSync("git", words, { cwd: root, encoding: "utf8" }).trim();
}

/** The program of that revision, with the packages it was made for. */
function previousProgram(): string {
  git("worktree", "add", "--detach", checkout, previous);
  const isSame = ["package.json", "package-lock.json"].every(
    (name) => readFileSync(join(root, name), "utf8") === readFileSync(join(checkout, name), "utf8"),
  );
  if (isSame) symlinkSync(join(root, "node_modules"), join(checkout, "node_modules"));
  else {
    cpSync(join(root, ".npmrc"), join(checkout, ".npmrc"));
    execFileSync("npm", ["ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"], {
      cwd: checkout,
      stdio: "ignore",
    });
  }
  return join(checkout, "bin/ids");
}

describeEachDatabase("A roll", (_openFresh, freshPlace) => {
  test("from the previous release to this one fails no read of twenty a second", async ({ skip }) => {
    const { url } = await freshPlace();
    if (url === undefined) return skip("one process owns the embedded database");
    await empty(url);
    const program = previousProgram();
    const environment = { DATABASE_URL: url, IDS_DATA_DIR: join(folder, "data"), IDS_DRAIN_TIME: "2s" };
    const ports = [await freePort(), await freePort()];
    const start = (index: number, of: { program?: string } = {}) =>
      startServeProcess(environment, [], { ...of, port: ports[index] ?? 0 });
    const old: ServeProcess[] = [await start(0, { program })];
    await untilLoaded(old[0]!.url, environment.IDS_DATA_DIR);
    old.push(await start(1, { program }));
    await old[1]!.firstSuccess("/readyz");
    await using balancer = await startBalancer(ports);
    await untilReady(balancer.url);
    const load = startReads(balancer.url, environment.IDS_DATA_DIR);
    await wait(2_000);
    const migrated = spawnSync(join(root, "bin/ids"), ["migrate"], { env: { ...process.env, ...environment } });
    expect(migrated.status, String(migrated.stderr)).toBe(0);
    await wait(2_000);
    // An old process can still be started, should the roll have to be taken back.
    await old[1]!.stop();
    old[1] = await start(1, { program });
    await old[1]!.firstSuccess("/readyz");
    await wait(2_000);
    const next: ServeProcess[] = [];
    for (const [index, each] of old.entries()) {
      await each.stop();
      next.push(await start(index));
      await next[index]!.firstSuccess("/readyz");
      await wait(2_000);
    }
    const { requested, failed, slowestMs } = await load.end();
    for (const each of next) await each.stop();
    console.log(
      `${requested} reads through a roll from ${previous.slice(0, 12)}: ${failed.length} failed, the slowest took ${Math.round(slowestMs)} ms`,
    );
    expect(failed).toEqual([]);
    expect(requested).toBeGreaterThan(10 * perSecond);
  }, 300_000);
});

async function empty(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    "select nspname as name from pg_namespace where nspname !~ '^pg_(catalog|toast)' and nspname <> 'information_schema'",
  );
  for (const { name } of rows) await client.query(`drop schema "${name}" cascade`);
  await client.query("create schema public");
  await client.end();
}

function keyIn(directory: string): string {
  return JSON.parse(readFileSync(join(directory, "demo-keys.json"), "utf8")).enterprise;
}

async function statusOf(url: string, headers = {}): Promise<number> {
  const response = await fetch(url, { headers }).catch(() => undefined);
  await response?.arrayBuffer();
  return response?.status ?? 0;
}

async function untilReady(url: string): Promise<void> {
  while ((await statusOf(`${url}/readyz`)) !== 200) await wait(50);
}

async function untilLoaded(url: string, directory: string): Promise<void> {
  while ((await statusOf(`${url}/livez`)) !== 200) await wait(50);
  const headers = { "x-service-key": keyIn(directory) };
  for (const read of reads) while ((await statusOf(url + read, headers)) !== 200) await wait(200);
}

/** Reads in turn, each begun in time whether or not those before it have ended. */
function startReads(url: string, directory: string) {
  const headers = { "x-service-key": keyIn(directory) };
  const failed: string[] = [];
  let slowestMs = 0;
  const sendRequest = async (path: string) => {
    const begun = performance.now();
    const response = await fetch(url + path, { headers }).catch((error: unknown) => String(error));
    const body = typeof response === "string" ? response : await response.text();
    slowestMs = Math.max(slowestMs, performance.now() - begun);
    if (typeof response === "string" || response.status !== 200)
      failed.push(`${typeof response === "string" ? 0 : response.status} ${path} ${body.slice(0, 200)}`);
  };
  const reading = atRate(perSecond, (index) => sendRequest(reads[index % reads.length] ?? "/"));
  return {
    async end() {
      const { begun } = await reading.end();
      return { requested: begun, failed, slowestMs };
    },
  };
}
