import type { Kysely } from "kysely";
import type { StoreTables } from "../store/tables.ts";
import type { DeliveryTables } from "./delivery-table.ts";

/** An account's endpoints and webhooks that are switched off, the latest first. */
export async function disabledEndpoints(database: Kysely<StoreTables>, account: string) {
  return database
    .withTables<DeliveryTables>()
    .selectFrom("webhook")
    .select(["id", "name", "inactive_reason", "inactive_since"])
    .where("account", "=", account)
    .where("inactive_reason", "is not", null)
    .orderBy("inactive_since", "desc")
    .limit(maxShown)
    .execute();
}

/** Bounds an answer: accounts make as many as their plan includes. */
const maxShown = 100;
