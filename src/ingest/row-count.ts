export interface RowCount {
  /** Null if a row does not name its source. */
  readonly source: string | null;
  /** ISO 3166-1 alpha-2. Empty if a row is not about a country. */
  readonly country: string;
  readonly rows: number;
  /** The earliest and latest time in the rows, Unix epoch milliseconds. Null if rows have no time. */
  readonly first: number | null;
  readonly last: number | null;
}
