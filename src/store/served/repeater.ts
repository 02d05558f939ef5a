/** A task that is run on request. */
export interface Repeater {
  /** Runs the task; a request during a run makes one more run follow it. */
  readonly request: () => void;
  /** Resolves when everything requested so far was tried, with success or not. */
  readonly settled: () => Promise<void>;
  /** Lets a run in progress end and runs no more. */
  readonly close: () => Promise<void>;
}

/** How failures of the task are met. */
export interface RepeaterOptions {
  /** What a failure means; begins the log line. */
  readonly what: string;
  /** Pauses after the first and each further failure in a row; the last one stays. */
  readonly retryAfterMs?: readonly number[];
  readonly log: (message: string) => void;
}

/** Makes a task that never runs twice at a time and, when it fails, is tried again. */
export function repeater(task: () => Promise<void>, options: RepeaterOptions): Repeater {
  const { what, retryAfterMs = [1000, 2000, 5000, 10_000, 30_000], log } = options;
  let requested = 0;
  let tried = 0;
  let failures = 0;
  let closed = false;
  let running: Promise<void> | undefined;
  let retry: NodeJS.Timeout | undefined;
  let waiters: { readonly upTo: number; readonly resolve: () => void }[] = [];
  return { request, settled, close };

  function request(): void {
    requested++;
    start();
  }

  function settled(): Promise<void> {
    if (closed || tried === requested) return Promise.resolve();
    return new Promise((resolve) => waiters.push({ upTo: requested, resolve }));
  }

  async function close(): Promise<void> {
    closed = true;
    clearTimeout(retry);
    await running;
    for (const { resolve } of waiters) resolve();
  }

  function start(): void {
    if (closed || running !== undefined) return;
    clearTimeout(retry);
    const upTo = requested;
    running = run().then((pause) => {
      running = undefined;
      tried = upTo;
      for (const { resolve } of waiters.filter((waiter) => waiter.upTo <= tried)) resolve();
      waiters = waiters.filter((waiter) => waiter.upTo > tried);
      if (closed) return;
      if (tried < requested) start();
      else if (pause !== undefined) retry = setTimeout(start, pause);
    });
  }

  /** Returns the pause before the next try, if one is needed. */
  async function run(): Promise<number | undefined> {
    try {
      await task();
    } catch (error) {
      if (failures === 0) log(`${what}: ${error}`);
      return retryAfterMs[Math.min(failures++, retryAfterMs.length - 1)];
    }
    if (failures > 0) log(`${what}: no longer, after ${failures} failures`);
    failures = 0;
    return undefined;
  }
}
