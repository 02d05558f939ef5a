import { type Kysely, sql } from "kysely";
import { dayMs } from "../../reference/duration.ts";
import type { StoreTables } from "../../store/tables.ts";
import type { DatasetStatus, SourceStatus } from "../dataset-status.ts";

/** Consecutive days with one and the same state, or a single day with several states. */
export interface StateSpan {
  readonly dataset: string;
  /** Empty for the dataset itself. */
  readonly source: string;
  /** UTC days, both included. */
  readonly from: string;
  readonly to: string;
  readonly state: State;
  readonly times: readonly StateTime[];
}

export interface StateTime {
  readonly state: State;
  readonly seconds: number;
}

type State = DatasetStatus["state"] | SourceStatus["state"];

/** Lower is better. */
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

/** Returns the spans since a day, by dataset and source, oldest first. */
export async function stateSpans(
  database: Kysely<StoreTables>,
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

/** A state with no duration counts only if no other state was seen. */
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
