// Written by `make generate`.
import type { MonitoringSnapshot } from "../../../ids/company_monitoring/v1/snapshot_plain.ts";
/** A page of companies. */
export interface ListMonitoredCompaniesResponse {
  /** Latest change first, then by id, highest first. */
  companies: MonitoredCompany[];
  /** Cursor of the next page. Empty on the last page. */
  nextCursor: string;
  /** The generation from which this page was read. Its `pollCursor` is empty. */
  snapshot: MonitoringSnapshot;
}

/** Result for each company. */
export interface ImportCompaniesResponse {
  /** In the order of the request. */
  companies: ImportedCompany[];
}

/** Companies to add or update. */
export interface ImportCompaniesRequest {
  /** Version of this contract: `cm-import-v1`. */
  contractVersion: "cm-import-v1";
  /** 1 to 100 companies. Each company may appear only once. */
  companies: CompanyImport[];
}

/** A company that an account monitors. */
export interface MonitoredCompany {
  /** `cm_company_` and a ULID. */
  companyId: string;
  /** Revision number, starting at 1 and incremented by each change. */
  companyRevision: number;
  /** Name of the company. */
  name: string;
  /** Country of domicile: `US` or `GB`. */
  domicile: string;
  /** Ticker symbol. Empty if not listed. */
  ticker: string;
  /** Legal Entity Identifier (ISO 17442). Empty if unknown. */
  lei: string;
  /** Host name of the website. Empty if unknown. */
  domain: string;
  /** Monitoring state. Impacts are admitted only while the company is active. */
  state: MonitoredCompanyState;
  /** Time of the first import, RFC 3339 in UTC. */
  createdAt: string;
  /** Time of this revision, RFC 3339 in UTC. */
  changedAt: string;
}

/** A company after its import. */
export interface ImportedCompany {
  /** Current state of the company. */
  company: MonitoredCompany;
  /** `created`, `updated` or `unchanged`. */
  outcome: "created" | "updated" | "unchanged";
}

/** A company to add or update. Absent fields become empty, except the state. */
export interface CompanyImport {
  /** Id of the company to update. Default: the company of the same name and domicile, or a new company. */
  companyId?: string | undefined;
  /** Name, 1 to 200 characters. Names are compared case-insensitively. */
  name: string;
  /** Country of domicile: `US` or `GB`. */
  domicile: "US" | "GB";
  /** Ticker symbol. Empty if not listed. */
  ticker?: string | undefined;
  /** Legal Entity Identifier (ISO 17442). Empty if unknown. */
  lei?: string | undefined;
  /** Host name of the website. Empty if unknown. */
  domain?: string | undefined;
  /** New state. If absent, the state is unchanged, and a new company is active. Removed is final. */
  state?: MonitoredCompanyState | undefined;
}

/** Monitoring state of a company. It can switch between active and paused. Removed is final. */
export type MonitoredCompanyState = "MONITORED_COMPANY_STATE_UNSPECIFIED" | "MONITORED_COMPANY_STATE_ACTIVE" | "MONITORED_COMPANY_STATE_PAUSED" | "MONITORED_COMPANY_STATE_REMOVED";

export interface GetPaths {
  /** Lists the account's monitored companies, latest change first. */
  "/api/company-monitoring/v1/list-monitored-companies": {
    query: {
      /** States, such as `active` or `MONITORED_COMPANY_STATE_ACTIVE`, repeated or comma-separated. A company in any of them matches. Default: all states. */
      state?: readonly Exclude<MonitoredCompanyState, "MONITORED_COMPANY_STATE_UNSPECIFIED">[] | undefined;
      /** Companies per page, 1 to 100. Default 25, also for 0. */
      page_size?: number | undefined;
      /** `nextCursor` of the previous page, with the same states. Default: the first page of the newest generation. */
      cursor?: string | undefined;
      /** Country of domicile in any form: code or English name. Default: all countries. */
      country?: string | undefined;
    };
    answer: ListMonitoredCompaniesResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; all?: boolean | undefined; raw?: boolean | undefined };
  };
}

export interface PostPaths {
  /** Adds or updates up to 100 monitored companies in one call.
   *
   * Either all rows are applied or none. A row with an id updates that company. A row without an id updates the company of the same name and domicile, or creates a new one. An account can monitor at most 500 companies, not counting removed ones. 404 if an id is unknown. 409 if the limit would be exceeded or a removed company would be changed. */
  "/api/company-monitoring/v1/import-companies": { body: ImportCompaniesRequest; answer: ImportCompaniesResponse };
}

