import { within } from "./deadline.ts";

/** Asks something that may be away. */
export type Breaker = <T>(timeoutMs: number, sendRequest: () => Promise<T>) => Promise<T>;

/** After a failure nobody asks for so long, and then one alone until it is answered: the others do not wait for what does not come. */
const pauseMs = 1_000;

/** Of failures only those that took so long, in milliseconds, keep others from asking. */
export function createBreaker(lateMs: number, clock = () => performance.now()): Breaker {
  let cause: unknown;
  let isAway = false;
  let pausedUntil = 0;
  let isTrying = false;
  return async (timeoutMs, sendRequest) => {
    if (isAway && (isTrying || clock() < pausedUntil)) throw new Error("No answer a moment ago", { cause });
    const isTrial = isAway;
    isTrying ||= isTrial;
    const requested = clock();
    try {
      const response = await within(timeoutMs, sendRequest());
      isAway = false;
      return response;
    } catch (error) {
      const failed = clock();
      cause = error;
      isAway = failed - requested >= lateMs;
      pausedUntil = failed + pauseMs;
      throw error;
    } finally {
      if (isTrial) isTrying = false;
    }
  };
}
