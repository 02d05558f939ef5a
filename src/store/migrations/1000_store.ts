import { type Kysely, sql } from "kysely";
import { accounts } from "./1000_store/accounts.ts";
import { alerts } from "./1000_store/alerts.ts";
import { datasets } from "./1000_store/datasets.ts";
import { domains } from "./1000_store/domains.ts";
import { history } from "./1000_store/history.ts";

export async function up(transaction: Kysely<unknown>): Promise<void> {
  for (const part of [datasets, accounts, alerts, domains, history]) await sql.raw(part).execute(transaction);
}
