import { sql } from "kysely";
import type { Store } from "../store/tables.ts";

/** Queued deliveries in numbers, and the endpoints whose deliveries have waited longest. */
export interface Backlog {
  readonly states: Readonly<Record<"active" | "failing" | "gone" | "exhausted", number>>;
  readonly waiting: number;
  /** Age of the oldest delivery that is not yet done. */
  readonly oldestSeconds: number;
  /** Longest time for which a due delivery has waited without an attempt. */
  readonly overdueSeconds: number;
  readonly worst: readonly LateWebhook[];
}

interface LateWebhook {
  readonly account: string;
  readonly webhook: string;
  readonly oldestSeconds: number;
  /** Failed attempts of the oldest delivery. Later deliveries of the endpoint wait for it. */
  readonly failures: number;
}

/** Maximum number of endpoints that are listed, because accounts can create any number of webhooks. */
const named = 10;

export async function deliveryBacklog(database: Store, now: Date): Promise<Backlog> {
  type Row = Backlog["states"] & Pick<Backlog, "waiting" | "oldestSeconds" | "overdueSeconds" | "worst">;
  const secondsSince = (instant: string) =>
    sql`extract(epoch from greatest(${now}::timestamptz - ${sql.raw(instant)}, interval '0'))::float8`;
  const { rows } = await sql<Row>`
    with waiting as (
      select webhook, count(*) as deliveries, min(created_at) as oldest
      from webhook_delivery where state = 'pending' group by webhook
    ), front as (
      select distinct on (webhook) webhook, failures, next_attempt_at
      from webhook_delivery where state = 'pending' order by webhook, place
    ), late as (
      select webhook.account, webhook.id, webhook.inactive_reason, waiting.deliveries, waiting.oldest, front.failures,
        case when lease_until is null or lease_until <= ${now} then front.next_attempt_at end as due
      from webhook left join waiting on waiting.webhook = webhook.id left join front on front.webhook = webhook.id
    ), worst as (
      select account, id as webhook, ${secondsSince("oldest")} as "oldestSeconds", failures
      from late where oldest is not null order by oldest, id limit ${named}
    )
    select
      (count(*) filter (where inactive_reason is null and coalesce(failures, 0) = 0))::int4 as active,
      (count(*) filter (where inactive_reason is null and failures > 0))::int4 as failing,
      (count(*) filter (where inactive_reason = 'gone'))::int4 as gone,
      (count(*) filter (where inactive_reason = 'exhausted'))::int4 as exhausted,
      coalesce(sum(deliveries), 0)::int4 as waiting,
      coalesce(${secondsSince("min(oldest)")}, 0) as "oldestSeconds",
      coalesce(${secondsSince("min(due)")}, 0) as "overdueSeconds",
      coalesce((select jsonb_agg(worst) from worst), '[]') as worst
    from late`.execute(database);
  const [row] = rows;
  if (!row) throw new Error("An aggregate without a row");
  const { active, failing, gone, exhausted, waiting, oldestSeconds, overdueSeconds, worst } = row;
  return { states: { active, failing, gone, exhausted }, waiting, oldestSeconds, overdueSeconds, worst };
}
