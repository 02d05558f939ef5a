// Written by `make generate`.
/** Feed URLs of the account. */
export interface ListFeedUrlsResponse {
  /** Active feed URLs first, then oldest first. Of the inactive ones, only the newest. At most 200 in total. */
  feeds: FeedUrl[];
}

/** The new feed URL, shown only once. */
export interface CreateFeedUrlResponse {
  /** The URL, as a path of this service. It opens the read to everyone who has it. Only a hash of it is stored. */
  url: string;
  /** Stored properties of the feed URL. */
  feed?: FeedUrl;
}

/** The revoked feed URL. */
export interface RevokeFeedUrlResponse {
  /** The feed URL, with `revokedAt` set. */
  feed?: FeedUrl;
}

/** The read that the new URL is bound to. */
export interface CreateFeedUrlRequest {
  /** Display name, 1 to 100 characters in one line that are not all blank, without control and invisible characters. */
  name: string;
  /** Path and query of the read, as in its GET request: percent-encoded, without host and fragment. `format` is part of the query (default `json`); with `all=true` the rows of all pages count against the plan's exported rows. Unknown parameters are refused. */
  path: string;
  /** Expiry, Unix epoch milliseconds, in the future, at most 366 days away and not after the expiry of the calling key. Default: in 365 days, or with the calling key if that is earlier. */
  expiresAt?: number | undefined;
}

/** Feed URL to revoke. */
export interface RevokeFeedUrlRequest {
  /** Id of the feed URL, such as `feed_…`. */
  feedId: string;
}

/** A feed URL. The URL itself is not stored. */
export interface FeedUrl {
  /** Id of the feed URL, such as `feed_…`. */
  id: string;
  /** Account that owns it. */
  account: string;
  /** Display name. */
  name: string;
  /** Path and query of the read that it answers. */
  path: string;
  /** Creation time, Unix epoch milliseconds. */
  createdAt: number;
  /** Expiry, Unix epoch milliseconds. */
  expiresAt: number;
  /** Time of the last use, Unix epoch milliseconds, accurate to five minutes. Absent if never used. */
  lastUsedAt?: number;
  /** Revocation time, Unix epoch milliseconds. Absent if it is not revoked. */
  revokedAt?: number;
}

export interface GetPaths {
  /** Lists feed URLs. Active ones come first, then oldest first. The URL itself is never shown again. Requires scope `keys:read`. */
  "/api/account/v1/list-feed-urls": {
    query: {
      /** Account id, for the operator only. Default: the caller's own account. */
      account?: string | undefined;
    };
    answer: ListFeedUrlsResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
}

export interface PostPaths {
  /** Creates a feed URL and returns it once. The URL answers one read in one format without a key, for spreadsheets and other programs that cannot send headers. Each request to it counts as a request of the account, and what the account's plan does not cover is refused (403). Any read of data can be bound, not those of the account itself. Requires scope `keys:write`. 403 if the plan does not cover the read, 409 if the account already has as many active feed URLs as its plan includes. */
  "/api/account/v1/create-feed-url": { body: CreateFeedUrlRequest; answer: CreateFeedUrlResponse };
  /** Revokes a feed URL on every replica within two seconds. Requires scope `keys:write`. 404 if the account has no such active feed URL. */
  "/api/account/v1/revoke-feed-url": { body: RevokeFeedUrlRequest; answer: RevokeFeedUrlResponse };
}

