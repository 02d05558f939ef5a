/** Age and completeness of the data behind a response. Handlers record it, and every protocol reports it. */
export interface DataStatus {
  /** Age of the oldest stale data in milliseconds; 0 if no data is stale. */
  readonly staleForMs: number;
  /** Milliseconds until data becomes stale, and until data is too old to serve. */
  readonly freshForMs: number;
  readonly servableForMs: number;
  /** Time of the last successful read of the source; if data comes from several reads, the oldest of these times. */
  readonly readAt?: Date;
  readonly missing: readonly string[];
  /** Why the data may not be returned without a flag; undefined if it may. */
  readonly rejection?: string;
}

export function worseOf(a: DataStatus, b: DataStatus): DataStatus {
  const rejection = a.rejection ?? b.rejection;
  const [readAt] = [a.readAt, b.readAt].filter((at) => at !== undefined).sort((x, y) => x.getTime() - y.getTime());
  return {
    staleForMs: Math.max(a.staleForMs, b.staleForMs),
    freshForMs: Math.min(a.freshForMs, b.freshForMs),
    servableForMs: Math.min(a.servableForMs, b.servableForMs),
    ...(readAt && { readAt }),
    missing: [...new Set([...a.missing, ...b.missing])],
    ...(rejection === undefined ? {} : { rejection }),
  };
}

export function dataStatusHeaders({ staleForMs, missing }: DataStatus): readonly (readonly [string, string])[] {
  return [
    ...(staleForMs > 0
      ? ([
          ["X-Data-Age", String(Math.floor(staleForMs / 1000))],
          ["X-Data-Stale", "true"],
        ] as const)
      : []),
    ...(missing.length > 0 ? [["X-Data-Missing", missing.join(", ")] as const] : []),
  ];
}
