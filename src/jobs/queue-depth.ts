import type { Database } from "../store/database.ts";

export interface QueueDepth {
  readonly kind: string;
  /** Number of jobs that are due but have not started. */
  readonly waiting: number;
  readonly running: number;
  /** Number of jobs that failed after all retries and are still stored. */
  readonly failed: number;
  /** Time since the oldest waiting job became due, in seconds. */
  readonly oldestSeconds: number;
}

/** Returns the depth of each queue, except internal queues of the library. */
export async function queueDepth({ query }: Pick<Database, "query">): Promise<readonly QueueDepth[]> {
  const { rows } = await query<QueueDepth>(`
    select queue.name as kind,
      (count(*) filter (where job.state < 'active' and job.start_after <= now()))::int4 as waiting,
      (count(*) filter (where job.state = 'active'))::int4 as running,
      (count(*) filter (where job.state = 'failed'))::int4 as failed,
      coalesce(extract(epoch from max(now() - job.start_after)
        filter (where job.state < 'active' and job.start_after <= now())), 0)::float8 as "oldestSeconds"
    from pgboss.queue left join pgboss.job on job.name = queue.name and job.state in ('created', 'retry', 'active', 'failed')
    where left(queue.name, 2) <> '__' group by queue.name order by queue.name`);
  return rows;
}
