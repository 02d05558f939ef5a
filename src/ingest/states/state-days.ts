import { type Kysely, sql } from "kysely";
import type { Job } from "../../jobs/job.ts";
import type { JobKind } from "../../jobs/queue.ts";
import { dayMs, minuteMs } from "../../reference/duration.ts";
import { deleteSome, type Retention } from "../../store/retention.ts";
import type { StoreTables } from "../../store/tables.ts";
import { type DatasetStatus, datasetStatuses, type StatusParts } from "../dataset-status.ts";

/** One process at a time checks the states of datasets and sources. */
export const stateDaysKind: JobKind = { name: "state-days", onePerKey: true, retries: 0, cacheSeconds: 3_600 };

export const storedStateDays = 90;

/** After a longer gap between checks the state is unknown, because the service may not have run. */
const maxGapMs = 11 * minuteMs;

export interface StateDaysParts extends StatusParts {
  readonly database: Kysely<StoreTables>;
}

export function stateDaysJob(parts: StateDaysParts): Job {
  return { kind: stateDaysKind, every: "*/5 * * * *", work: () => recordStates(parts) };
}

/** Adds the time since the last check to the present state of each dataset and source. */
export async function recordStates({ database, ...parts }: StateDaysParts): Promise<void> {
  const statuses = await datasetStatuses(database, parts);
  const now = parts.clock();
  await database.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtext('state_day'))`.execute(transaction);
    const { seen } = await transaction
      .selectFrom("state_day")
      .where("day", ">=", dayOf(now.getTime() - dayMs))
      .select(({ fn }) => fn.max("seen_at").as("seen"))
      .executeTakeFirstOrThrow();
    const since = seen && now.getTime() - seen.getTime() <= maxGapMs ? seen.getTime() : now.getTime();
    const spans = spansBetween(Math.min(since, now.getTime()), now.getTime());
    const rows = spans.flatMap((span) => statuses.flatMap((status) => rowsOf(status, span)));
    await sql`
      insert into state_day (dataset, source, day, state, seconds, seen_at)
      select dataset, source, day, state, seconds, ${now}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as row (dataset text, source text, day date, state text, seconds int4)
      on conflict (dataset, source, day, state) do update
        set seconds = state_day.seconds + excluded.seconds, seen_at = excluded.seen_at`.execute(transaction);
  });
}

interface Span {
  readonly day: string;
  readonly seconds: number;
}

function spansBetween(from: number, to: number): readonly Span[] {
  const midnight = Math.floor(to / dayMs) * dayMs;
  const seconds = (begin: number, end: number) => Math.round((end - begin) / 1000);
  if (from >= midnight) return [{ day: dayOf(to), seconds: seconds(from, to) }];
  return [
    { day: dayOf(from), seconds: seconds(from, midnight) },
    { day: dayOf(to), seconds: seconds(midnight, to) },
  ];
}

function rowsOf({ name, state, sources }: DatasetStatus, span: Span) {
  return [
    { dataset: name, source: "", state, ...span },
    ...sources.map((source) => ({ dataset: name, source: source.name, state: source.state, ...span })),
  ];
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

export const stateRetention = {
  table: "state_day",
  stored: storedStateDays,
  ends: "The states of datasets and sources of a day, from its date.",
  forget: (database, before, { max }) =>
    deleteSome(
      database,
      {
        table: "state_day",
        key: ["dataset", "source", "day", "state"],
        where: sql`day <= ${before.toISOString().slice(0, 10)}::date`,
      },
      max,
    ),
} satisfies Retention;
