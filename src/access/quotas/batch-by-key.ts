/** Something that is asked for of one key. */
export interface Keyed {
  readonly key: string;
}

interface Requested<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result | undefined) => void;
  readonly reject: (cause: unknown) => void;
}

/** One that hangs does not hold up the others. */
const maxUnderWay = 2;
/** Bounds a statement: what comes with thousands of addresses a second goes in several. */
const maxTogether = 500;

/**
 * Asks for many keys in one go: what is asked for while others are under way goes together when one of these is back. No two of a go
 * are of the same key. `ask` answers by key; what it has no answer for is undefined.
 */
export function batchByKey<Item extends Keyed, Result>(
  sendRequest: (items: readonly Item[]) => Promise<ReadonlyMap<string, Result>>,
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
      const results = await sendRequest(together.map(({ item }) => item));
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
    // Those of the same moment go along.
    queueMicrotask(() => void go());
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      schedule();
    });
}
