import type { Kysely } from "kysely";
import type { Encryption } from "../access/encryption.ts";
import { SecretUnreadable } from "../errors.ts";
import type { StoreTables } from "../store/tables.ts";
import type { DeliveryTables } from "./delivery-table.ts";

/** What secrets of endpoints are sealed for. */
export const webhookPurpose = "webhook secrets";

/** What became of encrypted values: how many are under the first secret now, and how many none of the secrets opens. */
export interface Renewed {
  readonly renewed: number;
  readonly unreadable: number;
}

/** Encrypts the secrets of all webhooks with the first of the service's secrets. */
export async function renewWebhookSecrets(database: Kysely<StoreTables>, encryption: Encryption): Promise<Renewed> {
  const tables = database.withTables<DeliveryTables>();
  let [renewed, unreadable] = [0, 0];
  const ids = await tables.selectFrom("webhook").select("id").orderBy("id").execute();
  for (const { id } of ids)
    await database.transaction().execute(async (transaction) => {
      const own = transaction.withTables<DeliveryTables>();
      const row = await own
        .selectFrom("webhook")
        .select(["secret", "earlier_secret"])
        .where("id", "=", id)
        .forUpdate()
        .executeTakeFirst();
      if (!row) return;
      try {
        const earlier = row.earlier_secret && encryption.renew(row.earlier_secret);
        const values = { secret: encryption.renew(row.secret), earlier_secret: earlier };
        await own.updateTable("webhook").set(values).where("id", "=", id).execute();
        renewed += 1;
      } catch (error) {
        if (!(error instanceof SecretUnreadable)) throw error;
        unreadable += 1;
      }
    });
  return { renewed, unreadable };
}

/** How many of the newest webhooks have a secret that none of the service's secrets opens: nothing is delivered to them. */
export async function unreadableWebhooks(database: Kysely<StoreTables>, encryption: Encryption): Promise<number> {
  const rows = await database
    .withTables<DeliveryTables>()
    .selectFrom("webhook")
    .select("secret")
    .orderBy("created_at", "desc")
    .limit(maxLooked)
    .execute();
  return rows.filter(({ secret }) => !opens(encryption, secret)).length;
}

/** Enough to see that a secret is missing, without reading all at every start. */
const maxLooked = 200;

function opens(encryption: Encryption, secret: Buffer): boolean {
  try {
    encryption.open(secret);
    return true;
  } catch {
    return false;
  }
}
