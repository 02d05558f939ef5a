export interface ReadAge {
  /** Time of the oldest part, ISO 8601 in UTC. Absent while a part is missing. */
  readonly cachedAt?: string;
  readonly stale: boolean;
}

interface ReadPart {
  /** Unix epoch milliseconds. Undefined if the part was never read. */
  readonly readAt: number | undefined;
  readonly freshForMinutes: number;
}

/** Returns the age of a response. It is stale if any of its parts is stale or missing. */
export function readAge(parts: readonly ReadPart[], now: Date): ReadAge {
  const known = parts.flatMap(({ readAt }) => readAt ?? []);
  if (known.length === 0 || known.length < parts.length) return { stale: true };
  const stale = parts.some(({ readAt = 0, freshForMinutes }) => now.getTime() - readAt > freshForMinutes * 60_000);
  return { cachedAt: new Date(Math.min(...known)).toISOString(), stale };
}
