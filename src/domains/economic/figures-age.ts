/** When an answer's figures were read, and whether that is too long ago. */
export interface FiguresAge {
  /** ISO 8601 in UTC. */
  readonly cachedAt?: string;
  readonly stale: boolean;
}

/** The age of figures by when each part of them was read, Unix epoch milliseconds: of the oldest, none while a part is missing. */
export function ageOf(readAt: readonly (bigint | undefined)[], freshForMinutes: number, now: Date): FiguresAge {
  const known = readAt.filter((at) => at !== undefined).map(Number);
  if (known.length === 0 || known.length < readAt.length) return { stale: true };
  const oldest = Math.min(...known);
  return { cachedAt: new Date(oldest).toISOString(), stale: now.getTime() - oldest > freshForMinutes * 60_000 };
}
