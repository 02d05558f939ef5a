import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import { type ConnectionSettings, clientConfig } from "../pool.ts";

/** After each table, vacuuming pauses for this multiple of its time, so that a request waits for one table at most. */
const restShare = 4;
const maxWalBytes = 64 * 1024 ** 2;

/** Vacuums tables like autovacuum, for which the embedded engine has no background process. Returns their names. */
export function vacuum(settings: ConnectionSettings, signal?: AbortSignal): Promise<string[]> {
  return withClient(settings, async (client) => {
    await client.query("select pg_stat_force_next_flush()");
    const { rows } = await client.query<{ name: string }>(dirtyTables);
    const cleaned: string[] = [];
    for (const { name } of rows) {
      if (signal?.aborted) break;
      const begunAt = performance.now();
      await client.query(`vacuum (analyze) ${name}`);
      cleaned.push(name);
      const restMs = restShare * (performance.now() - begunAt);
      await delay(restMs, undefined, { signal }).catch(() => undefined);
    }
    return cleaned;
  });
}

/**
 * Writes a checkpoint if the write-ahead log since the last one is larger than `maxBytes`. Without background processes,
 * the engine would keep the whole log until it is closed, and replay it after a crash. Returns whether it wrote one.
 */
export function checkpoint(settings: ConnectionSettings, maxBytes: number = maxWalBytes): Promise<boolean> {
  return withClient(settings, async (client) => {
    const { rows } = await client.query<{ due: boolean }>(
      "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn) > $1 as due from pg_control_checkpoint()",
      [maxBytes],
    );
    if (!rows[0]?.due) return false;
    await client.query("checkpoint");
    return true;
  });
}

async function withClient<T>(settings: ConnectionSettings, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(clientConfig(settings, "maintenance"));
  client.on("error", () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

// Selects tables above the default autovacuum thresholds. Large values in TOAST tables count for the main table.
const dirtyTables = `
  select format('%I.%I', stat.schemaname, stat.relname) as name
  from pg_stat_user_tables stat
  join pg_class class on class.oid = stat.relid
  left join pg_stat_all_tables toast on toast.relid = class.reltoastrelid
  where stat.n_dead_tup > 50 + stat.n_live_tup * 0.2
     or stat.n_mod_since_analyze > 50 + stat.n_live_tup * 0.1
     or toast.n_dead_tup > 50 + toast.n_live_tup * 0.2
  order by 1`;
