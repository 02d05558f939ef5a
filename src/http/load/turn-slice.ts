/** Counts the turns of the event loop as far as somebody asks: a number that is another in every turn. */
export function turnCounter(): () => number {
  let number = 0;
  let isCounted = false;
  return () => {
    if (!isCounted) {
      isCounted = true;
      // A turn ends here.
      setImmediate(() => {
        number += 1;
        isCounted = false;
      });
    }
    return number;
  };
}

/** Returns whether the present tick may continue before new requests are handled. */
export function turnSlice(sliceMs: number): () => boolean {
  const current = turnCounter();
  let [turn, began] = [-1, 0];
  return () => {
    const now = performance.now();
    if (current() !== turn) [turn, began] = [current(), now];
    return now - began < sliceMs;
  };
}
