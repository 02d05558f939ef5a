/** Writes buffered data periodically, one write at a time. */
export interface PeriodicFlush {
  readonly flush: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export const flushEveryMs = 5_000;

/** `write` must not reject: it keeps or drops data that it cannot write. */
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
