import { leadersOf, type ScheduledDataset } from "./scheduled.ts";

/** The order of refreshes that are due together: each after those that it is made from, so that nothing is made twice. */
export interface RefreshOrder {
  /** Those whose turn has come; each is told once. */
  readonly next: () => string[];
  /** What the others wait for goes before what nobody waits for, and what had to wait before both: chains end early. */
  readonly priority: (name: string) => number;
  /** Notes that a refresh has ended, however it did. */
  readonly ended: (name: string) => void;
  /** Whether its turn is still to come. */
  readonly isHeld: (name: string) => boolean;
  readonly isOver: () => boolean;
  /** Resolves when all have ended. */
  readonly all: Promise<void>;
}

export function refreshOrder(due: readonly ScheduledDataset[]): RefreshOrder {
  const held = new Map(due.map((dataset) => [dataset.name, dataset]));
  const unfinished = new Set(held.keys());
  const waitedFor = new Set(due.flatMap(leadersOf));
  const waiting = new Set(due.flatMap((each) => (leadersOf(each).some((name) => held.has(name)) ? each.name : [])));
  const { promise: all, resolve } = Promise.withResolvers<void>();
  if (unfinished.size === 0) resolve();
  return {
    next() {
      const ready = [...held.values()].filter((each) => !leadersOf(each).some((name) => unfinished.has(name)));
      for (const { name } of ready) held.delete(name);
      return ready.map(({ name }) => name);
    },
    priority: (name) => (waiting.has(name) ? 2 : 0) + (waitedFor.has(name) ? 1 : 0),
    ended(name) {
      if (!held.has(name) && unfinished.delete(name) && unfinished.size === 0) resolve();
    },
    isHeld: (name) => held.has(name),
    isOver: () => unfinished.size === 0,
    all,
  };
}
