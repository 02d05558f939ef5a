import type { ColumnType } from "kysely";

/** The tables of the tender feed. */
export type TenderTables = { tender: TenderTable; tender_word: TenderWordTable; tender_source: TenderSourceTable };

export interface TenderTable {
  id: string;
  source: string;
  source_notice_id: string;
  origin: "live" | "sample";
  /** Raised with each change of its content. */
  revision: number;
  content_hash: string;
  official_url: string;
  country_code: string;
  region: string;
  title: string;
  description: string;
  buyer: string;
  published_at: Date | null;
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
  /** What the index finds it by. */
  search_keys: string[];
  /** Lower case: title, new line, description. */
  search_text: string;
  /** Lower case: codes and sectors, a line each. */
  category_text: string;
  /** Lower case. */
  buyer_text: string;
  /** Milliseconds before 1970 of the publication, else of the update: ascending means newest first. */
  newest_key: ColumnType<string, string | number, never>;
  /** Milliseconds since 1970 of the deadline. */
  closing_key: ColumnType<string, string | number, never>;
  /** The amount below zero: ascending means greatest first. */
  value_key: ColumnType<string, string, never>;
  /** The automation-fit score below zero. */
  relevance_key: number;
  closed_at: Date | null;
  closed_reason: ClosedReason | null;
}

/** Why a notice is not open: its source's word, no deadline, a deadline that has passed, or that its source lists it no more. */
export type ClosedReason = "status" | "undated" | "deadline" | "vanished";

interface TenderSourceTable {
  source: string;
  /** Open notices after the last refresh. */
  open_rows: number;
}

/** Every word of `search_text`, ever. */
interface TenderWordTable {
  word: string;
}
