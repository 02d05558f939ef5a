import { Unavailable } from "../errors.ts";

/** Returns a function that loads data at its first call. If loading fails, the next call tries again. */
export function loadedOnce<T>(load: () => Promise<T>, failure: string): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= load().catch((cause: unknown) => {
      loading = undefined;
      throw new Unavailable(failure, { cause, retryAfterSeconds: 5 });
    });
    return loading;
  };
}
