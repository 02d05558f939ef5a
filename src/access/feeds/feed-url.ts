import { createHash } from "node:crypto";

const shape = /^[A-Za-z0-9_-]{43}$/;

/** 256 bits in base64url. */
export function isTokenShaped(text: string): boolean {
  return shape.test(text);
}

export function newToken(randomBytes: (size: number) => Buffer): string {
  return randomBytes(32).toString("base64url");
}

/** SHA-256 of the whole token: 256 random bits need no salt. */
export function tokenHash(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** Names a feed URL where its hash must not be shown. */
export function feedIdOf(hash: string): string {
  return `feed_${hash.slice(0, 24)}`;
}

/** A read that a feed URL can be bound to. */
export interface BoundRead {
  /** Path and query, in which the format is named. */
  readonly target: string;
  readonly format: string;
  /** The lowest tier that may read it. */
  readonly tier: number;
}

/** Which read a path with its query is. Throws `InvalidRequest`. */
export type BindRead = (path: string) => BoundRead;

/** Where feed URLs are, with a place for what follows. */
export const feedsPath = "/feeds/{feed}";

/** The path of a feed URL; programs tell by its end what they get. */
export function feedPath(token: string, format: string): string {
  return feedsPath.replace("{feed}", `${token}.${format}`);
}

/** Where Atom feeds of alert rules are, with a place for the token. */
export const alertFeedsPath = "/alert-feeds/{feed}";

export function alertFeedPath(token: string): string {
  return alertFeedsPath.replace("{feed}", `${token}.atom`);
}

const named = /^\/(?:alert-)?feeds\/([\w-]+)(?:\.[\w.-]{1,32})?$/;

/** The token in a path, whatever its end; undefined where there is none. */
export function tokenIn(path: string): string | undefined {
  return named.exec(path)?.[1];
}

/** What a plan includes, as a refusal begins. */
export function includedText(feedUrls: number): string {
  return `The plan includes ${feedUrls} active feed URL${feedUrls === 1 ? "" : "s"}`;
}
