import { NotEntitled } from "../errors.ts";
import { dayMs } from "../reference/duration.ts";
import { isVisitor, type Principal } from "./keys/api-key.ts";
import { freePlan, type Plans } from "./plans.ts";

/** The `as_of` time of a request and the current time, in Unix epoch milliseconds. */
export interface TimeRequested {
  readonly parameter: string;
  readonly at: number;
  readonly now: number;
}

/**
 * Throws `NotEntitled` if the time is further back than the caller's plan allows. Without a key, the free plan applies.
 */
export function requireHistory(
  principal: Principal | undefined,
  plans: Plans,
  { parameter, at, now }: TimeRequested,
): void {
  const days = historyDays(principal, plans);
  if (now - at <= days * dayMs) return;
  const { key } = planOf(principal, plans);
  const who = principal && isVisitor(principal) ? "what is public" : `the plan ${key}`;
  throw new NotEntitled(`${parameter}: ${who} goes back ${days} days`);
}

/** Returns how many days before now a caller may request data. Infinity if there is no limit. */
export function historyDays(principal: Principal | undefined, plans: Plans): number {
  return planOf(principal, plans).historyDays ?? Number.POSITIVE_INFINITY;
}

function planOf(principal: Principal | undefined, plans: Plans) {
  return principal?.plan ?? freePlan(plans);
}
