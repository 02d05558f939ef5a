/** A dataset as the catalog lists it. */
export interface ListedDataset {
  readonly name: string;
  readonly subject: string;
  readonly state: string;
  readonly reason?: string;
  readonly origin?: string;
  readonly generation?: number;
  readonly rows?: number;
  readonly storedAt?: number;
  readonly readAt?: number;
  readonly ageSeconds?: number;
  readonly freshForSeconds: number;
  readonly servableForSeconds: number;
  readonly series: readonly string[];
  readonly historyFrom?: number;
  readonly missingParts: readonly string[];
  readonly operations: readonly { readonly name: string; readonly path: string }[];
  readonly reads: readonly string[];
  readonly sources: readonly ListedDatasetSource[];
  readonly tables: readonly { readonly name: string; readonly reviewedAt?: string }[];
  readonly failure?: string;
}

interface ListedDatasetSource {
  readonly name: string;
  readonly state: string;
  readonly license: { readonly kind: string; readonly terms: string };
  readonly missingVariables: readonly string[];
  readonly lastRunAt?: number;
  readonly lastGoodAt?: number;
  readonly lastGoodAgeSeconds?: number;
  readonly runs: number;
  readonly failures: number;
  readonly rowsIn?: number;
  readonly rowsOut?: number;
  readonly rejected?: number;
  readonly available?: number;
  readonly missingParts: readonly {
    readonly part: string;
    readonly failure: string;
    readonly failureStatus?: number;
    readonly lastGoodAt?: number;
  }[];
  readonly observedFrom?: number;
  readonly observedTo?: number;
  readonly failure?: string;
  readonly failureStatus?: number;
  readonly drifts: number;
  readonly recentDrifts: readonly { readonly at: number; readonly kind: string; readonly field: string }[];
}

/** Rows of a country or a source. */
interface Counted {
  readonly rows: number;
  readonly firstAt?: number;
  readonly lastAt?: number;
}

/** The answer of GetDataset. */
export interface DatasetResponse {
  readonly dataset: ListedDataset;
  readonly coverage?: {
    readonly countries: readonly (Counted & { readonly country: string })[];
    readonly rowsWithoutCountry: number;
    readonly sources: readonly (Counted & { readonly source: string })[];
  };
}

/** A source as the catalog lists it. */
export interface ListedSource {
  readonly name: string;
  readonly state: string;
  readonly configured: boolean;
  readonly datasets: readonly string[];
  readonly operations: readonly string[];
  readonly askedBy: readonly string[];
  readonly license: { readonly kind: string; readonly terms: string };
  readonly access?: Readonly<Record<string, unknown>>;
  readonly variables: readonly { readonly name: string; readonly kind: string }[];
}
