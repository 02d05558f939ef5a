import { type Allowance, QuotaExceeded } from "../errors.ts";

/** Counts one more of a caller and tells what is left. Throws `QuotaExceeded`. */
export type FixedWindow = (caller: string, now: number) => Allowance;

interface Window {
  readonly resetAt: number;
  count: number;
}

const windowSeconds = 60;

/**
 * So many a minute for each caller, in windows that begin with a caller's first. Counted here and at once: a promise a
 * request would cost more than all other steps of the chain together.
 */
export function fixedWindow(points: number): FixedWindow {
  const windows = new Map<string, Window>();
  let sweepAt = 0;
  return (caller, now) => {
    // Callers that are gone are forgotten once a window: the memory is bounded by those of two.
    if (now >= sweepAt) {
      for (const [name, { resetAt }] of windows) if (resetAt <= now) windows.delete(name);
      sweepAt = now + windowSeconds * 1000;
    }
    let window = windows.get(caller);
    if (!window || window.resetAt <= now) {
      window = { resetAt: now + windowSeconds * 1000, count: 0 };
      windows.set(caller, window);
    }
    window.count += 1;
    const allowance = {
      limit: points,
      remaining: Math.max(points - window.count, 0),
      windowSeconds,
      resetAt: window.resetAt,
    };
    if (window.count > points) throw new QuotaExceeded("Too many requests", allowance);
    return allowance;
  };
}
