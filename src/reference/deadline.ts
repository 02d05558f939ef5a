/** Returns the result of the promise, or rejects if it is still pending after this number of milliseconds. */
export async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const fail = () => reject(new Error(`No response within ${milliseconds} ms`));
    // If the thread was busy, a timer fires before results that have arrived. `setImmediate` lets them resolve first.
    timer = setTimeout(() => setImmediate(fail), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Makes a call with a timeout. While the called service is unreachable, it rejects most calls immediately. */
export type Breaker = <T>(timeoutMs: number, call: () => Promise<T>) => Promise<T>;

/**
 * After a slow failure, all calls are rejected for this time. Then one call is tried. Until it succeeds, further calls
 * are still rejected.
 */
const pauseMs = 1_000;

/** Creates a breaker. Only failures after at least `lateMs` count, because fast ones do not delay callers. */
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
