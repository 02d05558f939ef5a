import { maskOf } from "../../../src/config/masking.ts";
import { type DatasetName, datasets } from "../../../src/domains/index.ts";
import { createUpstreams } from "../../../src/ingest/upstreams.ts";
import type { Database } from "../../../src/store/database.ts";
import { startServeProcess } from "./serve-process.ts";

/** Milliseconds from the commit of a generation here until another process serves it. */
export interface ReplicaDelay {
  readonly notified: number;
  readonly unheard: number;
}

const path = "/api/conflict/v1/list-conflict-events?start=1000";
const weekMs = 7 * 86_400_000;

export async function replicaDelay(database: Database, url: string, directory: string): Promise<ReplicaDelay> {
  await refresh(database, 0);
  await using replica = await startServeProcess({ DATABASE_URL: url, IDS_DATA_DIR: directory }, ["--no-work"]);
  await replica.firstSuccess(path);
  const notified = await delayOf(database, replica.url, 1);
  const deafen = setInterval(() => void hangUpListeners(database), 20);
  try {
    await hangUpListeners(database);
    return { notified, unheard: await delayOf(database, replica.url, 2) };
  } finally {
    clearInterval(deafen);
  }
}

async function delayOf(database: Database, url: string, weeks: number): Promise<number> {
  const body = async () => (await fetch(url + path)).text();
  const before = await body();
  await refresh(database, weeks);
  const committed = performance.now();
  while ((await body()) === before) {
    if (performance.now() - committed > 60_000) throw new Error("The replica never showed the new generation");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return performance.now() - committed;
}

const changed: DatasetName = "conflict-events";

/** The samples move with the time, so that each week has other bytes; the other process goes by today's. */
async function refresh({ kysely }: Database, weeks: number): Promise<void> {
  const clock = () => new Date(Date.now() + weeks * weekMs);
  const upstreams = createUpstreams(
    { data: "sample", variable: () => undefined, mask: maskOf({}) },
    clock,
    Math.random,
  );
  await datasets.find(({ name }) => name === changed)?.refresh({ database: kysely, upstreams });
}

/** Ends every connection that waits for notifications, as a broken network would. */
async function hangUpListeners({ query }: Database): Promise<void> {
  await query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query ilike 'listen %'",
  );
}
