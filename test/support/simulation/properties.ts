/** Properties that simulations check, by the simulation that must reach them. */
export const properties = {
  alerts: [
    "a delivery is marked as delivered exactly when its receiver has it",
    "a delivery belongs to a rule that is not paused",
    "a delivery goes only to endpoints of its rule and account",
    "a rule reports only changes after its start",
    "a change that a rule watches is queued for each endpoint of the rule",
    "a failed delivery waits as the retry plan or its receiver says",
    "a delivery is not sent before its time",
    "a delivery that has ended is not sent again",
    "a repeated delivery has the same body",
    "a crossing is queued for each endpoint of its rule",
    "a report of a series has a crossing",
    "a stored level is that of the last point",
    "a level belongs to a point that was stored",
    "no delivery, change, or point is left",
    "work waits only for timers",
  ],
  changes: [
    "a reader receives each position once and in order",
    "a reader reaches the newest position",
    "the log of changes has no gap",
  ],
  leases: [
    "an allowance is not larger than what is left",
    "all processes together admit no more than a limit",
    "a request is not counted in a window that is over",
    "no request passes uncounted",
    "unspent points are returned, except those of lost leases",
  ],
  every: ["work ends", "processes do not wait for each other"],
} as const;

export type Property = (typeof properties)[keyof typeof properties][number];

/** Something that does not hold although it must. */
export class BrokenInvariant extends Error {}

const reached = new Map<Property, number>();

/** Checks a property, and counts the check. Throws `BrokenInvariant`. */
export function check(property: Property, holds: boolean, detail: () => string): void {
  reached.set(property, (reached.get(property) ?? 0) + 1);
  if (!holds) throw new BrokenInvariant(`${property}: ${detail()}`);
}

/** Returns how often each property was checked since the start of the process. */
export function timesChecked(names: readonly Property[]): ReadonlyMap<Property, number> {
  return new Map(names.map((name) => [name, reached.get(name) ?? 0]));
}
