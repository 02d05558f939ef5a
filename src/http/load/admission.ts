import { AsyncLocalStorage } from "node:async_hooks";
import { type WorkSlot, workSlot } from "../../egress/outside.ts";
import { Overloaded, RequestAborted } from "../../errors.ts";
import { turnCounter } from "./turn-slice.ts";
import { type Entry, WaitingLine, type Work } from "./waiting-line.ts";
import { Pauses } from "./yield-when-idle.ts";

/** Takes the work of requests in turn by caller. Prepared answers, probes and pages do not pass here. */
export interface Admission {
  /**
   * Runs work at once where there is room and nothing was begun in this turn of the event loop, else in its caller's turn. What
   * goes on beyond such a turn holds a place until it is done, but for the time in which it waits for the outside world: then its
   * caller's alone. Throws `Overloaded` for what cannot be served in time, `RequestAborted` for who has gone.
   */
  readonly run: <T>(work: Work, job: () => T | Promise<T>) => T | Promise<T>;
  /** Throws `Overloaded` where more of this caller would wait in vain. */
  readonly requireRoom: (work: Work) => void;
  /** Resolves in another turn of the event loop, once nothing is under way, or after a moment all the same. */
  readonly pause: () => Promise<void>;
  readonly counts: () => AdmissionCounts;
  readonly close: () => void;
}

export interface AdmissionCounts {
  readonly running: number;
  readonly waiting: number;
  /** Refused because there was too much to do, of callers with and without a key. */
  readonly shed: { readonly keyed: number; readonly keyless: number };
  /** Never begun, because the caller had gone. */
  readonly abandoned: number;
}

/** What one process does at the same time. */
export interface AdmissionLimits {
  /** Work that waits for the store: two of the pool's ten connections stay free for keys, health and generations. */
  readonly places: number;
  /** Of these without a key: the others are there for accounts. */
  readonly keylessPlaces: number;
  /** Of one account, and of one address without a key, waits for the outside world included: nobody takes all places. */
  readonly placesOfAccount: number;
  readonly placesOfAddress: number;
  /** Requests that wait, of one caller and of all: memory. */
  readonly waitingOfCaller: number;
  readonly waiting: number;
  /** Longest wait: what cannot be served until then is told so as soon as that is clear. */
  readonly deadlineMs: number;
  /** Longest pause of what lets all others go first: it goes on, if slowly, while there is always something to do. */
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

/** Between two looks at who waits in vain. */
const lookMs = 50;

export function createAdmission(overrides: Partial<AdmissionLimits> = {}): Admission {
  const limits = { ...admissionLimits, ...overrides };
  const lines = new Map<string, WaitingLine>();
  /** Whether an operation ever went on beyond the turn of the event loop it was begun in. Those that never do need no place. */
  const goesOn = new Map<string, boolean>();
  const shed = { keyed: 0, keyless: 0 };
  let [running, keylessRunning, waiting, abandoned] = [0, 0, 0, 0];
  const pauses = new Pauses(() => running === 0 && waiting === 0, limits.pauseMs);
  const currentTurn = turnCounter();
  /** In which work was begun last. What follows it, such as writing the answer down, takes its time when the turn is left. */
  let lastTurn = -1;
  let isScheduled = false;
  let looking: NodeJS.Timeout | undefined;

  const run = <T>(work: Work, job: () => T | Promise<T>): T | Promise<T> => {
    const line = lineOf(work);
    if (waiting === 0 && lastTurn !== currentTurn() && mayBegin(work)) return begin(line, work, job);
    requireRoom(work);
    const since = performance.now();
    return new Promise<T>((resolve, reject) => {
      // What it throws rejects.
      // Whoever begins it then is another request: what this one has of its own stays with it.
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

  /** Thousands a second may be refused here: what is needed to wait is made for none of them. */
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

  /** Where there is no room for one more, whoever waits with most gives way. */
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

  /** One request in each turn of the event loop, of each caller in turn. */
  const dispatch = () => {
    const line = nextLine();
    const entry = line?.take(mayBegin);
    // None may: whoever ends first, or the next look, comes back here.
    if (!line || !entry) return;
    waiting -= 1;
    // Behind all others before its next turn.
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

  /** A place may never get free, and a connection tells nobody that its reader goes on. */
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
