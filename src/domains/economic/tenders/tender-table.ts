import type { ColumnType } from "kysely";

export type TenderTables = {
  tender: TenderTable;
  tender_detail: TenderDetailTable;
  tender_word: TenderWordTable;
  tender_source: TenderSourceTable;
};

export interface TenderTable {
  id: string;
  source: string;
  origin: "live" | "sample";
  /** The revision increases with each change of the content. */
  revision: number;
  content_hash: string;
  terms: string;
  published_at: Date | null;
  /**
   * The negative epoch milliseconds of the publication or else of the update. In ascending order, the newest is first.
   */
  newest_key: ColumnType<string, string | number, never>;
  /** The deadline in Unix epoch milliseconds. */
  closing_key: ColumnType<string, string | number, never>;
  /** The negative amount. In ascending order, the greatest is first. */
  value_key: ColumnType<string, string, never>;
  relevance_key: number;
  closed_at: Date | null;
  closed_reason: ClosedReason | null;
  /** The time of the refresh that last changed the content or opened the notice again. */
  stored_at: Date;
}

/**
 * Why a notice is closed: by its status, without a deadline, after its deadline, or because its source no longer lists
 * it.
 */
export type ClosedReason = "status" | "undated" | "deadline" | "vanished";

export interface TenderDetailTable {
  id: string;
  source: string;
  source_notice_id: string;
  official_url: string;
  country_code: string;
  region: string;
  title: string;
  description: string;
  buyer: string;
  updated_at: Date | null;
  deadline: Date | null;
  status: string;
  notice_type: string;
  /** Decimal text. */
  amount: string | null;
  currency: string | null;
  category_codes: string[];
  sectors: string[];
  fit_score: number;
  fit_reasons: string[];
  fit_evidence: string[];
  /** The searchable text: title, new line, description. */
  search_text: string;
  /** The searchable codes and sectors, one per line. */
  category_text: string;
  buyer_text: string;
}

/**
 * Every word that a notice ever had. Words of the title and the description have no prefix, and others start with
 * `buyer=` or `category=`.
 */
interface TenderWordTable {
  word: string;
}

interface TenderSourceTable {
  source: string;
  /** The number of open notices after the last refresh. */
  open_rows: number;
}
