/** When what an answer tells was read, and whether that is too long ago. */
export interface ReadAge {
  /** ISO 8601 in UTC, of the oldest part; absent while a part is missing. */
  readonly cachedAt?: string;
  readonly stale: boolean;
}

/** One part of an answer. */
interface ReadPart {
  /** Unix epoch milliseconds; undefined where it was never read. */
  readonly readAt: number | undefined;
  readonly freshForMinutes: number;
}

/** The age of an answer by those of its parts: stale with any of them, or without. */
export function readAge(parts: readonly ReadPart[], now: Date): ReadAge {
  const known = parts.flatMap(({ readAt }) => readAt ?? []);
  if (known.length === 0 || known.length < parts.length) return { stale: true };
  const stale = parts.some(({ readAt = 0, freshForMinutes }) => now.getTime() - readAt > freshForMinutes * 60_000);
  return { cachedAt: new Date(Math.min(...known)).toISOString(), stale };
}
