import { type ConnectionSettings, endWithin, openPool } from "../../store/pool.ts";
import { memoryQuotas } from "./memory-quotas.ts";
import { postgresCounters, sweepEnded } from "./postgres-counters.ts";
import type { Quotas } from "./quotas.ts";
import { closedTimeoutMs, sharedQuotas } from "./shared-quotas.ts";

/** Counters and what they hold open. */
export interface OpenQuotas extends Quotas {
  readonly close: () => Promise<void>;
}

export interface QuotaStoreOptions {
  readonly database: ConnectionSettings;
  readonly log: (message: string) => void;
}

/** Counts in Postgres if there is one, otherwise in this process, which then has its database to itself. */
export async function openQuotas({ database, log }: QuotaStoreOptions): Promise<OpenQuotas> {
  if (database.kind === "postgres") return postgresQuotas(database, log);
  return { ...memoryQuotas(), close: async () => {} };
}

/** Few: a counter needs one at a time, and what reads the data is not to wait behind them. */
const connections = 4;
const sweepEveryMs = 300_000;

async function postgresQuotas(database: ConnectionSettings, log: QuotaStoreOptions["log"]): Promise<OpenQuotas> {
  const pool = openPool(database, { name: "quotas", log, max: connections, responseTimeoutMs: closedTimeoutMs });
  const sweep = async () => {
    await pool.query(sweepEnded);
  };
  // One sweep that fails is made good by the next.
  const sweeping = setInterval(() => void sweep().catch(() => {}), sweepEveryMs).unref();
  const store = postgresCounters(pool);
  return closing(sharedQuotas(store, log), async () => {
    clearInterval(sweeping);
    await endWithin(pool);
  });
}

/** The quotas, whose store is closed after them: they give back what they hold of it first. */
function closing(quotas: OpenQuotas, closeStore: () => Promise<void>): OpenQuotas {
  return {
    ...quotas,
    async close() {
      await quotas.close();
      await closeStore();
    },
  };
}
