import { boundOf } from "../../contract/request/request-time.ts";

/** A span of time in Unix epoch milliseconds. Both ends are included. */
export interface EventWindow {
  readonly from: bigint;
  readonly to: bigint;
}

const dayMs = 86_400_000n;
const defaultDays = 30n;

/** The default window is from the start of the day 30 days ago to the end of today, UTC. */
export function eventWindow(start: bigint, end: bigint, now: Date): EventWindow {
  const today = (BigInt(now.getTime()) / dayMs) * dayMs;
  return {
    from: boundOf(start) ?? today - defaultDays * dayMs,
    to: boundOf(end) ?? today + dayMs - 1n,
  };
}
