import { sql } from "kysely";
import { deleteSome, type Retention } from "../../../store/retention.ts";

/** Closed notices are not served, but a source may open one again. */
const closedTenderDays = 90;

/** Searches read only open notices, so this deletion does not affect them. */
export const tenderRetention = {
  table: "tender",
  stored: closedTenderDays,
  ends: "A closed notice with its details. Open notices stay.",
  forget: (database, before, { max }) =>
    deleteSome(database, { table: "tender", key: ["id"], where: sql`closed_at < ${before}` }, max),
} as const satisfies Retention;
