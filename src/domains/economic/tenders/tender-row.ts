import { createHash } from "node:crypto";
import { toJsonString } from "@bufbuild/protobuf";
import { type TenderNotice, TenderNoticeSchema } from "../../../../gen/es/ids/stored/v1/tender_pb.ts";
import { lexeme } from "./sql-condition.ts";
import { searchable } from "./tender-filter.ts";
import { procurementKeys } from "./tender-procurement.ts";
import type { ClosedReason } from "./tender-table.ts";
import { noticeTerms, vocabularyOf } from "./tender-terms.ts";

/** How well the work of a notice can be automated, according to the rules `keyword-v1` on its words. */
interface AutomationFit {
  readonly level: "none" | "low" | "medium" | "high";
  readonly score: number;
  readonly matchReasons: readonly string[];
  readonly evidence: readonly string[];
}

/** The version of the rules that classify notices, which responses contain. Change it whenever the rules change. */
export const classificationVersion = "keyword-v1";

/** Terms that indicate automation, in the order of search. A term also matches within a longer word. */
const terms = [
  { term: "artificial intelligence", reason: "AI" },
  { term: "machine learning", reason: "machine learning" },
  { term: "cybersecurity", reason: "cybersecurity" },
  { term: "cyber security", reason: "cybersecurity" },
  { term: "software", reason: "software" },
  { term: "data platform", reason: "data platform" },
  { term: "data management", reason: "data management" },
  { term: "automation", reason: "automation" },
  { term: "cloud", reason: "cloud" },
  { term: "digital", reason: "digital" },
] as const;

const grades = [
  { level: "none", score: 0 },
  { level: "low", score: 30 },
  { level: "medium", score: 60 },
  { level: "high", score: 90 },
] as const;

const maxEvidence = 3;

export function automationFit(notice: {
  readonly title: string;
  readonly description: string;
  readonly categories: readonly string[];
}): AutomationFit {
  const fields = [
    ["title", notice.title.toLowerCase()],
    ["description", notice.description.toLowerCase()],
    ["categories", notice.categories.join(" ").toLowerCase()],
  ] as const;
  const matches = terms.flatMap(({ term, reason }) => {
    const [field] = fields.find(([, text]) => text.includes(term)) ?? [];
    return field ? [{ reason, evidence: `${field}: ${term}` }] : [];
  });
  const matchReasons = [...new Set(matches.map(({ reason }) => reason))];
  const { level, score } = grades[matchReasons.length] ?? grades[3];
  return { level, score, matchReasons, evidence: matches.slice(0, maxEvidence).map(({ evidence }) => evidence) };
}

export function levelOf(score: number): AutomationFit["level"] {
  return grades.find((grade) => grade.score === score)?.level ?? "none";
}

/** The sort key of notices without a value, which puts them last. */
const last = Number.MAX_SAFE_INTEGER;
/** A status that contains one of these words means that no bids are accepted, now or yet. */
const notOpen = /award|cancel|closed|withdraw|expire|complete|draft|unsuccessful/;

export interface NoticeRows {
  readonly words: readonly string[];
  readonly row: { readonly id: string } & Readonly<Record<string, unknown>>;
  readonly detail: Readonly<Record<string, unknown>>;
}

export function noticeRows(notice: TenderNotice, now: Date): NoticeRows {
  const { title, description, categoryCodes, sectors, amount, publishedAt } = notice;
  const categories = [...categoryCodes, ...sectors];
  const fit = automationFit({ title, description, categories });
  const reason = closedReason(notice, now);
  const id = tenderId(notice);
  return {
    words: vocabularyOf(notice),
    row: {
      id,
      source: notice.source,
      content_hash: createHash("sha256").update(toJsonString(TenderNoticeSchema, notice)).digest("base64url"),
      published_at: publishedAt || null,
      newest_key: -(milliseconds(publishedAt) ?? milliseconds(notice.updatedAt) ?? -last),
      closing_key: milliseconds(notice.deadline) ?? last,
      value_key: amount ? `-${amount}` : "0",
      relevance_key: -fit.score,
      closed_at: reason && now.toISOString(),
      closed_reason: reason,
      terms: noticeTerms(notice, { fitScore: fit.score, now }).map(lexeme).join(" "),
      ...procurementKeys(notice),
    },
    detail: {
      id,
      source: notice.source,
      source_notice_id: notice.sourceNoticeId,
      official_url: notice.officialUrl,
      country_code: notice.countryCode,
      region: notice.region,
      title,
      description,
      buyer: notice.buyer,
      updated_at: notice.updatedAt || null,
      deadline: notice.deadline || null,
      status: notice.status,
      notice_type: notice.noticeType,
      procedure_id: notice.procedureId,
      amount: amount || null,
      currency: notice.currency || null,
      category_codes: categoryCodes,
      sectors,
      fit_score: fit.score,
      fit_reasons: fit.matchReasons,
      fit_evidence: fit.evidence,
      search_text: `${searchable(title)}\n${searchable(description)}`,
      category_text: categories.map(searchable).join("\n"),
      buyer_text: searchable(notice.buyer),
    },
  };
}

export function tenderId({ source, sourceNoticeId }: TenderNotice): string {
  return `${source}:${sourceNoticeId}`;
}

function closedReason({ status, deadline }: TenderNotice, now: Date): ClosedReason | null {
  if (notOpen.test(status)) return "status";
  if (deadline === "") return "undated";
  return Date.parse(deadline) <= now.getTime() ? "deadline" : null;
}

function milliseconds(instant: string): number | undefined {
  return instant === "" ? undefined : Date.parse(instant);
}
