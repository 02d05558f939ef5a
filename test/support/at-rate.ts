const tickMs = 4;

/** Work that is begun at a rate, until it is ended. */
export interface Paced {
  /** Begins no more, and waits for all that was begun. Returns how many there were, and how many a second. */
  readonly end: () => Promise<{ readonly begun: number; readonly perSecond: number }>;
}

/** Begins `perSecond` calls a second, whether or not the previous ones have ended. Delayed calls catch up at once. */
export function atRate(perSecond: number, begin: (index: number) => Promise<unknown>): Paced {
  const from = performance.now();
  const all: Promise<unknown>[] = [];
  const catchUp = () => {
    const due = ((performance.now() - from) / 1_000) * perSecond;
    while (all.length < due) all.push(begin(all.length));
  };
  const timer = setInterval(catchUp, tickMs);
  return {
    async end() {
      clearInterval(timer);
      const seconds = (performance.now() - from) / 1_000;
      await Promise.all(all);
      return { begun: all.length, perSecond: all.length / seconds };
    },
  };
}
