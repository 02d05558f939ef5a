import { sql } from "kysely";
import { deleteSome, type Retention } from "../retention.ts";

/** How the points of series end; figures that a source tells of a time of its own stay. */
export const seriesRetention: Retention<"history"> = {
  table: "series_point",
  stored: "history",
  ends: "values at the refreshes of a dataset, that long after; figures that a source tells of days or years stay",
  async forget(database, before, { max }) {
    const where = sql`key_id in (select id from series_key where sampled) and at < ${before}`;
    return deleteSome(database, { table: "series_point", key: ["key_id", "at", "recorded_at"], where }, max);
  },
};
