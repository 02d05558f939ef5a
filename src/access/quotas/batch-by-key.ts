/** An item with the key under which its result is returned. */
export interface Keyed {
  readonly key: string;
}

interface Requested<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result | undefined) => void;
  readonly reject: (cause: unknown) => void;
}

/** A second batch may run while the first one hangs. */
const maxUnderWay = 2;
/** Maximum items per statement, because thousands of addresses may appear per second. */
const maxTogether = 500;

/**
 * Batches requests by key. Items that arrive while batches are running form the next one. A batch contains each key
 * once. `runBatch` returns results by key; an item without one resolves to undefined.
 */
export function batchByKey<Item extends Keyed, Result>(
  runBatch: (items: readonly Item[]) => Promise<ReadonlyMap<string, Result>>,
): (item: Item) => Promise<Result | undefined> {
  let waiting: Requested<Item, Result>[] = [];
  let underWay = 0;
  let isScheduled = false;

  const takeTogether = () => {
    const together = new Map<string, Requested<Item, Result>>();
    waiting = waiting.filter((requested) => {
      if (together.size >= maxTogether || together.has(requested.item.key)) return true;
      together.set(requested.item.key, requested);
      return false;
    });
    return [...together.values()];
  };

  const go = async () => {
    isScheduled = false;
    const together = takeTogether();
    underWay += 1;
    try {
      const results = await runBatch(together.map(({ item }) => item));
      for (const { item, resolve } of together) resolve(results.get(item.key));
    } catch (cause) {
      for (const { reject } of together) reject(cause);
    } finally {
      underWay -= 1;
      schedule();
    }
  };

  const schedule = () => {
    if (isScheduled || waiting.length === 0 || underWay >= maxUnderWay) return;
    isScheduled = true;
    // Further items of this microtask join the batch.
    queueMicrotask(() => void go());
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      schedule();
    });
}
