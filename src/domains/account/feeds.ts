import type { ServiceImpl } from "@connectrpc/connect";
import type { AccountService } from "../../../gen/es/ids/account/v1/account_pb.ts";
import type { Accounts } from "../../access/accounts.ts";
import { callerKey, principalOf } from "../../access/caller.ts";
import type { AccountFeeds } from "../../access/feeds/account-feeds.ts";
import { type BindRead, feedPath } from "../../access/feeds/feed-url.ts";
import { feedMessage } from "./messages.ts";
import { ownerOf } from "./owner.ts";

export interface FeedParts {
  readonly feeds: AccountFeeds;
  /** Which read a path is, if a feed URL can be bound to it. Throws `InvalidRequest`. */
  readonly bind: BindRead;
  readonly accounts: Pick<Accounts, "get">;
  readonly clock: () => Date;
}

type FeedMethods = Pick<ServiceImpl<typeof AccountService>, "listFeedUrls" | "createFeedUrl" | "revokeFeedUrl">;

/** The feed URLs of an account. */
export function feedMethods({ feeds, bind, accounts, clock }: FeedParts): FeedMethods {
  return {
    async listFeedUrls(request, context) {
      const owner = ownerOf(context.values.get(callerKey), request.account);
      if (request.account !== "") await accounts.get(owner);
      return { feeds: (await feeds.list(owner, clock())).map(feedMessage) };
    },
    async createFeedUrl({ name, path, expiresAt }, context) {
      const { format, ...bound } = bind(path);
      const end = expiresAt === undefined ? undefined : new Date(Number(expiresAt));
      const maker = principalOf(context.values.get(callerKey));
      const { token, feed } = await feeds.create(maker, { name, ...bound, expiresAt: end }, clock());
      return { url: feedPath(token, format), feed: feedMessage(feed) };
    },
    async revokeFeedUrl({ feedId }, context) {
      return { feed: feedMessage(await feeds.revoke(principalOf(context.values.get(callerKey)), feedId, clock())) };
    },
  };
}
