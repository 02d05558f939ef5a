import type { Kysely, Selectable } from "kysely";
import { raiseGeneration } from "../../store/served/generations.ts";
import type { StoreTables } from "../../store/tables.ts";
import { keysGeneration } from "../keys/keys.ts";

type Database = Kysely<StoreTables>;
type Row = Selectable<StoreTables["subscription"]>;

/** Whoever asks holds the others off for so long, and no longer if it dies. */
const leaseMs = 15_000;

/** Takes the right to ask the provider, if nobody has it, no pause is on, and the subscription has not been renewed already. */
export async function takeLease(database: Database, id: string, now: number): Promise<boolean> {
  const at = new Date(now);
  const { numUpdatedRows } = await database
    .updateTable("subscription")
    .set({ checking_since: at })
    .where("id", "=", id)
    .where(({ or, eb }) => or([eb("checking_since", "is", null), eb("checking_since", "<=", new Date(now - leaseMs))]))
    .where(({ or, eb }) => or([eb("check_after", "is", null), eb("check_after", "<=", at)]))
    .where(({ or, eb }) => or([eb("active", "=", false), eb("valid_until", "<", at)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** A subscription as the store has it now. */
export async function readSubscription(database: Database, id: string): Promise<Row | undefined> {
  return database.selectFrom("subscription").selectAll().where("id", "=", id).executeTakeFirst();
}

/**
 * Ends the lease that was taken at `since` with what was learnt; every process then drops what it remembers. Without effect
 * when somebody else has taken it meanwhile, or the provider has spoken by itself.
 */
export async function endLease(
  database: Database,
  lease: { readonly id: string; readonly since: number },
  learnt: Partial<Pick<Row, "active" | "plan" | "valid_until" | "updated_at">> & Pick<Row, "check_after">,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable("subscription")
      .set({ ...learnt, checking_since: null })
      .where("id", "=", lease.id)
      .where("checking_since", "=", new Date(lease.since))
      .executeTakeFirst();
    if (numUpdatedRows > 0n && learnt.updated_at) await raiseGeneration(transaction, keysGeneration);
  });
}
