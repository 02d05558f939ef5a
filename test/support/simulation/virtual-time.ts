import { vi } from "vitest";

/** The time of a simulation. It advances only on demand, and each process may have a wrong clock. */
export interface VirtualTime extends Disposable {
  readonly now: () => number;
  /** Timers that come due are called. */
  readonly advance: (milliseconds: number) => void;
  /** As far as the next timer; false: there is none. */
  readonly advanceToTimer: () => boolean;
  /** From now on the clock of the process is so far off. */
  readonly skew: (milliseconds: number) => void;
}

export function virtualTime(start: number): VirtualTime {
  vi.useFakeTimers({
    now: start,
    toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance", "Date"],
  });
  const begun = performance.now();
  const now = () => start + performance.now() - begun;
  return {
    now,
    advance(milliseconds) {
      vi.setSystemTime(now());
      vi.advanceTimersByTime(milliseconds);
    },
    advanceToTimer() {
      if (vi.getTimerCount() === 0) return false;
      vi.setSystemTime(now());
      vi.advanceTimersToNextTimer();
      return true;
    },
    skew: (milliseconds) => void vi.setSystemTime(now() + milliseconds),
    [Symbol.dispose]() {
      vi.useRealTimers();
    },
  };
}
