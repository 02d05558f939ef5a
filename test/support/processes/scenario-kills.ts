import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Database, DatabaseOptions } from "../../../src/store/database.ts";
import { startApp } from "../app.ts";
import { scenarios } from "../domains/scenarios.ts";

/** Workers that are killed with jobs in progress lose these soon, to the worker that starts next. */
const scenarioTimes = { leaseMs: 400 };

/** A worker of scenario jobs as a process of its own; resolves when it works. */
export async function startScenarioWorker(place: DatabaseOptions): Promise<{ readonly kill: () => Promise<void> }> {
  const script = fileURLToPath(new URL("./scenario-worker.ts", import.meta.url));
  const worker = spawn(process.execPath, [script, JSON.stringify({ place, scenarioTimes })], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(worker, "exit");
  await Promise.race([
    once(worker.stdout, "data"),
    ended.then(([code]) => Promise.reject(new Error(`The worker ended with ${code}`))),
  ]);
  return {
    async kill() {
      worker.kill("SIGKILL");
      await ended;
    },
  };
}

/** Writes down every job at the moment it ends, whatever the program then says of it. */
export async function recordEnds({ query }: Database): Promise<void> {
  await query("create table scenario_end (id text, status text)");
  await query(`create function record_end() returns trigger language plpgsql as
    $$ begin insert into scenario_end values (new.id, new.status); return null; end $$`);
  await query(`create trigger record_end after update on scenario_job for each row
    when (new.status in ('done', 'failed')) execute function record_end()`);
}

/** Queues `count` scenarios over HTTP, those of several accounts. Returns their ids. */
export async function queueScenarios(database: Database, count: number): Promise<string[]> {
  await using app = await startApp(database, {
    now: new Date(),
    scenarios: { waiting: 1_000, perAccount: 1_000 },
  });
  const ids: string[] = [];
  while (ids.length < count) {
    // Its quota of a minute.
    const api = scenarios(app, await app.key("enterprise"));
    for (let call = 0; call < 10 && ids.length < count; call++)
      ids.push((await api.run({ scenarioId: "suez-bab-simultaneous" })).body.jobId);
  }
  return ids;
}

/** Everything that is not as it should be, once no job is left: each done exactly once, at the first computation. */
export async function faultsOf({ query }: Database, ids: readonly string[]): Promise<string[]> {
  const { rows } = await query(`
    select job.id, job.status, job.failures, job.lease, job.result is not null as computed,
      (select count(*)::int from scenario_end where scenario_end.id = job.id) as ends
    from scenario_job as job`);
  const found = new Map((rows as { id: string }[]).map((row) => [row.id, row]));
  const wanted = { status: "done", failures: 0, lease: null, computed: true, ends: 1 };
  return [...new Set([...ids, ...found.keys()])].flatMap((id) => {
    const reported = JSON.stringify(found.get(id));
    return reported === JSON.stringify({ ...{ id, ...wanted } }) ? [] : [`${id}: ${reported}`];
  });
}

export async function countOf({ query }: Database, status: string): Promise<number> {
  const { rows } = await query("select count(*)::int as count from scenario_job where status = $1", [status]);
  return (rows[0] as { count: number }).count;
}
