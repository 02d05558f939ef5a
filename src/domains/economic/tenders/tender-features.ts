import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import { EconomicService } from "../../../../gen/es/ids/economic/v1/economic_pb.ts";
import { TenderSchema } from "../../../../gen/es/ids/economic/v1/tenders_pb.ts";
import { rowFeatures } from "../../../ingest/changes/row-features.ts";
import { tenderMessage } from "./tender-message.ts";

const instant = z.string().transform((text) => new Date(text));
const text = z.string();

const rowSchema = z.object({
  ...{ id: text, source: text, source_notice_id: text, official_url: text, country_code: text, region: text },
  ...{ title: text, description: text, buyer: text, status: text, notice_type: text },
  ...{ published_at: instant.nullable(), updated_at: instant.nullable(), deadline: instant.nullable() },
  ...{
    amount: z
      .number()
      .nullable()
      .transform((value) => (value === null ? null : String(value))),
  },
  ...{ currency: text.nullable(), category_codes: z.array(text), sectors: z.array(text) },
  ...{ fit_score: z.number(), fit_reasons: z.array(text), fit_evidence: z.array(text) },
});

/** SQL: an open notice as JSON, of `tender` joined with `tender_detail`. */
const shown = sql`
  to_jsonb(tender_detail) - array['search_text', 'category_text', 'buyer_text']
    || jsonb_build_object('published_at', tender.published_at)`;

/** Open notices. */
export const tenderFeatures = rowFeatures({
  lists: EconomicService.method.listGlobalTenders,
  message: TenderSchema,
  subject: sql`id`,
  visible: (condition) => sql`
    select ${shown} from tender join tender_detail using (id)
    where ${condition} and closed_at is null`,
  toRow: (stored) => tenderMessage(rowSchema.parse(stored)),
});

/** SQL: notices that fulfil a condition, as far as they are open. */
export function openNotices(condition: RawBuilder<unknown>) {
  return sql`
    select tender.id, ${shown} from tender join tender_detail using (id)
    where closed_at is null and ${condition}`;
}

/** SQL: those of a statement's notices that are new or not as they are stored. */
export function noticesToChange(json: string) {
  return sql`
    select incoming.id, case when tender.closed_at is null then ${shown} end
    from json_to_recordset(${json}::json) as incoming (id text, content_hash text)
      left join (tender join tender_detail using (id)) on tender.id = incoming.id
    where tender.id is null or tender.content_hash <> incoming.content_hash or tender.closed_reason = 'vanished'`;
}
