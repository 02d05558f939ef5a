import { setTimeout as delay } from "node:timers/promises";
import { Overloaded, RequestAborted } from "../errors.ts";

/** Lets pages be made: so many side by side, and others in a line that is short, in turn by who asks. */
export interface PageGate {
  /** Throws `Overloaded` where there is no room in the line, `RequestAborted` where nobody waits any more when the turn comes. */
  readonly inTurn: <T>(make: () => Promise<T>, waiting?: Waiting) => Promise<T>;
  /** The same, without standing in it. */
  readonly requireRoom: (caller?: string) => void;
  /** Whether several wait. */
  readonly isCrowded: () => boolean;
}

/** For whom a page is made. */
export interface Waiting {
  /** An address. */
  readonly caller: string;
  readonly isGone: () => boolean;
}

export interface PageGateLimits {
  readonly places: number;
  /** When so many wait, who comes is refused, or who waits with most gives way. */
  readonly maxWaiting: number;
  /** While others wait and programs ask, a place rests after a page for so many times as long as that took. */
  readonly restShare: number;
  /** What takes longer gives its place to the next. */
  readonly timeoutMs?: number;
}

/** What waits for something else than the processor or the store gives its place to the next then. */
const timeoutMs = 250;
/**
 * Programs share the process and have two thirds of it while many look at pages: one is made in hundredths of a second, and the line
 * is as long as a person waits, about a second.
 */
const pageGateLimits: PageGateLimits = { places: 1, maxWaiting: 48, restShare: 2, timeoutMs };
/** Of all pages, one after another: a burst of them would stand before each query of a program. */
export const pageReadLimits: PageGateLimits = {
  places: 1,
  maxWaiting: Number.POSITIVE_INFINITY,
  restShare: 0,
  timeoutMs,
};

const maxRestMs = 2_000;
const maxRetrySeconds = 30;

const anybody: Waiting = { caller: "", isGone: () => false };

/** Made once for each time to wait: a thousand a second are thrown where a thousand views are too many. */
const rejections = new Map<number, Overloaded>();

function rejection(seconds: number): Overloaded {
  const known = rejections.get(seconds) ?? new Overloaded("Too many pages are asked for at once", seconds);
  rejections.set(seconds, known);
  return known;
}

/** Of the newest page in the mean of how long one takes. */
const newestShare = 0.2;

interface Entry {
  readonly begin: () => void;
  readonly reject: (error: Error) => void;
  readonly isGone: () => boolean;
}

/** A gate that rests always, or only as long as programs ask. */
export function createPageGate(
  { places, maxWaiting, restShare, timeoutMs } = pageGateLimits,
  programsRequest = () => true,
): PageGate {
  /** By who asks; whoever had a turn stands behind all others. */
  const lines = new Map<string, Entry[]>();
  let [taken, waiting] = [0, 0];
  /** From one page to the next. */
  let paceMs = 0;

  const giveUp = async (tookMs: number) => {
    const restMs = programsRequest() ? Math.min(restShare * tookMs, maxRestMs) : 0;
    paceMs += newestShare * ((tookMs + restMs) / places - paceMs);
    if (waiting > 0 && restMs > 0) await delay(restMs);
    const next = takeNext();
    if (next) next.begin();
    else taken -= 1;
  };

  const forgetGone = () => {
    for (const [caller, line] of lines) {
      if (!line.some(({ isGone }) => isGone())) continue;
      const left = line.filter((entry) => {
        if (!entry.isGone()) return true;
        entry.reject(new RequestAborted("The caller has gone"));
        return false;
      });
      waiting -= line.length - left.length;
      if (left.length > 0) lines.set(caller, left);
      else lines.delete(caller);
    }
  };

  const takeNext = (): Entry | undefined => {
    forgetGone();
    const [first] = lines;
    if (!first) return undefined;
    const [caller, line] = first;
    const entry = line.shift();
    lines.delete(caller);
    if (line.length > 0) lines.set(caller, line);
    waiting -= 1;
    return entry;
  };

  /** Whoever waits with so many more than the caller that one of them gives way; undefined where nobody does. */
  const longestAdjacent = (caller: string): Entry[] | undefined => {
    const own = lines.get(caller)?.length ?? 0;
    let max: Entry[] = [];
    for (const line of lines.values()) if (line.length > max.length) max = line;
    return max.length > own + 1 ? max : undefined;
  };

  /** Whoever comes back then finds room: all who wait have had their turn. */
  const full = () => rejection(Math.min(Math.max(Math.ceil((waiting * paceMs) / 1_000), 1), maxRetrySeconds));

  const requireRoom = (caller = anybody.caller) => {
    if (taken < places || waiting < maxWaiting) return;
    forgetGone();
    if (waiting >= maxWaiting && !longestAdjacent(caller)) throw full();
  };

  const standInLine = ({ caller, isGone }: Waiting) => {
    if (waiting >= maxWaiting) {
      longestAdjacent(caller)?.pop()?.reject(full());
      waiting -= 1;
    }
    return new Promise<void>((begin, reject) => {
      const line = lines.get(caller) ?? [];
      line.push({ begin, reject, isGone });
      lines.set(caller, line);
      waiting += 1;
    });
  };

  return {
    isCrowded: () => waiting > 1,
    requireRoom,
    async inTurn(make, who = anybody) {
      requireRoom(who.caller);
      if (taken >= places) await standInLine(who);
      else taken += 1;
      const begunAt = performance.now();
      let isGiven = false;
      const giveOnce = () => {
        if (!isGiven) void giveUp(performance.now() - begunAt);
        isGiven = true;
      };
      const late = timeoutMs === undefined ? undefined : setTimeout(giveOnce, timeoutMs);
      try {
        return await make();
      } finally {
        clearTimeout(late);
        giveOnce();
      }
    },
  };
}
