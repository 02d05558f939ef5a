import type { Kysely } from "kysely";
import {
  type GetEnergyCrisisPoliciesResponse,
  GetEnergyCrisisPoliciesResponseSchema as ListSchema,
} from "../../../../gen/es/ids/economic/v1/energy_crisis_policy_pb.ts";
import { InvalidRequest } from "../../../errors.ts";
import { checkRows } from "../../../ingest/refresh/fetch.ts";
import { dropPart, storedMessage, storeParts } from "../../../ingest/snapshot.ts";
import type { StoreTables } from "../../../store/tables.ts";
import { type Attribution, policyList, readPolicies } from "./policy-list.ts";

/** The imported list is stored next to the visible list, so that every process that refreshes finds it. */
const part = "imported";

/** The list replaces the project's list at the next refresh. If a row is invalid, the whole list is rejected. */
export async function importPolicies(
  database: Kysely<StoreTables>,
  text: string,
  attribution: Attribution,
): Promise<number> {
  const { rows, rejected } = readPolicies(text);
  const violations = rejected.map(({ row, reason }) => ({ field: row, description: reason }));
  if (violations.length > 0) throw new InvalidRequest(violations);
  if (rows.length === 0) throw new InvalidRequest([{ field: "file", description: "has no policies" }]);
  const [list] = checkRows(ListSchema, [policyList(rows, attribution)]).rows;
  if (!list) throw new InvalidRequest([{ field: "source url", description: "is not an https address" }]);
  await storeParts(database, ListSchema, new Map([[part, list]]), 0);
  return rows.length;
}

export function forgetImportedPolicies(database: Kysely<StoreTables>): Promise<boolean> {
  return dropPart(database, ListSchema, part);
}

/** Returns the operator's list, or undefined if none was imported. */
export function importedPolicies(database: Kysely<StoreTables>): Promise<GetEnergyCrisisPoliciesResponse | undefined> {
  return storedMessage(database, ListSchema, part);
}
