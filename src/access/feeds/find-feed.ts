import { type Kysely, sql } from "kysely";
import type { StoreTables } from "../../store/tables.ts";
import type { Principal } from "../keys/api-key.ts";
import { entitledBy, subscriptionColumns } from "../keys/keys.ts";
import type { Plans } from "../plans.ts";
import { tokenHash } from "./feed-url.ts";

/** The account behind a feed URL's token as it stands now, with what the URL is bound to; undefined when no live one has this hash. */
export async function findFeed(
  database: Kysely<StoreTables>,
  plans: Plans,
  token: string,
  now: number,
): Promise<Principal | undefined> {
  const rows = await database
    .selectFrom("feed_url")
    .leftJoin("account", "account.id", "feed_url.account")
    .leftJoin("subscription", "subscription.account", "feed_url.account")
    .select(["feed_url.id as feed", "feed_url.account", "target", "expires_at", "account.id as owner"])
    .select(subscriptionColumns)
    .select(
      sql<number>`(
        select count(*)::int4 from feed_url as other
        where other.account = feed_url.account and other.revoked_at is null and other.expires_at > ${new Date(now)}
          and (other.created_at, other.id) < (feed_url.created_at, feed_url.id)
      )`.as("before"),
    )
    .where("hash", "=", tokenHash(token))
    .where("revoked_at", "is", null)
    .execute();
  const [row] = rows;
  if (!row) return undefined;
  return {
    account: row.account,
    keyId: row.feed,
    // It reads data, and nothing of the account.
    scopes: new Set(),
    expiresAt: row.expires_at.getTime(),
    feed: { target: row.target, before: row.before },
    ...entitledBy(rows, plans, now),
  };
}
