/** Turns of the event loop, as far as work is begun in them. */
export interface Turns {
  /** Whether this turn may be held a little longer, before what was asked meanwhile is looked for. */
  readonly hasTime: () => boolean;
  /** A number that is another in every turn. */
  readonly current: () => number;
}

export function turnsOf(sliceMs: number): Turns {
  let number = 0;
  let began = Number.NaN;
  const beganAt = (now: number) => {
    if (Number.isNaN(began)) {
      began = now;
      // A turn ends here.
      setImmediate(() => {
        number += 1;
        began = Number.NaN;
      });
    }
    return began;
  };
  return {
    hasTime() {
      const now = performance.now();
      return now - beganAt(now) < sliceMs;
    },
    current() {
      beganAt(performance.now());
      return number;
    },
  };
}
