/** How long work may hold the event loop before it looks for what was asked meanwhile: true while there is time in this turn. */
export function turnSlice(sliceMs: number): () => boolean {
  let began = Number.NaN;
  return () => {
    const now = performance.now();
    if (Number.isNaN(began)) {
      began = now;
      // A slice ends with its turn.
      setImmediate(() => {
        began = Number.NaN;
      });
    }
    return now - began < sliceMs;
  };
}
