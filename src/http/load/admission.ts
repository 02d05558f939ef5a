import { AsyncLocalStorage } from "node:async_hooks";
import { type WorkSlot, workSlot } from "../../egress/outside.ts";
import { Overloaded, RequestAborted } from "../../errors.ts";
import { turnCounter } from "./turn-slice.ts";
import { type Entry, WaitingLine, type Work } from "./waiting-line.ts";
import { Pauses } from "./yield-when-idle.ts";

/** Runs the work of requests fairly between callers. Prepared responses, probes, and pages bypass it. */
export interface Admission {
  /**
   * Runs work immediately if there is room and no other work began in this tick. Otherwise it is queued by caller. Work
   * that continues after its tick has a place until it is done. While it waits for an external source, only the place
   * of its caller counts. Throws `Overloaded` if it cannot run in time, and `RequestAborted` if the caller has
   * disconnected.
   */
  readonly run: <T>(work: Work, job: () => T | Promise<T>) => T | Promise<T>;
  /** Throws `Overloaded` if more work of this caller could not run in time. */
  readonly requireRoom: (work: Work) => void;
  /** Resolves in another tick when no work is running, or after the maximum pause. */
  readonly pause: () => Promise<void>;
  readonly counts: () => AdmissionCounts;
  readonly close: () => void;
}

export interface AdmissionCounts {
  readonly running: number;
  readonly waiting: number;
  /** Rejected because of overload, for callers with and without a key. */
  readonly shed: { readonly keyed: number; readonly keyless: number };
  /** Never started, because the caller had disconnected. */
  readonly abandoned: number;
}

/** Maximum concurrency of one process. */
export interface AdmissionLimits {
  /** Work that waits for the store. Two of the pool's ten connections remain free for keys, health, and generations. */
  readonly places: number;
  /** Maximum of these places without a key. The others are reserved for accounts. */
  readonly keylessPlaces: number;
  /**
   * Maximum per account, and per address without a key, including waits for external sources. No caller can take all
   * places.
   */
  readonly placesOfAccount: number;
  readonly placesOfAddress: number;
  /** Maximum number of queued requests per caller and in total. This protects memory. */
  readonly waitingOfCaller: number;
  readonly waiting: number;
  /** Maximum time in the queue. A request that cannot run in time is rejected as soon as that is clear. */
  readonly deadlineMs: number;
  /** Maximum pause of work with low priority. It continues slowly even under constant load. */
  readonly pauseMs: number;
}

export const admissionLimits: AdmissionLimits = {
  places: 8,
  keylessPlaces: 4,
  placesOfAccount: 4,
  placesOfAddress: 2,
  waitingOfCaller: 256,
  waiting: 4_096,
  deadlineMs: 3_000,
  pauseMs: 5,
};

/** Interval of the checks for requests that cannot run in time. */
const lookMs = 50;

export function createAdmission(overrides: Partial<AdmissionLimits> = {}): Admission {
  const limits = { ...admissionLimits, ...overrides };
  const lines = new Map<string, WaitingLine>();
  /** Whether work of an operation ever continued after its tick. Operations that never do need no place. */
  const goesOn = new Map<string, boolean>();
  const shed = { keyed: 0, keyless: 0 };
  let [running, keylessRunning, waiting, abandoned] = [0, 0, 0, 0];
  const pauses = new Pauses(() => running === 0 && waiting === 0, limits.pauseMs);
  const currentTurn = turnCounter();
  /** The tick in which work last began. Follow-up work, such as serializing the response, runs after the tick. */
  let lastTurn = -1;
  let isScheduled = false;
  let looking: NodeJS.Timeout | undefined;

  const run = <T>(work: Work, job: () => T | Promise<T>): T | Promise<T> => {
    const line = lineOf(work);
    if (waiting === 0 && lastTurn !== currentTurn() && mayBegin(work)) return begin(line, work, job);
    requireRoom(work);
    const since = performance.now();
    return new Promise<T>((resolve, reject) => {
      // An error rejects the promise. The work may start in the context of another request, so its own context is
      // bound.
      const start = AsyncLocalStorage.bind(() => resolve(new Promise<T>((done) => done(begin(line, work, job)))));
      enqueue(line, { work, begin: start, reject, since });
    });
  };

  const lineOf = ({ caller }: Work) => {
    const known = lines.get(caller);
    if (known) return known;
    const made = new WaitingLine(caller, limits.deadlineMs / 3);
    lines.set(caller, made);
    return made;
  };

  const forgetIdle = (line: WaitingLine) => {
    if (line.isIdle) lines.delete(line.caller);
  };

  const mayBegin = ({ operation, caller, keyed, connection }: Work) => {
    if (connection.isGone()) return true;
    if (connection.isBackedUp()) return false;
    if (goesOn.get(operation) === false) return true;
    const own = lines.get(caller)?.running ?? 0;
    return (
      running < limits.places &&
      (keyed ? own < limits.placesOfAccount : own < limits.placesOfAddress && keylessRunning < limits.keylessPlaces)
    );
  };

  const begin = <T>(line: WaitingLine, work: Work, job: () => T | Promise<T>): T | Promise<T> => {
    if (work.connection.isGone()) {
      abandoned += 1;
      forgetIdle(line);
      throw new RequestAborted("The caller has gone");
    }
    const begunIn = currentTurn();
    lastTurn = begunIn;
    const { giveUp, ...held } = occupy(line, work);
    const end = () => {
      giveUp();
      goesOn.set(work.operation, currentTurn() !== begunIn || (goesOn.get(work.operation) ?? false));
      forgetIdle(line);
      if (waiting > 0) schedule();
    };
    try {
      const result = workSlot.run(held, job);
      if (result instanceof Promise) result.then(end, end);
      else end();
      return result;
    } catch (error) {
      end();
      throw error;
    }
  };

  const occupy = (line: WaitingLine, { keyed }: Work): WorkSlot & { readonly giveUp: () => void } => {
    let [outside, isOver] = [0, false];
    const count = (by: 1 | -1) => {
      running += by;
      if (!keyed) keylessRunning += by;
      if (by < 0) pauses.end();
    };
    count(1);
    line.running += 1;
    return {
      leave() {
        if (outside++ > 0 || isOver) return;
        count(-1);
        if (waiting > 0) schedule();
      },
      reenter() {
        if (--outside === 0 && !isOver) count(1);
      },
      giveUp() {
        isOver = true;
        line.running -= 1;
        if (outside === 0) count(-1);
      },
    };
  };

  /** Thousands of requests per second may be rejected here, so nothing is allocated for them. */
  const requireRoom = (work: Work) => {
    const line = lines.get(work.caller);
    if (waiting === 0 || !line) return;
    const now = performance.now();
    if (line.length >= limits.waitingOfCaller) for (const each of line.takeGone(now)) abandon(each);
    const isHopeless = line.paceMs(now) * line.length > limits.deadlineMs;
    if (line.length >= limits.waitingOfCaller || isHopeless) throw rejection(line, work, now);
  };

  const enqueue = (line: WaitingLine, entry: Entry) => {
    if (waiting >= limits.waiting) shedLongest();
    line.push(entry);
    waiting += 1;
    schedule();
    looking ??= setInterval(look, lookMs).unref();
  };

  /** If there is no room for another request, the caller with the most queued requests loses one. */
  const shedLongest = () => {
    const max = [...lines.values()].reduce((max, each) => (each.length > max.length ? each : max));
    const last = max.pop();
    if (last) rejectWaiting(max, last);
  };

  const rejectWaiting = (line: WaitingLine, { work, reject, since }: Entry) => {
    waiting -= 1;
    reject(rejection(line, work, since));
  };

  const rejection = (line: WaitingLine, { keyed }: Work, since: number) => {
    shed[keyed ? "keyed" : "keyless"] += 1;
    const seconds = (line.paceMs(since) * line.length) / 1000;
    forgetIdle(line);
    return new Overloaded("Too many requests are waiting: this one cannot be served in time", seconds);
  };

  const abandon = ({ reject }: Entry) => {
    waiting -= 1;
    abandoned += 1;
    reject(new RequestAborted("The caller has gone"));
  };

  const schedule = () => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      dispatch();
    });
  };

  /** Starts one request per tick, and alternates between callers. */
  const dispatch = () => {
    const line = nextLine();
    const entry = line?.take(mayBegin);
    // If none may start, the end of other work or the next check calls this again.
    if (!line || !entry) return;
    waiting -= 1;
    // The caller goes behind all others for its next turn.
    lines.delete(line.caller);
    lines.set(line.caller, line);
    entry.begin();
    if (waiting > 0) schedule();
    else stopLooking();
  };

  const nextLine = () => {
    for (const line of lines.values()) if (line.has(mayBegin)) return line;
    return undefined;
  };

  /** A place may never become free, and there is no event when a reader continues. */
  const look = () => {
    const now = performance.now();
    for (const line of [...lines.values()]) {
      for (const entry of line.takeGone(now)) abandon(entry);
      for (const entry of line.takeLate(now, limits.deadlineMs)) rejectWaiting(line, entry);
      forgetIdle(line);
    }
    if (waiting > 0) schedule();
    else stopLooking();
  };

  const stopLooking = () => {
    clearInterval(looking);
    looking = undefined;
  };

  return {
    ...{ run, requireRoom, pause: () => pauses.pause() },
    counts: () => ({ running, waiting, shed: { ...shed }, abandoned }),
    close: stopLooking,
  };
}
