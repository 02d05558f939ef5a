import { dayMs } from "../../reference/duration.ts";
import type { Drift } from "../drift/drift.ts";

/** So many periods of a series may be taken back: revisions remove a latest point or two. */
const maxReclaimed = 5;
/** So large a share of the steps from day to day is of one length in a series. */
const regularFrom = 0.7;
const enough = 5;

/** How far an answer's newest row is behind that of the last good one. */
export interface OlderResponse {
  readonly reported: Drift;
  /** Why it is not taken in its place; absent where it is. */
  readonly rejection?: string;
}

/**
 * Whether the rows that would be good now end earlier than those before, by more than a period: the usual step between their days.
 * Of rows without a period, such as events, it is told and nothing more.
 */
export function olderResponse(
  times: readonly number[],
  before: Date | undefined,
  now: Date,
): OlderResponse | undefined {
  const days = [...new Set(times.filter(Number.isFinite).map((at) => Math.floor(at / dayMs)))].sort((a, b) => a - b);
  const newest = days.at(-1);
  if (before === undefined || newest === undefined) return undefined;
  // What was dated ahead then is no measure.
  const last = Math.floor(Math.min(before.getTime(), now.getTime()) / dayMs);
  const period = periodOf(days);
  const behind = last - newest;
  if (behind <= (period ?? 1)) return undefined;
  const detail = `${dateOf(newest)}, before ${dateOf(last)}`;
  return {
    reported: { kind: "older rows", field: "the newest row", detail },
    ...(period !== undefined &&
      behind > maxReclaimed * period && {
        rejection: `its newest row is of ${dateOf(newest)}, that of before of ${dateOf(last)}`,
      }),
  };
}

/** In days; undefined where the steps are not mostly of one length. */
function periodOf(days: readonly number[]): number | undefined {
  const steps = days.slice(1).map((day, index) => day - (days[index] ?? day));
  const middle = steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)];
  if (middle === undefined || steps.length < enough) return undefined;
  // Months and years differ by a few days.
  const alike = steps.filter((step) => Math.abs(step - middle) <= middle / 10);
  return alike.length / steps.length >= regularFrom ? middle : undefined;
}

function dateOf(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}
