/** Writes buffered data periodically, one write at a time. */
export interface PeriodicFlush {
  readonly flush: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export const flushEveryMs = 5_000;

/** `write` must not reject: if it cannot write data, it retains or drops the data itself. */
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
