import { setTimeout as delay } from "node:timers/promises";
import { Overloaded, RequestAborted } from "../errors.ts";

/** Limits the number of pages that are created at a time. Others wait in a short queue, in turn by caller. */
export interface PageGate {
  /** Throws `Overloaded` if the queue is full, and `RequestAborted` if the client has disconnected. */
  readonly inTurn: <T>(make: () => Promise<T>, waiting?: Waiting) => Promise<T>;
  /** The same, without standing in it. */
  readonly requireRoom: (caller?: string) => void;
  readonly isCrowded: () => boolean;
}

export interface Waiting {
  readonly caller: string;
  readonly isGone: () => boolean;
}

export interface PageGateLimits {
  readonly places: number;
  /** Maximum length of the queue. Above it, a new view is rejected, or one of the caller with the most. */
  readonly maxWaiting: number;
  /** While pages wait and programs send requests, a place rests after a page for this multiple of its duration. */
  readonly restShare: number;
  /** A page that takes longer gives its place to the next one. */
  readonly timeoutMs?: number;
}

/** A page that waits for neither the processor nor the store gives its place to the next one. */
const timeoutMs = 250;
/**
 * Programs share the process with pages and get two thirds of it under load. A page takes some 10 ms. The queue is as
 * long as a person waits, about a second.
 */
const pageGateLimits: PageGateLimits = { places: 1, maxWaiting: 48, restShare: 2, timeoutMs };
/** A burst of reads would otherwise delay the queries of programs. */
export const pageReadLimits: PageGateLimits = {
  places: 1,
  maxWaiting: Number.POSITIVE_INFINITY,
  restShare: 0,
  timeoutMs,
};

const maxRestMs = 2_000;
const maxRetrySeconds = 30;

const anybody: Waiting = { caller: "", isGone: () => false };

/** Errors are cached by their time, because a thousand per second may be thrown under overload. */
const rejections = new Map<number, Overloaded>();

function rejection(seconds: number): Overloaded {
  const known = rejections.get(seconds) ?? new Overloaded("Too many pages are asked for at once", seconds);
  rejections.set(seconds, known);
  return known;
}

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
  /** Entries by caller. A caller goes behind all others after each page. */
  const lines = new Map<string, Entry[]>();
  let [taken, waiting] = [0, 0];
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

  /** Returns the longest queue of another caller, if it must drop an entry because this caller has far fewer. */
  const longestAdjacent = (caller: string): Entry[] | undefined => {
    const own = lines.get(caller)?.length ?? 0;
    let max: Entry[] = [];
    for (const line of lines.values()) if (line.length > max.length) max = line;
    return max.length > own + 1 ? max : undefined;
  };

  /** After this time the present queue is done. */
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
