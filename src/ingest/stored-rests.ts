import { type Kysely, sql } from "kysely";
import type { StoreTables } from "../store/tables.ts";
import type { StoredPauses } from "../upstream/hosts.ts";

/** Stores which hosts receive no requests for now, for all processes and across restarts. */
export function storedRests(database: Kysely<StoreTables>): StoredPauses {
  return {
    async of(host) {
      const row = await database
        .selectFrom("host_rest")
        .select(["refusals", "until", "status", "passes"])
        .where("host", "=", host)
        .executeTakeFirst();
      return row && { ...row, until: row.until.getTime() };
    },
    async retain(host, rest) {
      const row = { ...rest, until: new Date(rest.until) };
      await database
        .insertInto("host_rest")
        .values({ host, ...row })
        // If two processes write at the same time, the later end applies.
        .onConflict((conflict) =>
          conflict.column("host").doUpdateSet({
            ...row,
            refusals: sql`greatest(host_rest.refusals, excluded.refusals)`,
            until: sql`greatest(host_rest.until, excluded.until)`,
          }),
        )
        .execute();
    },
    async end(host) {
      await database.deleteFrom("host_rest").where("host", "=", host).execute();
    },
  };
}
