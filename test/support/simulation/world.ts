import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as nextTurn } from "node:timers/promises";
import { randomOf } from "../domains/synthetic-bases.ts";
import { check } from "./properties.ts";
import { type VirtualTime, virtualTime } from "./virtual-time.ts";

/** A process as far as the simulation goes. */
export interface Replica {
  readonly name: string;
  isAlive: boolean;
  /** How far its clock is off, in milliseconds. */
  skew: number;
  /** Done when it is killed. */
  readonly atEnd: (() => Promise<void>)[];
}

/** What became of a call to what is outside: it never arrived, or its answer never did. */
export type Loss = "call" | "answer";

interface Step {
  readonly replica: Replica;
  readonly what: string;
  readonly call: Call<unknown>;
  readonly settle: (outcome: PromiseSettledResult<unknown>) => void;
  /** It would wait for a lock that somebody waits for already: it is tried again once something else was done. */
  isParked: boolean;
}

/** A call to what is outside. */
export interface Call<T> {
  readonly run: (how: { readonly loss: Loss | undefined; readonly mayBeUndone: boolean }) => Promise<T>;
  /** Reverts the call as if it never ran. If it is absent, the call waits for no other process. */
  readonly undo?: () => Promise<void>;
}

/** A call that has been let go. */
interface Flight {
  readonly step: Step;
  outcome?: PromiseSettledResult<unknown>;
}

/** Work of a process from its beginning to its end. */
interface Fiber {
  readonly replica: Replica;
  /** Calls that wait for their turn. */
  waiting: number;
  isDone: boolean;
}

/** An action in addition to the waiting calls. */
export type Action = () => unknown;

const start = Date.UTC(2026, 10, 18, 12);
/** Turns of the event loop within which whatever runs comes to its next call. */
const maxTurns = 80;
const maxSteps = 4_000;

/**
 * Several processes in one. Each call to a shared resource waits until a seeded choice releases it, one at a time. Time
 * advances only between calls. The same seed repeats the same course.
 */
export class World implements AsyncDisposable {
  readonly time: VirtualTime = virtualTime(start);
  readonly trace: string[] = [];
  /** Counts the running calls that wait for another process, once the others have a response. */
  stalled: () => Promise<number> = async () => 0;
  /** Throws `BrokenInvariant`. */
  check: () => unknown = () => undefined;
  /** One in this number of calls is lost. */
  lossOf = 0;

  readonly #random: () => number;
  readonly #replicas: Replica[] = [];
  readonly #fibers = new Set<Fiber>();
  readonly #current = new AsyncLocalStorage<Fiber>();
  #waiting: Step[] = [];
  #flights: Flight[] = [];
  #failure: unknown;

  constructor(seed: number) {
    this.#random = randomOf(seed * 7_919 + 1);
  }

  /** From 0 to below the number given. */
  below(end: number): number {
    return Math.floor(this.#random() * end);
  }

  chance(share: number): boolean {
    return this.#random() < share;
  }

  pick<T>(values: readonly T[]): T {
    const value = values[this.below(values.length)];
    if (value === undefined) throw new RangeError("Nothing to pick from");
    return value;
  }

  random = (): number => this.#random();

  replica(skew = 0): Replica {
    const made: Replica = { name: `r${this.#replicas.length}`, isAlive: true, skew, atEnd: [] };
    this.#replicas.push(made);
    return made;
  }

  clockOf(replica: Replica): () => Date {
    return () => new Date(this.time.now() + replica.skew);
  }

  /** Does work of a process; what it throws ends the simulation. */
  spawn(replica: Replica, work: () => Promise<unknown>): void {
    const fiber: Fiber = { replica, waiting: 0, isDone: false };
    this.#fibers.add(fiber);
    const end = (error?: unknown) => {
      fiber.isDone = true;
      this.#fibers.delete(fiber);
      this.#failure ??= error;
    };
    this.#current.run(fiber, () => void work().then(() => end(), end));
  }

  /** A call to what is outside, which waits for its turn; the process may be killed before, or the call be lost. */
  step<T>(replica: Replica, what: string, call: Call<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (!replica.isAlive) return;
      const fiber = this.#current.getStore();
      if (fiber) fiber.waiting += 1;
      const settle = (outcome: PromiseSettledResult<unknown>) => {
        if (fiber) fiber.waiting -= 1;
        if (!replica.isAlive) return;
        if (outcome.status === "fulfilled") resolve(outcome.value as T);
        else reject(outcome.reason);
      };
      this.#waiting.push({ replica, what, call, settle, isParked: false });
    });
  }

  /** The process ends. Its planned calls never run, and no process receives their responses. */
  async kill(replica: Replica): Promise<void> {
    this.note(`kill ${replica.name}`);
    replica.isAlive = false;
    this.#waiting = this.#waiting.filter((step) => step.replica !== replica);
    for (const end of replica.atEnd) await end();
    for (const fiber of this.#fibers) if (fiber.replica === replica) this.#fibers.delete(fiber);
    for (const step of this.#waiting) step.isParked = false;
    await this.#responses();
  }

  note(what: string): void {
    this.trace.push(what);
  }

  /** Runs `count` actions, and waiting calls, in the order of the seed. */
  async explore(actions: readonly Action[], count: number): Promise<void> {
    await this.#settle();
    for (let left = count; left > 0; ) {
      if (this.#eligible().length > 0 && this.chance(0.9)) await this.#next();
      else {
        left -= 1;
        await this.pick(actions)();
      }
      await this.#settle();
    }
  }

  /** No call is lost any more, and time advances until all work is done. */
  async finish(): Promise<void> {
    this.lossOf = 0;
    await this.#settle();
    for (let steps = 0; this.#fibers.size > 0 || this.#waiting.length > 0; steps += 1) {
      check("work ends", steps <= maxSteps, () => `${steps} steps`);
      const isIdle = this.#eligible().length === 0;
      check("processes do not wait for each other", !isIdle || this.#flights.length === 0, () => "all wait");
      if (isIdle) check("work waits only for timers", this.time.advanceToTimer(), () => "work waits for nothing");
      else await this.#next();
      await this.#settle();
    }
  }

  /** Until whatever waits now was done. */
  async calm(): Promise<void> {
    await this.#settle();
    while (this.#eligible().length > 0) {
      await this.#next();
      await this.#settle();
    }
  }

  /** Nothing of it is left under way. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const replica of this.#replicas) if (replica.isAlive) await this.kill(replica);
    this.time[Symbol.dispose]();
  }

  #eligible(): readonly Step[] {
    return this.#waiting.filter(({ isParked }) => !isParked);
  }

  async #next(): Promise<void> {
    const step = this.pick(this.#eligible());
    this.#waiting.splice(this.#waiting.indexOf(step), 1);
    const { replica, what, call } = step;
    const loss = this.lossOf > 0 && this.below(this.lossOf) === 0 ? this.pick(["call", "answer"] as const) : undefined;
    this.note(`${replica.name} ${what}${loss ? `, ${loss} lost` : ""}`);
    this.time.skew(replica.skew);
    const mayBeUndone = this.#flights.length > 0;
    const flight: Flight = { step };
    this.#flights.push(flight);
    const settled = Promise.allSettled([call.run({ loss, mayBeUndone })]).then(([outcome]) => {
      flight.outcome = outcome;
    });
    await Promise.race([settled, soon()]);
    await this.#responses();
    if (flight.outcome || !mayBeUndone) return;
    // Of two that wait for one lock the database would choose the next.
    await call.undo?.();
    this.#flights = this.#flights.filter((each) => each !== flight);
    this.#waiting.push({ ...step, isParked: true });
  }

  /**
   * Waits until every running call has a response or waits for another process, then returns the responses in the order
   * of the calls.
   */
  async #responses(): Promise<void> {
    const open = () => this.#flights.filter(({ outcome }) => !outcome).length;
    // One that ends while the others are counted may have been what they waited for.
    for (let before = open(); before > 0; before = open()) {
      if ((await this.stalled()) === before && open() === before) break;
      await nextTurn();
    }
    const responded = this.#flights.filter(({ outcome }) => outcome);
    this.#flights = this.#flights.filter(({ outcome }) => !outcome);
    for (const { step, outcome } of responded) if (outcome) step.settle(outcome);
    if (responded.length > 0) for (const step of this.#waiting) step.isParked = false;
  }

  async #settle(): Promise<void> {
    for (let turn = 0; turn < maxTurns; turn += 1) {
      await nextTurn();
      const isParked = [...this.#fibers].every(({ waiting, isDone }) => isDone || waiting > 0);
      if (turn >= 6 && isParked) break;
    }
    if (this.#failure !== undefined) throw this.#failure;
    await this.check();
  }
}

const realTimeout = setTimeout;

/** Most calls have a response by then, so the server is rarely queried for locks. */
function soon(): Promise<void> {
  return new Promise((resolve) => realTimeout(resolve, 3));
}
