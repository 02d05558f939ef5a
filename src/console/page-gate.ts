import { setTimeout as delay } from "node:timers/promises";
import { Overloaded } from "../errors.ts";

/** Lets pages be made: so many side by side, and others in a line that is short. */
export interface PageGate {
  /** Throws `Overloaded` where the line is full. */
  readonly inTurn: <T>(make: () => Promise<T>) => Promise<T>;
  /** The same, without standing in it. */
  readonly requireRoom: () => void;
}

export interface PageGateLimits {
  readonly places: number;
  /** Who comes when so many wait is refused. */
  readonly maxWaiting: number;
  /** While others wait, a place rests after a page for so many times as long as that took. */
  readonly restShare: number;
  /** What takes longer waits for something else than the processor or the store, and gives its place to the next. */
  readonly patienceMs?: number;
}

/** Programs share the process: a page is made in hundredths of a second, and the line is as long as a person waits. */
const pageGateLimits: PageGateLimits = { places: 2, maxWaiting: 16, restShare: 4 };
/** Of all pages, one after another: a burst of them would stand before each query of a program. */
export const pageReadLimits: PageGateLimits = {
  places: 1,
  maxWaiting: Number.POSITIVE_INFINITY,
  restShare: 0,
  patienceMs: 250,
};

const maxRestMs = 2_000;

/** Made once: a thousand a second are thrown where a thousand views are too many. */
const full = new Overloaded("Too many pages are asked for at once", 1);

export function createPageGate({ places, maxWaiting, restShare, patienceMs } = pageGateLimits): PageGate {
  const line: (() => void)[] = [];
  let taken = 0;

  const giveUp = async (tookMs: number) => {
    if (line.length > 0 && restShare > 0) await delay(Math.min(restShare * tookMs, maxRestMs));
    const next = line.shift();
    if (next) next();
    else taken -= 1;
  };

  const requireRoom = () => {
    if (taken >= places && line.length >= maxWaiting) throw full;
  };

  return {
    requireRoom,
    async inTurn(make) {
      requireRoom();
      if (taken >= places) await new Promise<void>((begin) => line.push(begin));
      else taken += 1;
      const begunAt = performance.now();
      let isGiven = false;
      const giveOnce = () => {
        if (!isGiven) void giveUp(performance.now() - begunAt);
        isGiven = true;
      };
      const late = patienceMs === undefined ? undefined : setTimeout(giveOnce, patienceMs);
      try {
        return await make();
      } finally {
        clearTimeout(late);
        giveOnce();
      }
    },
  };
}
