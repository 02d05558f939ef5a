import type { ColumnType } from "kysely";
import type { Exposure } from "./imports/exposure.ts";

export type SupplyTables = {
  imported_product: ImportedProductTable;
  chokepoint_exposure: ChokepointExposureTable;
  chokepoint_status: ChokepointStatusTable;
};

interface ImportedProductTable {
  iso2: string;
  hs4: string;
  year: number;
  total_value: number;
  top_exporters: readonly StoredExporter[];
  fetched_at: Date;
}

interface StoredExporter {
  readonly partnerCode: number;
  readonly partnerIso2: string;
  readonly value: number;
  readonly share: number;
}

interface ChokepointExposureTable {
  iso2: string;
  hs2: string;
  coverage: Exposure["coverage"];
  scores: Readonly<Record<string, number>>;
  primary_chokepoint_id: string;
  vulnerability_index: number;
  /** The time when the value of the row last changed. */
  computed_at: Date;
}

interface ChokepointStatusTable {
  chokepoint_id: string;
  score: number;
  status: "green" | "yellow" | "red";
  threat: string;
  warnings: number;
  anomaly: boolean;
  flow_ratio: number | null;
  disrupted: boolean | null;
  upstream_unavailable: boolean;
  /** The last day with counted ships, YYYY-MM-DD. */
  observed_to: ColumnType<unknown, string | null, string | null>;
  ships_per_day: number | null;
  days: readonly { readonly day: string; readonly ships: number }[];
  version: ColumnType<string, never, never>;
  updated_at: Date;
}
