import type { ColumnType, Generated, Selectable } from "kysely";
import type { MonitoredCompanyState } from "../../../gen/es/ids/company_monitoring/v1/companies_pb.ts";
import type {
  EvidenceTier,
  MaterialImpactChannel,
  MaterialImpactDirection,
  MaterialImpactLifecycle,
  MaterialImpactMagnitude,
} from "../../../gen/es/ids/company_monitoring/v1/impacts_pb.ts";

export type MonitoringTables = {
  monitoring_account: MonitoringAccountTable;
  monitored_company: MonitoredCompanyTable;
  company_impact: CompanyImpactTable;
};

export interface RevisionRows {
  monitored_company: CompanyRow;
  company_impact: ImpactRow;
}

export type CompanyRow = Selectable<MonitoredCompanyTable>;
export type ImpactRow = Selectable<CompanyImpactTable>;

interface MonitoringAccountTable {
  account: string;
  generation: ColumnType<string, number, number>;
  /** No revision of this generation or of a later one was purged. */
  oldest_generation: ColumnType<string, number, number>;
}

interface Revision {
  account: string;
  id: string;
  revision: number;
  changed_at: Date;
  /** `sample` rows are invented for trying the service. */
  origin: Generated<"live" | "sample">;
  from_generation: ColumnType<string, number, number>;
  /** The first generation in which the revision is not visible. It is null for the newest revision. */
  to_generation: ColumnType<string | null, number | null, number | null>;
  closed_at: Date | null;
}

interface MonitoredCompanyTable extends Revision {
  name: string;
  domicile: string;
  ticker: string;
  lei: string;
  domain: string;
  state: MonitoredCompanyState;
  created_at: Date;
}

interface CompanyImpactTable extends Revision {
  event_id: string;
  event_revision: number;
  company_id: string;
  lifecycle: MaterialImpactLifecycle;
  direction: MaterialImpactDirection;
  channels: MaterialImpactChannel[];
  magnitude: MaterialImpactMagnitude;
  attribution: number;
  occurrence_truth: number;
  material_impact: number;
  rationale: string;
  occurred_at: Date;
  canonical_url: string;
  /** The stored references are sorted by tier, best first. */
  evidence: ColumnType<StoredEvidence[], string, string>;
  evidence_total: number;
}

/** A stored reference. `published` is an RFC 3339 timestamp or empty. */
export interface StoredEvidence {
  readonly url: string;
  readonly tier: EvidenceTier;
  readonly title: string;
  readonly published: string;
}
