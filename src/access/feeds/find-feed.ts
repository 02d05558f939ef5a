import { sql } from "kysely";
import type { Principal } from "../keys/api-key.ts";
import { type PrincipalSource, principalOf, subscriptionColumns } from "../keys/principal.ts";
import { tokenHash } from "./feed-url.ts";

/**
 * Returns the account of an active feed token with its current entitlements and the bound read; undefined if there is
 * none.
 */
export async function findFeed(
  { database, plans }: PrincipalSource,
  token: string,
  now: number,
): Promise<Principal | undefined> {
  const rows = await database
    .selectFrom("feed_url")
    .leftJoin("account", "account.id", "feed_url.account")
    .leftJoin("subscription", "subscription.account", "feed_url.account")
    .select(["feed_url.id as key", "feed_url.account", "target", "expires_at", "account.id as owner"])
    // A feed token has no scopes, because it only reads data.
    .select(sql<string[]>`array[]::text[]`.as("scopes"))
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
  const principal = principalOf(rows, plans, now);
  return row && principal && { ...principal, feed: { target: row.target, before: row.before } };
}
