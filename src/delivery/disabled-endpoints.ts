import type { Store } from "../store/tables.ts";
import type { DeliveryTables } from "./delivery-table.ts";

/** Returns an account's disabled endpoints and webhooks, most recently disabled first. */
export async function disabledEndpoints(database: Store, account: string) {
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

/** Maximum number of returned endpoints, because a plan can allow many. */
const maxShown = 100;
