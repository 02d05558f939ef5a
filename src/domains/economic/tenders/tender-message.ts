import type { MessageInitShape } from "@bufbuild/protobuf";
import type { TenderSchema } from "../../../../gen/es/ids/economic/v1/tenders_pb.ts";
import type { TenderRow } from "./tender-page.ts";
import { classificationVersion, levelOf } from "./tender-row.ts";

export function tenderMessage(row: TenderRow): MessageInitShape<typeof TenderSchema> {
  const { amount, currency } = row;
  return {
    id: row.id,
    source: row.source,
    sourceNoticeId: row.source_notice_id,
    officialUrl: row.official_url,
    countryCode: row.country_code,
    region: row.region,
    title: row.title,
    description: row.description,
    buyer: row.buyer,
    publishedAt: row.published_at?.toISOString() ?? "",
    updatedAt: row.updated_at?.toISOString() ?? "",
    deadline: row.deadline?.toISOString() ?? "",
    status: row.status,
    noticeType: row.notice_type,
    procedureId: row.procedure_id,
    ...((amount !== null || currency !== null) && {
      money: { ...(amount !== null && { amount: Number(amount) }), ...(currency !== null && { currency }) },
    }),
    categoryCodes: row.category_codes,
    sectors: row.sectors,
    participationMode: "unknown",
    automationFit: {
      level: levelOf(row.fit_score),
      score: row.fit_score,
      classificationVersion,
      matchReasons: row.fit_reasons,
      evidence: row.fit_evidence,
    },
  };
}
