/** Resolves like the promise, or rejects after the timeout. */
export async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const fail = () => reject(new Error(`No response within ${milliseconds} ms`));
    // After a busy phase, timers run before results that have already arrived. `setImmediate` lets those results win.
    timer = setTimeout(() => setImmediate(fail), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Calls a service that may be unreachable. */
export type Breaker = <T>(timeoutMs: number, call: () => Promise<T>) => Promise<T>;

/**
 * After a failure, calls are rejected for this time. Then a single trial call is allowed, while others are still
 * rejected.
 */
const pauseMs = 1_000;

/** Only failures that took at least `lateMs` open the breaker. */
export function createBreaker(lateMs: number, clock = () => performance.now()): Breaker {
  let cause: unknown;
  let isAway = false;
  let pausedUntil = 0;
  let isTrying = false;
  return async (timeoutMs, call) => {
    if (isAway && (isTrying || clock() < pausedUntil)) throw new Error("The last call failed", { cause });
    const isTrial = isAway;
    isTrying ||= isTrial;
    const startedAt = clock();
    try {
      const response = await within(timeoutMs, call());
      isAway = false;
      return response;
    } catch (error) {
      const failedAt = clock();
      cause = error;
      isAway = failedAt - startedAt >= lateMs;
      pausedUntil = failedAt + pauseMs;
      throw error;
    } finally {
      if (isTrial) isTrying = false;
    }
  };
}
