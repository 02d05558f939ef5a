import { createHash } from "node:crypto";

const shape = /^[A-Za-z0-9_-]{43}$/;

/** 256 bits in base64url. */
export function isTokenShaped(text: string): boolean {
  return shape.test(text);
}

export function newToken(randomBytes: (size: number) => Buffer): string {
  return randomBytes(32).toString("base64url");
}

/** SHA-256 of the whole token. A token of 256 random bits needs no salt. */
export function tokenHash(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** Returns an ID that may be shown instead of the hash. */
export function feedIdOf(hash: string): string {
  return `feed_${hash.slice(0, 24)}`;
}

export interface BoundRead {
  readonly target: string;
  readonly format: string;
  readonly tier: number;
}

/** Resolves a path with query to a read. Throws `InvalidRequest`. */
export type BindRead = (path: string) => BoundRead;

export const feedsPath = "/feeds/{feed}";

/** Returns the path of a feed URL. Its extension shows programs the format. */
export function feedPath(token: string, format: string): string {
  return feedsPath.replace("{feed}", `${token}.${format}`);
}

export const alertFeedsPath = "/alert-feeds/{feed}";

export function alertFeedPath(token: string): string {
  return alertFeedsPath.replace("{feed}", `${token}.atom`);
}

const named = /^\/(?:alert-)?feeds\/([\w-]+)(?:\.[\w.-]{1,32})?$/;

/** Returns the token in a path without its extension; undefined if there is none. */
export function tokenIn(path: string): string | undefined {
  return named.exec(path)?.[1];
}

export function includedText(feedUrls: number): string {
  return `The plan includes ${feedUrls} active feed URL${feedUrls === 1 ? "" : "s"}`;
}
