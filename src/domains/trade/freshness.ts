/** How an economy was called last, and when any of its rows was read last. */
export interface Freshness {
  readonly name: string;
  readonly fetchedAt: Date;
}

/** Of rows by year, ascending. */
export function freshness(rows: readonly { readonly name: string; readonly fetched_at: Date }[]): Freshness {
  const fetchedAt = new Date(Math.max(...rows.map(({ fetched_at }) => fetched_at.getTime())));
  return { name: rows.at(-1)?.name ?? "", fetchedAt };
}
