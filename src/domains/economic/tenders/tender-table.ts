import type { ColumnType } from "kysely";

/** The tables of the tender feed. */
export type TenderTables = {
  tender: TenderTable;
  tender_detail: TenderDetailTable;
  tender_word: TenderWordTable;
  tender_source: TenderSourceTable;
};

/** What a notice is found and ordered by. */
export interface TenderTable {
  id: string;
  source: string;
  origin: "live" | "sample";
  /** Raised with each change of its content. */
  revision: number;
  content_hash: string;
  /** Lexemes of what it is found by. */
  terms: string;
  published_at: Date | null;
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
  /** Of the refresh that made its content what it is, or opened it again. */
  stored_at: Date;
}

/** Why a notice is not open: its source's word, no deadline, a deadline that has passed, or that its source lists it no more. */
export type ClosedReason = "status" | "undated" | "deadline" | "vanished";

/** What is shown of a notice. */
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
  /** In searchable form: title, new line, description. */
  search_text: string;
  /** In searchable form: codes and sectors, a line each. */
  category_text: string;
  /** In searchable form. */
  buyer_text: string;
}

/** Every word that a notice ever had: of title and description, and `buyer=` or `category=` before those of other texts. */
interface TenderWordTable {
  word: string;
}

interface TenderSourceTable {
  source: string;
  /** Open notices after the last refresh. */
  open_rows: number;
}
