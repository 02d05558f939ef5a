/**
 * Limits how many callers continue per tick of the event loop, in order. Hundreds that waited for the same event would
 * otherwise be one long tick.
 */
export function limitPerTick(max: number): () => Promise<void> {
  let waiting: (() => void)[] = [];
  const letOn = () => {
    const next = waiting.slice(0, max);
    waiting = waiting.slice(max);
    if (waiting.length > 0) setImmediate(letOn);
    for (const goOn of next) goOn();
  };
  return () =>
    new Promise((goOn) => {
      waiting.push(goOn);
      if (waiting.length === 1) setImmediate(letOn);
    });
}
