import { sql } from "kysely";
import type { Retention } from "../retention.ts";

/** Days for which a disconnected reader can resume. */
export const changeDays = 7;

/** The oldest changes are deleted first, so that the log has no gaps. */
export const changeRetention = {
  table: "change",
  stored: changeDays,
  ends: "A logged change, from its refresh, once all before it have ended.",
  async forget(database, before, { max }) {
    const { rows } = await sql<{ deleted: number }>`
      with gone as (
        delete from change where position in (
          select position from change
          where position < coalesce(
            (select position from change where at >= ${before} order by position limit 1),
            (select max(position) + 1 from change)
          )
          order by position limit ${max} for update skip locked
        ) returning 1
      )
      select count(*)::int4 as deleted from gone`.execute(database);
    return rows[0]?.deleted ?? 0;
  },
} as const satisfies Retention;
