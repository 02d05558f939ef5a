import { sql } from "kysely";
import { z } from "zod";
import { ConflictEventSchema, ConflictService } from "../../../gen/es/ids/conflict/v1/conflict_pb.ts";
import { rowFeatures } from "../../ingest/changes/row-features.ts";
import { toEvent } from "./event-table.ts";

const rowSchema = z.object({
  id: z.string(),
  event_type: z.string(),
  country: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  occurred_at: z.number().transform(String),
  fatalities: z.number(),
  actors: z.array(z.string()),
  source: z.string(),
  admin1: z.string(),
});

/** Events that are served: those that another source tells too are not. */
export const eventFeatures = rowFeatures({
  lists: ConflictService.method.listConflictEvents,
  message: ConflictEventSchema,
  subject: sql`id`,
  visible: (condition) => sql`
    select to_jsonb(conflict_event) from conflict_event where ${condition} and duplicate_of is null`,
  toRow: (stored) => toEvent(rowSchema.parse(stored)),
});
