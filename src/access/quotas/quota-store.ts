import { type ConnectionSettings, endWithin, openPool } from "../../store/pool.ts";
import { memoryQuotas } from "./memory-quotas.ts";
import { postgresCounters, sweepEnded } from "./postgres-counters.ts";
import type { Quotas } from "./quotas.ts";
import { closedTimeoutMs, sharedQuotas } from "./shared-quotas.ts";

/** Counters with the resources that they keep open. */
export interface OpenQuotas extends Quotas {
  readonly close: () => Promise<void>;
}

export interface QuotaStoreOptions {
  readonly database: ConnectionSettings;
  readonly log: (message: string) => void;
}

/** Counts in Postgres if it is used, or else in this process, which is then the only one. */
export async function openQuotas({ database, log }: QuotaStoreOptions): Promise<OpenQuotas> {
  if (database.kind === "postgres") return postgresQuotas(database, log);
  return { ...memoryQuotas(), close: async () => {} };
}

/** A few connections suffice, and data reads do not wait for them. */
const connections = 4;
const sweepEveryMs = 300_000;

async function postgresQuotas(database: ConnectionSettings, log: QuotaStoreOptions["log"]): Promise<OpenQuotas> {
  const pool = openPool(database, { name: "quotas", log, max: connections, responseTimeoutMs: closedTimeoutMs });
  const sweep = async () => {
    await pool.query(sweepEnded);
  };
  // The next sweep repeats a failed one.
  const sweeping = setInterval(() => void sweep().catch(() => {}), sweepEveryMs).unref();
  const store = postgresCounters(pool);
  return closing(sharedQuotas(store, log), async () => {
    clearInterval(sweeping);
    await endWithin(pool);
  });
}

/** The store is closed after the quotas, which first return their reserved points. */
function closing(quotas: OpenQuotas, closeStore: () => Promise<void>): OpenQuotas {
  return {
    ...quotas,
    async close() {
      await quotas.close();
      await closeStore();
    },
  };
}
