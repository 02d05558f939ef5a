export interface Repeater {
  /** Requests a run of the task. All requests during a run cause one further run. */
  readonly request: () => void;
  /** Resolves when each requested run has ended, successfully or not. */
  readonly settled: () => Promise<void>;
  /** Waits for a running task and prevents further runs. */
  readonly close: () => Promise<void>;
}

export interface RepeaterOptions {
  /** The effect of a failure, which is the start of the log line. */
  readonly what: string;
  /** Delays of retries after consecutive failures. The last delay applies to all further failures. */
  readonly retryAfterMs?: readonly number[];
  readonly log: (message: string) => void;
}

/** Creates a task without overlapping runs, with retries after failures. */
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

  /** Returns the delay before a retry, if one is needed. */
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
