import { sql } from "kysely";
import type { Job } from "../jobs/job.ts";
import type { JobKind } from "../jobs/queue.ts";
import { isoDay } from "../reference/calendar.ts";
import { dayMs, minuteMs } from "../reference/duration.ts";
import { logChanges } from "../store/changes/change-log.ts";
import { deleteSome, type Retention } from "../store/retention.ts";
import type { Store } from "../store/tables.ts";
import { type DatasetStatus, datasetStatuses, type SourceStatus, type StatusParts } from "./dataset-status.ts";

/** Only one process at a time checks the states of datasets and sources. */
export const stateDaysKind: JobKind = { name: "state-days", onePerKey: true, retries: 0, cacheSeconds: 3_600 };
export const stalenessKind: JobKind = { ...stateDaysKind, name: "staleness" };

export const storedStateDays = 90;

/** If checks are further apart, the state between them is unknown, because the service may have been down. */
const maxGapMs = 11 * minuteMs;

export interface StateParts extends StatusParts {
  readonly database: Store;
}

export function stateJobs(parts: StateParts): readonly Job[] {
  return [
    { kind: stalenessKind, every: "* * * * *", work: () => logStaleness(parts) },
    { kind: stateDaysKind, every: "*/5 * * * *", work: () => recordStates(parts) },
  ];
}

/** Adds the time since the last check to the day's total for the current state of each dataset and source. */
export async function recordStates({ database, ...parts }: StateParts): Promise<void> {
  const statuses = await datasetStatuses(database, parts);
  const now = parts.clock();
  await database.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtext('state_day'))`.execute(transaction);
    const { seen } = await transaction
      .selectFrom("state_day")
      .where("day", ">=", isoDay(now.getTime() - dayMs))
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

interface SecondsOfDay {
  readonly day: string;
  readonly seconds: number;
}

function spansBetween(from: number, to: number): readonly SecondsOfDay[] {
  const midnight = Math.floor(to / dayMs) * dayMs;
  const seconds = (begin: number, end: number) => Math.round((end - begin) / 1000);
  if (from >= midnight) return [{ day: isoDay(to), seconds: seconds(from, to) }];
  return [
    { day: isoDay(from), seconds: seconds(from, midnight) },
    { day: isoDay(to), seconds: seconds(midnight, to) },
  ];
}

function rowsOf({ name, state, sources }: DatasetStatus, span: SecondsOfDay) {
  return [
    { dataset: name, source: "", state, ...span },
    ...sources.map((source) => ({ dataset: name, source: source.name, state: source.state, ...span })),
  ];
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
        where: sql`day <= ${isoDay(before)}::date`,
      },
      max,
    ),
} satisfies Retention;

/** Consecutive days that had the same single state, or one day that had several states. */
export interface StateSpan {
  readonly dataset: string;
  /** The name of the source. Empty if the state is that of the dataset. */
  readonly source: string;
  /** UTC days, both included. */
  readonly from: string;
  readonly to: string;
  readonly state: State;
  readonly times: readonly StateTime[];
}

interface StateTime {
  readonly state: State;
  readonly seconds: number;
}

type State = DatasetStatus["state"] | SourceStatus["state"];

/** The severity of each state. A lower number is better. */
const severity: Readonly<Record<State, number>> = {
  ...{ ok: 0, waiting: 1, partial: 2, degraded: 3, stale: 4, unconfigured: 5, incomplete: 6, "no inputs": 7 },
  ...{ refused: 8, failed: 9, expired: 10, empty: 11 },
};

interface Day {
  readonly dataset: string;
  readonly source: string;
  readonly day: string;
  readonly times: readonly StateTime[];
}

/** Returns the states since a day by dataset and source, oldest first. */
export async function stateSpans(
  database: Store,
  { dataset, since }: { readonly dataset: string; readonly since: string },
): Promise<readonly StateSpan[]> {
  const { rows } = await sql<Day>`
    select dataset, source, to_char(day, 'YYYY-MM-DD') as day, jsonb_agg(jsonb_build_object('state', state, 'seconds', seconds)) as times
    from state_day where day >= ${since}::date and (${dataset} = '' or dataset = ${dataset})
    group by dataset, source, state_day.day order by dataset, source, state_day.day`.execute(database);
  const spans: StateSpan[] = [];
  for (const row of rows) {
    const span = spanOf(row);
    const last = spans.at(-1);
    if (last && isContinued(last, span)) spans[spans.length - 1] = { ...last, to: span.to, times: sum(last, span) };
    else spans.push(span);
  }
  return spans;
}

/** Returns the worst state of a day. A state that lasted less than a second only counts if there is no other state. */
function spanOf({ dataset, source, day, times: all }: Day): StateSpan {
  const known = all.toSorted((a, b) => severity[a.state] - severity[b.state]);
  const lasting = known.filter(({ seconds }) => seconds > 0);
  const times = lasting.length > 0 ? lasting : known;
  return { dataset, source, from: day, to: day, state: times.at(-1)?.state ?? "ok", times };
}

function isContinued(last: StateSpan, next: StateSpan): boolean {
  return (
    last.dataset === next.dataset &&
    last.source === next.source &&
    last.state === next.state &&
    last.times.length === 1 &&
    next.times.length === 1 &&
    Date.parse(next.from) - Date.parse(last.to) === dayMs
  );
}

function sum(last: StateSpan, next: StateSpan): readonly StateTime[] {
  const seconds = [...last.times, ...next.times].reduce((all, time) => all + time.seconds, 0);
  return [{ state: last.state, seconds }];
}

/** Logs when a dataset becomes stale or fresh. Even with several processes, each change is logged once. */
export async function logStaleness({ database, ...parts }: StateParts): Promise<void> {
  const fresh = new Map(parts.datasets.map(({ name, freshForMinutes }) => [name, 60 * freshForMinutes]));
  for (const { name, origin, generation, ageSeconds } of await datasetStatuses(database, parts)) {
    if (origin === undefined || generation === undefined || ageSeconds === undefined) continue;
    const isStale = ageSeconds > (fresh.get(name) ?? Number.POSITIVE_INFINITY);
    const at = parts.clock();
    await database.transaction().execute(async (transaction) => {
      const moved = await transaction
        .updateTable("dataset")
        .set({ stale_since: isStale ? at : null })
        .where("name", "=", name)
        // If the dataset was refreshed after its status was read, no row matches, and the next run checks the dataset.
        .where("generation", "=", String(generation))
        .where("stale_since", isStale ? "is" : "is not", null)
        .executeTakeFirst();
      if (moved.numUpdatedRows > 0n)
        await logChanges(transaction, { dataset: name, origin, at }, [{ kind: isStale ? "stale" : "recovered" }]);
    });
  }
}
