import { CompiledQuery } from "kysely";
import type { JobKind, Send } from "../../../src/jobs/queue.ts";
import type { Sessions, SimulatedPool } from "./sessions.ts";
import type { World } from "./world.ts";

/** A queue that is driven by hand: jobs exist once their transaction is through. */
export interface JobTable {
  readonly sendOf: (pool: SimulatedPool) => Send;
  /** A job that is due, by the seed's choice; some are handed out more than once. */
  readonly take: () => Promise<Job | undefined>;
}

interface Job {
  readonly kind: JobKind["name"];
  readonly data: { readonly webhook?: string };
}

const insert = "insert into simulated_job (kind, data, due) values ($1, $2, $3)";

export async function jobTable(world: World, { observer }: Sessions): Promise<JobTable> {
  await observer.query(
    "create table if not exists simulated_job (id serial, kind text, data json, due timestamptz); truncate simulated_job restart identity",
  );
  return {
    sendOf:
      (pool) =>
      async (kind, data, { transaction, startAfter } = {}) => {
        const values = [kind.name, JSON.stringify(data), startAfter ?? new Date(0)];
        if (transaction) await transaction.executeQuery(CompiledQuery.raw(insert, values));
        else await pool.query(insert, values);
        return undefined;
      },
    async take() {
      const { rows } = await observer.query<Job & { id: number }>(
        "select id, kind, data from simulated_job where due <= $1 order by id",
        [new Date(world.time.now())],
      );
      if (rows.length === 0) return undefined;
      const job = world.pick(rows);
      if (!world.chance(0.1)) await observer.query("delete from simulated_job where id = $1", [job.id]);
      return job;
    },
  };
}
