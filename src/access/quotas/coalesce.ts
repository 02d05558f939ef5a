/** What a turn brought, and which of those who shared it one was: 1 for the first. */
interface Turn<Result> {
  readonly result: Result;
  readonly place: number;
  readonly shared: number;
}

interface Waiter<Result> {
  readonly resolve: (turn: Turn<Result>) => void;
  readonly reject: (cause: unknown) => void;
}

/**
 * One call at a time for each key: whoever asks meanwhile waits and shares the next one. However many requests come at
 * once, a counter costs one trip to the store for all of them.
 */
export function coalesce<Context, Result>(
  run: (context: Context, key: string, points: number) => Promise<Result>,
): (context: Context, key: string) => Promise<Turn<Result>> {
  const lines = new Map<string, Waiter<Result>[]>();

  const serve = async (context: Context, key: string, line: Waiter<Result>[]) => {
    while (line.length > 0) {
      const group = line.splice(0);
      try {
        const result = await run(context, key, group.length);
        for (const [index, { resolve }] of group.entries()) resolve({ result, place: index + 1, shared: group.length });
      } catch (cause) {
        for (const { reject } of group) reject(cause);
      }
    }
    lines.delete(key);
  };

  return (context, key) =>
    new Promise((resolve, reject) => {
      const line = lines.get(key);
      if (line) {
        line.push({ resolve, reject });
        return;
      }
      const opened = [{ resolve, reject }];
      lines.set(key, opened);
      void serve(context, key, opened);
    });
}
