import type { Task } from "./task.ts";

export interface QueuedTask {
  readonly task: Task;
  readonly start: () => void;
  readonly reject: (error: Error) => void;
  /** Time of queueing, in milliseconds of the monotonic clock. */
  readonly queuedAt: number;
}

/** Time of measuring before the rate of starting tasks is known, because a short stall does not show the rate. */
const measureMs = 1_000;

/** Measures how often tasks start while the queue is not empty. */
class Pace {
  #starts = 0;
  #since = 0;

  /** Restarts the measurement. The queue calls this when a task starts to wait while no other task waits. */
  begin(now: number): void {
    this.#starts = 0;
    this.#since = now;
  }

  noteStart(): void {
    this.#starts += 1;
  }

  /** Returns the average time between two starts in milliseconds; 0 if it is unknown. */
  intervalMs(now: number): number {
    const elapsed = now - this.#since;
    if (elapsed < measureMs) return 0;
    const interval = elapsed / Math.max(this.#starts, 1);
    // Halving the counts gives older starts less weight.
    if (elapsed > 4 * measureMs) {
      this.#since = now - elapsed / 2;
      this.#starts /= 2;
    }
    return interval;
  }
}

/** The queued and running tasks of one caller. */
export class Caller {
  readonly key: string;
  readonly pace = new Pace();
  queue: QueuedTask[] = [];
  running = 0;
  /**
   * Time that the caller's tasks took, in milliseconds. For a new caller, it starts at the lane's current time, because
   * the caller would otherwise precede all others for long.
   */
  virtualTime = 0;

  constructor(key: string) {
    this.key = key;
  }
}

/** The callers of one lane and their tasks. */
export class LaneQueue {
  readonly callers = new Map<string, Caller>();
  readonly pace = new Pace();
  running = 0;
  keylessRunning = 0;
  queued = 0;
  /** Milliseconds that tasks of the lane took, divided by its share. */
  virtualTime = 0;
  /** Value of `virtualTime` of the caller whose task started most recently. */
  currentTime = 0;

  push(caller: Caller, queued: QueuedTask): void {
    if (this.queued === 0) this.pace.begin(queued.queuedAt);
    if (caller.queue.length === 0) caller.pace.begin(queued.queuedAt);
    this.callers.set(caller.key, caller);
    caller.queue.push(queued);
  }

  /** Removes and returns the caller's first task that may start. */
  take(caller: Caller, mayStart: (task: Task) => boolean): QueuedTask | undefined {
    this.pace.noteStart();
    caller.pace.noteStart();
    return caller.queue.splice(
      caller.queue.findIndex(({ task }) => mayStart(task)),
      1,
    )[0];
  }

  /** Returns the expected queue time of a further task of the caller in milliseconds; 0 if it is unknown. */
  expectedMs({ queue, pace }: Caller, now: number): number {
    const earlier = Math.min(this.queued, (queue.length + 1) * this.callers.size);
    return Math.max(queue.length * pace.intervalMs(now), earlier * this.pace.intervalMs(now));
  }

  /** Returns the caller with the most queued tasks, if it has at least two more than the given queue. */
  longerThan(queue: readonly QueuedTask[]): Caller | undefined {
    let longest: Caller | undefined;
    for (const caller of this.callers.values())
      if (caller.queue.length > (longest?.queue.length ?? queue.length + 1)) longest = caller;
    return longest;
  }
}
