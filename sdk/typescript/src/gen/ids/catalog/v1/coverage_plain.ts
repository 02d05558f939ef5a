// Written by `make generate`.
/** Rows of a dataset by country and by source. */
export interface DatasetCoverage {
  /** Sorted by country. Each country has at least one row. Empty if no row names a country. */
  countries: CountryRows[];
  /** Rows that name no country. */
  rowsWithoutCountry: number;
  /** Sorted by source. If rows do not name their source and the dataset has several, the rows that the last good read of each source brought, from which those of the dataset are made. Empty if the dataset is made from other datasets. */
  sources: SourceRows[];
}

/** Rows of one country. */
export interface CountryRows {
  /** ISO 3166-1 alpha-2 country code. */
  country: string;
  /** Number of rows, at least 1. */
  rows: number;
  /** Time of the earliest row, Unix epoch milliseconds. For a day or a year, its start. Absent if rows have no time. */
  firstAt?: number;
  /** Time of the latest row, Unix epoch milliseconds. For a day or a year, its start. Absent if rows have no time. */
  lastAt?: number;
}

/** Rows of one source. */
export interface SourceRows {
  /** Name of the source. */
  source: string;
  /** Number of rows, at least 1. */
  rows: number;
  /** Time of the earliest row, Unix epoch milliseconds. For a day or a year, its start. Absent if rows have no time. */
  firstAt?: number;
  /** Time of the latest row, Unix epoch milliseconds. For a day or a year, its start. Absent if rows have no time. */
  lastAt?: number;
}

