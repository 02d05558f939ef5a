import type { Logger } from "pino";
import { type Encryption, encryption } from "../access/encryption.ts";
import type { Secrets } from "../access/secret.ts";
import { SecretUnreadable } from "../errors.ts";
import type { Store } from "../store/tables.ts";
import type { DeliveryTables } from "./delivery-table.ts";

export const webhookPurpose = "webhook secrets";

/** Result of a key rotation: numbers of values that were encrypted again, and that no key can decrypt. */
export interface Renewed {
  readonly renewed: number;
  readonly unreadable: number;
}

export async function renewWebhookSecrets(database: Store, encryption: Encryption): Promise<Renewed> {
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

/** Logs an error if there are recent webhooks whose secret no configured key can decrypt. They get no deliveries. */
export async function reportUnreadableWebhooks(database: Store, secrets: Secrets, log: Logger): Promise<void> {
  const ofWebhooks = encryption(secrets, webhookPurpose);
  const rows = await database
    .withTables<DeliveryTables>()
    .selectFrom("webhook")
    .select("secret")
    .orderBy("created_at", "desc")
    .limit(sampleSize)
    .execute();
  const webhooks = rows.filter(({ secret }) => !opens(ofWebhooks, secret)).length;
  if (webhooks === 0) return;
  const cause = "their secrets were encrypted with another IDS_SECRET_KEY; add it after a comma";
  log.error({ webhooks }, `nothing can be signed for these webhooks: ${cause}`);
}

/** Number of webhooks to check at startup. A sample shows that a key is missing, and reading all would take long. */
const sampleSize = 200;

function opens(encryption: Encryption, secret: Buffer): boolean {
  try {
    encryption.open(secret);
    return true;
  } catch {
    return false;
  }
}
