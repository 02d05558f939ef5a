import type { Database } from "../store/database.ts";

/** What waits, runs and failed of one kind of job. */
export interface QueueDepth {
  readonly kind: string;
  /** Due and not begun. */
  readonly waiting: number;
  readonly running: number;
  /** For good, as long as the queue keeps them. */
  readonly failed: number;
  /** For so long the oldest that is not begun has been due. */
  readonly oldestSeconds: number;
}

/** Of every kind but the queue's own. */
export async function queueDepth({ query }: Pick<Database, "query">): Promise<readonly QueueDepth[]> {
  const { rows } = await query(`
    select queue.name as kind,
      (count(*) filter (where job.state < 'active' and job.start_after <= now()))::int4 as waiting,
      (count(*) filter (where job.state = 'active'))::int4 as running,
      (count(*) filter (where job.state = 'failed'))::int4 as failed,
      coalesce(extract(epoch from max(now() - job.start_after)
        filter (where job.state < 'active' and job.start_after <= now())), 0)::float8 as "oldestSeconds"
    from pgboss.queue left join pgboss.job on job.name = queue.name and job.state in ('created', 'retry', 'active', 'failed')
    where left(queue.name, 2) <> '__' group by queue.name order by queue.name`);
  return rows as QueueDepth[];
}
