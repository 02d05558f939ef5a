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
  /** The oldest version of the account's data of which all revisions are still stored. */
  oldest_generation: ColumnType<string, number, number>;
}

interface Revision {
  account: string;
  id: string;
  revision: number;
  changed_at: Date;
  /** `sample` marks invented rows, with which users can try the service. */
  origin: Generated<"live" | "sample">;
  from_generation: ColumnType<string, number, number>;
  /** The version of the account's data in which this revision was replaced. Null for the current revision. */
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
  /** References to sources in order of their tier, best first. */
  evidence: ColumnType<StoredEvidence[], string, string>;
  evidence_total: number;
}

/** A reference to a source. `published` is an RFC 3339 timestamp, or empty if the time is unknown. */
export interface StoredEvidence {
  readonly url: string;
  readonly tier: EvidenceTier;
  readonly title: string;
  readonly published: string;
}
