/** Lets so many go on in each turn of the event loop, in their order: hundreds who waited for the same would else be one turn. */
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
