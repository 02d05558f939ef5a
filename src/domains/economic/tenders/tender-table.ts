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
  /** The revision of the notice, which increases with each change of the content. */
  revision: number;
  content_hash: string;
  terms: string;
  procedure_key: string | null;
  text_key: string | null;
  published_at: Date | null;
  /**
   * The negative time of publication, or else of the update, in epoch milliseconds, so that an ascending order is
   * newest first.
   */
  newest_key: ColumnType<string, string | number, never>;
  /** The deadline in Unix epoch milliseconds. */
  closing_key: ColumnType<string, string | number, never>;
  /** The negative amount, so that an ascending order has the greatest amount first. */
  value_key: ColumnType<string, string, never>;
  relevance_key: number;
  closed_at: Date | null;
  closed_reason: ClosedReason | null;
  /** The time of the refresh that last changed or reopened the notice. */
  stored_at: Date;
}

/**
 * Why a notice is closed: its status says so, it has no deadline, its deadline has passed, or its source no longer
 * lists it.
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
  procedure_id: string;
  /** The amount as decimal text. */
  amount: string | null;
  currency: string | null;
  category_codes: string[];
  sectors: string[];
  fit_score: number;
  fit_reasons: string[];
  fit_evidence: string[];
  /** The title and the description for searches, separated by a line break. */
  search_text: string;
  /** The category codes and the sectors of the notice, for searches. Each is on a line of its own. */
  category_text: string;
  buyer_text: string;
}

/**
 * All words that notices have ever contained. Words of titles and descriptions have no prefix, words of buyers have
 * `buyer=`, and words of categories have `category=`.
 */
interface TenderWordTable {
  word: string;
}

interface TenderSourceTable {
  source: string;
  /** The number of open notices of the source after the last refresh. */
  open_rows: number;
}
