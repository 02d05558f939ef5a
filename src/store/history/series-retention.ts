import { sql } from "kysely";
import { deleteSome, type Retention } from "../retention.ts";

/** Retention of series points. Values with a time that the source reports are retained forever. */
export const seriesRetention: Retention<"history"> = {
  table: "series_point",
  stored: "history",
  ends: "values recorded at refreshes, after this time; values with a time that the source reports are retained",
  async forget(database, before, { max }) {
    const where = sql`key_id in (select id from series_key where sampled) and at < ${before}`;
    return deleteSome(database, { table: "series_point", key: ["key_id", "at", "recorded_at"], where }, max);
  },
};
