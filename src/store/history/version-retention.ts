import { sql } from "kysely";
import { allVersionsDays } from "../../contract/as-of.ts";
import { deleteSome, type Retention } from "../retention.ts";
import { versionTable } from "./versions.ts";

export function versionRetention(tables: readonly string[]): Retention<"history">[] {
  return tables.map(versionTable).map((table) => ({
    table,
    stored: "history",
    ends: `versions that were replaced this long ago, and after ${allVersionsDays} days those that were not the last of a UTC day`,
    async forget(database, before, { max, now }) {
      // The last version of a day stays, because its last timestamp can be requested.
      const where = sql`
        valid_to < ${before} or valid_to < ${now}::timestamptz - make_interval(days => ${allVersionsDays})
        and valid_to <= date_trunc('day', valid_from, 'UTC') + interval '1 day' - interval '1 millisecond'`;
      return deleteSome(database, { table, key: ["ctid"], where }, max);
    },
  }));
}
