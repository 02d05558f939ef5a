/** The last name of an economy, and the time of the last read of any of its rows. */
export interface Freshness {
  readonly name: string;
  readonly fetchedAt: Date;
}

/** The rows are sorted by year, ascending. */
export function freshness(rows: readonly { readonly name: string; readonly fetched_at: Date }[]): Freshness {
  const fetchedAt = new Date(Math.max(...rows.map(({ fetched_at }) => fetched_at.getTime())));
  return { name: rows.at(-1)?.name ?? "", fetchedAt };
}
