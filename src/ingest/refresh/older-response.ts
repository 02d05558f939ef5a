import { dayMs } from "../../reference/duration.ts";
import type { Drift } from "../drift/drift.ts";

/** Maximum number of periods by which a series may become shorter. Revisions remove a latest point or two. */
const maxReclaimed = 5;
/** A series is regular if at least this share of its steps has the same length. */
const regularFrom = 0.7;
const enough = 5;

export interface OlderResponse {
  readonly reported: Drift;
  readonly rejection?: string;
}

/** A period is the usual step between days. Rows without a period, such as events, are only reported. */
export function olderResponse(
  times: readonly number[],
  before: Date | undefined,
  now: Date,
): OlderResponse | undefined {
  const days = [...new Set(times.filter(Number.isFinite).map((at) => Math.floor(at / dayMs)))].sort((a, b) => a - b);
  const newest = days.at(-1);
  if (before === undefined || newest === undefined) return undefined;
  // Rows that were dated in the future do not count.
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

/** Returns the period in days, or undefined if the steps differ. */
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
