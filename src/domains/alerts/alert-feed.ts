import { accountPlans } from "../../access/account-plans.ts";
import { tokenHash } from "../../access/feeds/feed-url.ts";
import type { Plans } from "../../access/plans.ts";
import type { DeliveryTables } from "../../delivery/delivery-table.ts";
import type { Store } from "../../store/tables.ts";
import { eventText } from "./event-text.ts";

export interface AlertFeed {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  /** The entries of the feed, newest first. */
  readonly entries: readonly FeedEntry[];
}

export interface FeedEntry {
  readonly id: string;
  readonly at: Date;
  readonly title: string;
  readonly text: string;
}

const maxEntries = 50;

/** Returns the alert feed with this token, without entries that the account's plan excludes; undefined without one. */
export async function readAlertFeed(
  database: Store,
  plans: Plans,
  { token, now }: { readonly token: string; readonly now: number },
): Promise<AlertFeed | undefined> {
  const tables = database.withTables<DeliveryTables>();
  const feed = await tables
    .selectFrom("webhook")
    .select(["id", "account", "name", "created_at"])
    .where("token_hash", "=", tokenHash(token))
    .executeTakeFirst();
  if (!feed) return undefined;
  const plan = (await accountPlans(database, plans, [feed.account], now)).get(feed.account);
  const rows = await tables
    .selectFrom("webhook_delivery")
    .select(["id", "type", "body", "created_at"])
    .where("webhook", "=", feed.id)
    .where("required_tier", "<=", plan?.tier ?? -1)
    .orderBy("place", "desc")
    .limit(maxEntries)
    .execute();
  return {
    id: feed.id,
    name: feed.name,
    createdAt: feed.created_at,
    entries: rows.map((row) => {
      const { subject: title, text } = eventText(row);
      return { id: row.id, at: row.created_at, title, text };
    }),
  };
}
