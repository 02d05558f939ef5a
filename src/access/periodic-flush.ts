/** Writes what was gathered in memory every so often, one write at a time. */
export interface PeriodicFlush {
  readonly flush: () => Promise<void>;
  /** Ends with a last write. */
  readonly close: () => Promise<void>;
}

export const flushEveryMs = 5_000;

/** `write` never rejects: it keeps or drops what it cannot write. */
export function flushPeriodically(write: () => Promise<void>): PeriodicFlush {
  let running = Promise.resolve();
  const flush = () => {
    running = running.then(write);
    return running;
  };
  const timer = setInterval(() => void flush(), flushEveryMs);
  timer.unref();
  return {
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
