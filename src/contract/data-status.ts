/** How the data stand that an answer is made from: noted while it is made, told beside it in every protocol. */
export interface DataStatus {
  /** Milliseconds since the oldest of what is stale was read well; 0 where nothing is. */
  readonly staleForMs: number;
  /** Milliseconds until something of it becomes stale, and until something of it may not be served any more. */
  readonly freshForMs: number;
  readonly servableForMs: number;
  /** When the oldest of it was last read well. */
  readonly readAt?: Date;
  /** Main parts that were never read. */
  readonly missing: readonly string[];
  /** Why the answer has to say that it is no confirmed data; absent when it need not. */
  readonly rejection?: string;
}

const noted = new WeakMap<object, DataStatus>();

/** Notes that an answer is also made from data that stand so; `context` is that of the call. */
export function noteDataStatus(context: object, dataStatus: DataStatus): void {
  const known = noted.get(context);
  noted.set(context, known ? worseOf(known, dataStatus) : dataStatus);
}

/** How everything stands that was read for an answer; undefined where it is made from no data. */
export function dataStatusOf(context: object): DataStatus | undefined {
  return noted.get(context);
}

const generations = new WeakMap<object, Map<string, number>>();

/** Notes of which generation of a dataset an answer is made. */
export function noteGeneration(context: object, dataset: string, generation: number): void {
  const known = generations.get(context) ?? new Map<string, number>();
  known.set(dataset, generation);
  generations.set(context, known);
}

/** The generations of the datasets that an answer was made from. */
export function generationsOf(context: object): ReadonlyMap<string, number> {
  return generations.get(context) ?? new Map<string, number>();
}

/** Of both together. */
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

/** The headers, and in RPC the metadata, of an answer that is made from data which stand so. */
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
