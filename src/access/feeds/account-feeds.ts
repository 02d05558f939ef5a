import { type Selectable, sql } from "kysely";
import { Conflict, type InvalidRequest, invalidField, NotEntitled, NotFound } from "../../errors.ts";
import { dayMs } from "../../reference/duration.ts";
import { raiseGeneration } from "../../store/served/generations.ts";
import type { FeedUrlTable, Store } from "../../store/tables.ts";
import { latestEnd, type Principal } from "../keys/api-key.ts";
import { isLive, keysGeneration } from "../keys/keys.ts";
import { operatorPlan } from "../keys/operator-keys.ts";
import { type PrincipalSource, principalOf, subscriptionColumns } from "../keys/principal.ts";
import { listOwned } from "../owned-list.ts";
import { type LimitLeft, ownedLimit } from "../quotas/limits.ts";
import { type BoundRead, feedIdOf, includedText, newToken, tokenHash } from "./feed-url.ts";

/** A stored feed URL. The store has only the hash of its token. */
export type StoredFeed = Selectable<FeedUrlTable>;

interface WantedFeed extends Pick<BoundRead, "target" | "tier"> {
  readonly name: string;
  /** Expiry of the feed URL; undefined selects the default expiry. */
  readonly expiresAt: Date | undefined;
}

export interface AccountFeeds {
  /** Lists feed URLs: active ones first, then recently expired ones, each from oldest to newest. */
  readonly list: (account: string, now: Date) => Promise<readonly StoredFeed[]>;
  /**
   * Throws `NotEntitled` if the plan does not cover the read, `Conflict` if the account has the maximum number of feed
   * URLs, and `InvalidRequest` for an invalid expiry.
   */
  readonly create: (
    maker: Principal,
    wanted: WantedFeed,
    now: Date,
  ) => Promise<{ readonly token: string; readonly feed: StoredFeed }>;
  /** Revokes a feed URL of the handler's account; an operator may revoke any. Throws `NotFound`. */
  readonly revoke: (handler: Principal, id: string, now: Date) => Promise<StoredFeed>;
  readonly left: (principal: Pick<Principal, "account" | "plan">, now: Date) => Promise<LimitLeft>;
}

const usualDays = 365;
const maxDays = 366;

export function accountFeeds(database: Store, randomBytes: (size: number) => Buffer): AccountFeeds {
  const count = async (from: Store, account: string, now: Date) => {
    const { feeds } = await from
      .selectFrom("feed_url")
      .select((row) => row.fn.countAll<string>().as("feeds"))
      .where("account", "=", account)
      .where(isLive(now))
      .executeTakeFirstOrThrow();
    return Number(feeds);
  };
  return {
    list: (account, now) =>
      listOwned(database.selectFrom("feed_url").selectAll().select(isLive(now).as("live")), account),
    create(maker, { name, target, tier, expiresAt }, now) {
      const { account, keyId, plan } = maker;
      if (plan.tier < tier)
        throw new NotEntitled("Upgrade required", { requiredTier: tier, currentTier: plan.tier, planKey: plan.key });
      const end = endOf(maker, expiresAt, now);
      return database.transaction().execute(async (transaction) => {
        // The lock on the account prevents that two concurrent requests exceed the limit.
        await transaction.selectFrom("account").select("id").where("id", "=", account).forUpdate().execute();
        const { feedUrls } = plan;
        if (feedUrls !== undefined && (await count(transaction, account, now)) >= feedUrls)
          throw new Conflict(`${includedText(feedUrls)}: revoke one first`);
        const token = newToken(randomBytes);
        const hash = tokenHash(token);
        const feed = await transaction
          .insertInto("feed_url")
          .values({
            ...{ id: feedIdOf(hash), hash, account, name, target },
            ...{ created_at: now, expires_at: end, last_used_at: null, revoked_at: null, made_by: keyId },
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        return { token, feed };
      });
    },
    revoke: ({ account, plan }, id, now) =>
      database.transaction().execute(async (transaction) => {
        const revoked = await transaction
          .updateTable("feed_url")
          .set({ revoked_at: now })
          .where("id", "=", id)
          .where(isLive(now))
          .$if(plan.key !== operatorPlan, (query) => query.where("account", "=", account))
          .returningAll()
          .executeTakeFirst();
        if (!revoked) throw new NotFound("No such active feed URL");
        // Raising this number invalidates the cached keys and feed tokens of every process.
        await raiseGeneration(transaction, keysGeneration);
        return revoked;
      }),
    left: ({ account, plan: { feedUrls } }, now) =>
      ownedLimit("feed_urls", feedUrls, () => count(database, account, now)),
  };
}

/** Returns the expiry of a feed URL, which is at most the expiry of the key that created it. */
function endOf(maker: Principal, wanted: Date | undefined, now: Date): Date {
  const latest = Math.min(now.getTime() + maxDays * dayMs, latestEnd(maker) ?? Number.POSITIVE_INFINITY);
  if (wanted && wanted <= now) throw rejected("value must be in the future");
  if (wanted && wanted.getTime() > latest)
    throw rejected(`value must be at most ${maxDays} days away and not later than the expiry of the calling key`);
  return wanted ?? new Date(Math.min(now.getTime() + usualDays * dayMs, latest));
}

function rejected(description: string): InvalidRequest {
  return invalidField("expiresAt", description);
}

/**
 * Returns the account of an active feed token, with its current entitlements and the only read that the token permits;
 * undefined if there is no such token.
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
    .select([sql<string[]>`array[]::text[]`.as("scopes"), sql<boolean>`true`.as("read_only")])
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
