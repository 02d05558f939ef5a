import { createHash } from "node:crypto";
import { toJsonString } from "@bufbuild/protobuf";
import { type TenderNotice, TenderNoticeSchema } from "../../../gen/es/ids/stored/v1/tender_pb.ts";
import { automationFit } from "./automation-fit.ts";
import { tenderKeys } from "./tender-keys.ts";
import type { ClosedReason } from "./tender-table.ts";
import { searchable } from "./tender-text.ts";

/** Comes last in every order. */
const last = Number.MAX_SAFE_INTEGER;
/** A status with one of these in it says that nobody may bid any more, or not yet. */
const notOpen = /award|cancel|closed|withdraw|expire|complete|draft|unsuccessful/;

/** A notice as a row of the table, ready for JSON. */
export function tenderRow(notice: TenderNotice, now: Date) {
  const { title, description, buyer, categoryCodes, sectors, amount } = notice;
  const categories = [...categoryCodes, ...sectors];
  const fit = automationFit({ title, description, categories });
  const reason = closedReason(notice, now);
  const searchText = `${searchable(title)}\n${searchable(description)}`;
  return {
    id: tenderId(notice),
    source: notice.source,
    source_notice_id: notice.sourceNoticeId,
    content_hash: createHash("sha256").update(toJsonString(TenderNoticeSchema, notice)).digest("base64url"),
    official_url: notice.officialUrl,
    country_code: notice.countryCode,
    region: notice.region,
    title,
    description,
    buyer,
    published_at: notice.publishedAt || null,
    updated_at: notice.updatedAt || null,
    deadline: notice.deadline || null,
    status: notice.status,
    notice_type: notice.noticeType,
    amount: amount || null,
    currency: notice.currency || null,
    category_codes: categoryCodes,
    sectors,
    fit_score: fit.score,
    fit_reasons: fit.matchReasons,
    fit_evidence: fit.evidence,
    search_keys: tenderKeys(notice, searchText, fit.score),
    search_text: searchText,
    category_text: categories.map(searchable).join("\n"),
    buyer_text: searchable(buyer),
    newest_key: -(milliseconds(notice.publishedAt) ?? milliseconds(notice.updatedAt) ?? -last),
    closing_key: milliseconds(notice.deadline) ?? last,
    value_key: amount ? `-${amount}` : "0",
    relevance_key: -fit.score,
    closed_at: reason && now.toISOString(),
    closed_reason: reason,
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
