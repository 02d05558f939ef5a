import type { Database } from "../store/database.ts";

export interface QueueDepth {
  readonly kind: string;
  /** Jobs that are due but not started. */
  readonly waiting: number;
  readonly running: number;
  /** Jobs that failed permanently, while the queue retains them. */
  readonly failed: number;
  /** Time since the oldest waiting job became due. */
  readonly oldestSeconds: number;
}

/** Returns the depth of every queue except internal ones. */
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
