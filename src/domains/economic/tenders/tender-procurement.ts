import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { TenderNotice } from "../../../../gen/es/ids/stored/v1/tender_pb.ts";
import type { Store } from "../../../store/tables.ts";
import { and, type Condition } from "./sql-condition.ts";
import { searchable } from "./tender-filter.ts";

/** Maximum number of other notices of the same procurement that a notice in a response lists. */
const maxOthers = 20;

/** Returns two keys. Notices with an equal key are of the same procurement. A key is null if too little is known. */
export function procurementKeys(notice: TenderNotice) {
  const { source, procedureId, countryCode, buyer, title, deadline } = notice;
  const isKnown = [countryCode, buyer, deadline].every((text) => text !== "");
  const stated = [countryCode, searchable(buyer), searchable(title), deadline.slice(0, "2026-11-18".length)];
  return {
    procedure_key: procedureId === "" ? null : digest([source, searchable(procedureId)]),
    text_key: isKnown ? digest(stated) : null,
  };
}

function digest(parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}

/** Conditions that a notice has the procedure key of the row `given`, or the text key and another source. */
const isSameProcurement = [
  sql<boolean>`tender.procedure_key = given.procedure_key`,
  sql<boolean>`tender.text_key = given.text_key and tender.source <> given.source`,
];

/** Returns the condition that a notice is the one with this ID, or of the same procurement. */
export function ofProcurement(id: string): Condition {
  return sql<boolean>`id in (
    select tender.id from tender, tender as given
    where given.id = ${id} and tender.closed_at is null
      and (tender.id = given.id or ${sql.join(isSameProcurement, sql` or `)}))`;
}

/** Returns the condition that no notice of the same procurement is newer and matches too. */
export function isNewestOfProcurement(matching: Condition): Condition {
  const newer = isSameProcurement.map(
    (isSame) => sql<boolean>`not exists (
      select from (
        select tender.procedure_key, tender.text_key, tender.source, tender.newest_key as given_key, tender.id as given_id
      ) as given cross join lateral (
        select from tender
        where ${isSame} and (tender.newest_key, tender.id) < (given_key, given_id) and ${matching}
      ) as newer)`,
  );
  return and(newer);
}

/** Returns the IDs of other open notices of the same procurement, newest first, for each of the given notices. */
export async function otherNotices(
  database: Store,
  ids: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, string[]>> {
  const others = isSameProcurement.map(
    (isSame) => sql`
      select tender.id, tender.newest_key from tender
      where closed_at is null and closing_key > ${now.getTime()} and tender.id <> given.id and ${isSame}`,
  );
  const { rows } = await sql<{ of: string; ids: string[] }>`
    select given.id as of, array_agg(other.id order by other.newest_key, other.id) as ids
    from tender as given cross join lateral (
      select * from (${sql.join(others, sql` union all `)}) as other
      order by newest_key, id limit ${sql.lit(maxOthers)}
    ) as other
    where given.id = any(${ids}::text[]) group by given.id`.execute(database);
  return new Map(rows.map(({ of, ids }) => [of, ids]));
}
