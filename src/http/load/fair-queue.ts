import { AsyncLocalStorage } from "node:async_hooks";
import { Overloaded, RequestAborted } from "../../errors.ts";
import { Caller, LaneQueue, type QueuedTask } from "./lane-queue.ts";
import type { Task } from "./task.ts";

export interface FairQueueLimits {
  /** Maximum number of running tasks that use the store. Two more of the ten connections serve keys and health. */
  readonly concurrency: number;
  /** Maximum number of running tasks of callers without a key. */
  readonly keylessConcurrency: number;
  /** Maximum number of pages that are created at the same time. */
  readonly pages: number;
  /** Maximum number of queued pages of one caller, and of all callers. Creating a page takes about 10 ms. */
  readonly maxQueuedPagesPerCaller: number;
  readonly maxQueuedPages: number;
  /** Maximum number of running tasks of one account, including tasks that wait for other servers. */
  readonly concurrencyPerAccount: number;
  /** Maximum number of running tasks of one address without a key. */
  readonly concurrencyPerAddress: number;
  /** Maximum number of queued tasks of one caller, and of all callers. */
  readonly maxQueuedPerCaller: number;
  readonly maxQueued: number;
  /** Maximum time in the queue, in milliseconds. */
  readonly deadlineMs: number;
}

export const fairQueueLimits: FairQueueLimits = {
  concurrency: 8,
  keylessConcurrency: 4,
  pages: 4,
  maxQueuedPagesPerCaller: 48,
  maxQueuedPages: 100,
  concurrencyPerAccount: 4,
  concurrencyPerAddress: 2,
  maxQueuedPerCaller: 600,
  maxQueued: 4_096,
  deadlineMs: 3_000,
};

export interface QueueCounts {
  readonly running: number;
  readonly waiting: number;
  /** Number of tasks that were rejected because of overload. */
  readonly shed: { readonly keyed: number; readonly keyless: number };
  /** Number of tasks that never started because the client had disconnected. */
  readonly abandoned: number;
}

/** Maximum time in which tasks start per tick of the event loop. Health checks are handled between ticks. */
export const sliceMs = 2;
/** If tasks of both lanes wait, programs get twice the time of pages. */
const shares = { api: 2, page: 1 } as const;
/** Interval of the checks for disconnected clients and expired deadlines, in milliseconds. */
const checkMs = 50;

/**
 * Runs tasks fairly between callers, by start-time fair queueing. The next task is that of the caller that has received
 * the least time, so one expensive task counts like many cheap ones.
 */
export class FairQueue {
  readonly #limits: FairQueueLimits;
  readonly #lanes = { api: new LaneQueue(), page: new LaneQueue() };
  readonly #shed = { keyed: 0, keyless: 0 };
  #abandoned = 0;
  #tickStart: number | undefined;
  #scheduled: NodeJS.Immediate | undefined;
  #checking: NodeJS.Timeout | undefined;

  constructor(limits: Partial<FairQueueLimits> = {}) {
    this.#limits = { ...fairQueueLimits, ...limits };
  }

  /**
   * Runs the job immediately if no task waits and this tick has time for it. Otherwise it is queued. Throws
   * `Overloaded` if it cannot start in time, and `RequestAborted` if the client has disconnected.
   */
  run<T>(task: Task, job: () => T | Promise<T>): T | Promise<T> {
    const lane = this.#lanes[task.lane];
    const known = lane.callers.get(task.caller);
    if (this.isIdle() && this.#mayStart(task, known)) return this.#start(task, known, job);
    const caller = known ?? new Caller(task.caller);
    this.#dropLongest(this.#requireRoom(task, caller));
    return new Promise<T>((resolve, reject) => {
      // Another request may start the task, so `bind` restores the async context of the task's own request.
      const start = AsyncLocalStorage.bind(() =>
        resolve(new Promise<T>((done) => done(this.#start(task, caller, job)))),
      );
      // A lane that had no tasks starts with the time of the busiest lane, so that it gets no extra time for the period
      // before.
      if (lane.queued === 0) lane.virtualTime = Math.max(lane.virtualTime, this.#busiestTime());
      lane.push(caller, { task, start, reject, queuedAt: performance.now() });
      this.#count(lane, 1);
      this.#schedule();
      this.#checking ??= setInterval(() => this.#check(), checkMs).unref();
    });
  }

  /** Returns whether a synchronous task may run now: the queue is empty, and this tick has time left. */
  isIdle(): boolean {
    return this.#queued === 0 && this.#hasTime();
  }

  /** Throws `Overloaded` if another task of the caller would exceed its time in the queue. */
  requireRoom(task: Task): void {
    this.#requireRoom(task, this.#callerOf(task));
  }

  counts(): QueueCounts {
    const running = this.#lanes.api.running + this.#lanes.page.running;
    return { running, waiting: this.#queued, shed: { ...this.#shed }, abandoned: this.#abandoned };
  }

  close(): void {
    clearInterval(this.#checking);
    this.#checking = undefined;
  }

  get #queued(): number {
    return this.#lanes.api.queued + this.#lanes.page.queued;
  }

  #callerOf({ lane, caller }: Task): Caller {
    return this.#lanes[lane].callers.get(caller) ?? new Caller(caller);
  }

  /** If the queue is full, returns the caller that must drop its newest task, or throws `Overloaded` without one. */
  #requireRoom(task: Task, caller: Caller): Caller | undefined {
    const lane = this.#lanes[task.lane];
    if (lane.queued === 0) return undefined;
    const { maxQueued, maxQueuedPages, maxQueuedPerCaller, maxQueuedPagesPerCaller, deadlineMs } = this.#limits;
    const [max, maxOfCaller] =
      task.lane === "page" ? [maxQueuedPages, maxQueuedPagesPerCaller] : [maxQueued, maxQueuedPerCaller];
    const longest = lane.queued < max ? undefined : lane.longerThan(caller.queue);
    const isFull = caller.queue.length >= maxOfCaller || (lane.queued >= max && !longest);
    const expectedMs = lane.expectedMs(caller, performance.now());
    if (isFull || expectedMs > deadlineMs) throw this.#rejection(task, expectedMs);
    return longest;
  }

  #dropLongest(caller: Caller | undefined): void {
    const dropped = caller?.queue.pop();
    if (!caller || !dropped) return;
    const lane = this.#lanes[dropped.task.lane];
    this.#count(lane, -1);
    dropped.reject(this.#rejection(dropped.task, lane.expectedMs(caller, performance.now())));
  }

  #busiestTime(): number {
    return Math.max(...Object.values(this.#lanes).map(({ queued, virtualTime }) => (queued > 0 ? virtualTime : 0)));
  }

  #mayStart({ isKeyed, waitsOutside, client, lane: name }: Task, { running } = { running: 0 }): boolean {
    if (client.isGone()) return true;
    if (client.isBackedUp()) return false;
    const { concurrency, keylessConcurrency, pages, concurrencyPerAccount, concurrencyPerAddress } = this.#limits;
    if (running >= (isKeyed ? concurrencyPerAccount : concurrencyPerAddress)) return false;
    if (waitsOutside) return true;
    const lane = this.#lanes[name];
    if (name === "page") return lane.running < pages;
    return lane.running < concurrency && (isKeyed || lane.keylessRunning < keylessConcurrency);
  }

  #start<T>(task: Task, caller: Caller | undefined, job: () => T | Promise<T>): T | Promise<T> {
    if (task.client.isGone()) {
      this.#abandoned += 1;
      throw new RequestAborted("The client has disconnected");
    }
    const startedAt = performance.now();
    let isAsynchronous = false;
    try {
      const result = job();
      isAsynchronous = result instanceof Promise;
      if (isAsynchronous) this.#holdUntil(Promise.resolve(result), task, caller ?? this.#callerOf(task), startedAt);
      return result;
    } finally {
      if (!isAsynchronous && caller && this.#queued > 0) this.#charge(task, caller, startedAt);
    }
  }

  /** Counts an asynchronous task as running until its promise settles. */
  #holdUntil(result: Promise<unknown>, task: Task, caller: Caller, startedAt: number): void {
    this.#occupy(task, caller, 1);
    const end = () => {
      this.#charge(task, caller, startedAt);
      this.#occupy(task, caller, -1);
      if (this.#queued > 0) this.#schedule();
      else if (caller.running === 0) this.#lanes[task.lane].callers.delete(caller.key);
    };
    result.then(end, end);
    // The code after the promise, such as serialization, also needs this tick. No further task starts in it.
    if (this.#tickStart !== undefined) this.#tickStart = Number.NEGATIVE_INFINITY;
  }

  /** Adds the duration of a task to its caller and its lane. */
  #charge({ lane: name }: Task, caller: Caller, startedAt: number): void {
    const lane = this.#lanes[name];
    const tookMs = performance.now() - startedAt;
    caller.virtualTime = Math.max(caller.virtualTime, lane.currentTime);
    lane.currentTime = Math.max(lane.currentTime, caller.virtualTime);
    caller.virtualTime += tookMs;
    lane.virtualTime += tookMs / shares[name];
  }

  #occupy({ isKeyed, waitsOutside, lane: name }: Task, caller: Caller, by: 1 | -1): void {
    const lane = this.#lanes[name];
    lane.callers.set(caller.key, caller);
    caller.running += by;
    if (waitsOutside) return;
    lane.running += by;
    if (!isKeyed) lane.keylessRunning += by;
  }

  #count(lane: LaneQueue, by: number): void {
    lane.queued += by;
    if (this.#queued > 0) return;
    // An empty queue has no one to treat fairly, so the times of idle callers are deleted.
    this.close();
    for (const { callers } of Object.values(this.#lanes))
      for (const { key, running } of callers.values()) if (running === 0) callers.delete(key);
  }

  #hasTime(): boolean {
    const now = performance.now();
    if (this.#tickStart === undefined) {
      this.#tickStart = now;
      setImmediate(() => {
        this.#tickStart = undefined;
      });
    }
    return now - this.#tickStart < sliceMs;
  }

  /** Starts waiting tasks. If none may start, the end of a running task or the next check calls this again. */
  #schedule(): void {
    this.#scheduled ??= setImmediate(() => {
      this.#scheduled = undefined;
      while (this.#hasTime()) if (!this.#startNext()) return;
      if (this.#queued > 0) this.#schedule();
    });
  }

  #startNext(): boolean {
    const { api, page } = this.#lanes;
    for (const lane of api.virtualTime <= page.virtualTime ? [api, page] : [page, api]) {
      const caller = this.#nextIn(lane);
      const queued = caller && lane.take(caller, (task) => this.#mayStart(task, caller));
      if (!queued) continue;
      this.#count(lane, -1);
      queued.start();
      return true;
    }
    return false;
  }

  /** Returns the caller with the least virtual time among those with a task that may start. */
  #nextIn({ queued, callers, currentTime }: LaneQueue): Caller | undefined {
    if (queued === 0) return undefined;
    let next: Caller | undefined;
    for (const caller of callers.values()) {
      caller.virtualTime = Math.max(caller.virtualTime, currentTime);
      if (next && next.virtualTime <= caller.virtualTime) continue;
      if (caller.queue.some(({ task }) => this.#mayStart(task, caller))) next = caller;
    }
    return next;
  }

  /** Removes queued tasks whose client has disconnected or whose deadline has expired. */
  #check(): void {
    const now = performance.now();
    for (const lane of Object.values(this.#lanes))
      for (const caller of lane.callers.values()) {
        const before = caller.queue.length;
        caller.queue = caller.queue.filter((queued) => this.#isWaiting(queued, lane.expectedMs(caller, now), now));
        this.#count(lane, caller.queue.length - before);
      }
    if (this.#queued > 0) this.#schedule();
  }

  #isWaiting({ task, reject, queuedAt }: QueuedTask, expectedMs: number, now: number): boolean {
    const isGone = task.client.isGone();
    if (!isGone && now - queuedAt < this.#limits.deadlineMs) return true;
    if (isGone) this.#abandoned += 1;
    reject(isGone ? new RequestAborted("The client has disconnected") : this.#rejection(task, expectedMs));
    return false;
  }

  #rejection({ isKeyed }: Task, expectedMs: number): Overloaded {
    this.#shed[isKeyed ? "keyed" : "keyless"] += 1;
    return new Overloaded("Too many requests are waiting: this one cannot be served in time", expectedMs / 1_000);
  }
}
