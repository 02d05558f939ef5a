import type { Task } from "./task.ts";

export interface QueuedTask {
  readonly task: Task;
  readonly start: () => void;
  readonly reject: (error: Error) => void;
  /** Milliseconds of the monotonic clock. */
  readonly queuedAt: number;
}

/** Time for which tasks must have waited before an estimate counts, in milliseconds. A short stall says nothing. */
const measureMs = 1_000;

/** Measures how often tasks start while some wait. */
class Pace {
  #starts = 0;
  #since = 0;

  /** To be called when the first task begins to wait. */
  begin(now: number): void {
    this.#starts = 0;
    this.#since = now;
  }

  noteStart(): void {
    this.#starts += 1;
  }

  /** Average time from one start to the next, in milliseconds; 0 if it is unknown. */
  intervalMs(now: number): number {
    const elapsed = now - this.#since;
    if (elapsed < measureMs) return 0;
    const interval = elapsed / Math.max(this.#starts, 1);
    // Older starts count less.
    if (elapsed > 4 * measureMs) {
      this.#since = now - elapsed / 2;
      this.#starts /= 2;
    }
    return interval;
  }
}

/** The tasks of one caller. */
export class Caller {
  readonly key: string;
  readonly pace = new Pace();
  queue: QueuedTask[] = [];
  running = 0;
  /** Milliseconds of service. A caller that was idle starts with the value of the task that started last. */
  virtualTime = 0;

  constructor(key: string) {
    this.key = key;
  }
}

/** The callers of one lane. */
export class LaneQueue {
  readonly callers = new Map<string, Caller>();
  readonly pace = new Pace();
  running = 0;
  keylessRunning = 0;
  queued = 0;
  /** Milliseconds of service, divided by the share of the lane. */
  virtualTime = 0;
  /** Virtual time of the caller whose task started last. */
  currentTime = 0;

  push(caller: Caller, queued: QueuedTask): void {
    if (this.queued === 0) this.pace.begin(queued.queuedAt);
    if (caller.queue.length === 0) caller.pace.begin(queued.queuedAt);
    this.callers.set(caller.key, caller);
    caller.queue.push(queued);
  }

  /** Removes and returns the first task of the caller that may start. */
  take(caller: Caller, mayStart: (task: Task) => boolean): QueuedTask | undefined {
    this.pace.noteStart();
    caller.pace.noteStart();
    return caller.queue.splice(
      caller.queue.findIndex(({ task }) => mayStart(task)),
      1,
    )[0];
  }

  /** Returns the expected time in the queue of one more task of the caller, in milliseconds; 0 if it is unknown. */
  expectedMs({ queue, pace }: Caller, now: number): number {
    const earlier = Math.min(this.queued, (queue.length + 1) * this.callers.size);
    return Math.max(queue.length * pace.intervalMs(now), earlier * this.pace.intervalMs(now));
  }

  /** Returns the caller with the most queued tasks, if it has at least two more than another caller. */
  longerThan(queue: readonly QueuedTask[]): Caller | undefined {
    let longest: Caller | undefined;
    for (const caller of this.callers.values())
      if (caller.queue.length > (longest?.queue.length ?? queue.length + 1)) longest = caller;
    return longest;
  }
}
