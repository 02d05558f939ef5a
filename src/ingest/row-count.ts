/** Rows of one source and country. */
export interface RowCount {
  /** Null where a row does not say whose it is. */
  readonly source: string | null;
  /** ISO 3166-1 alpha-2; empty where a row is about no country. */
  readonly country: string;
  readonly rows: number;
  /** Of the earliest and the latest of them, Unix epoch milliseconds; null where rows have no time. */
  readonly first: number | null;
  readonly last: number | null;
}
