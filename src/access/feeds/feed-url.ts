import { createHash } from "node:crypto";

const shape = /^[A-Za-z0-9_-]{43}$/;

/** Returns whether a text has the format of a feed token: 256 bits in base64url. */
export function isTokenShaped(text: string): boolean {
  return shape.test(text);
}

export function newToken(randomBytes: (size: number) => Buffer): string {
  return randomBytes(32).toString("base64url");
}

/** Returns the SHA-256 of a token. A salt is unnecessary, because the token has 256 random bits. */
export function tokenHash(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** Returns a public ID for a feed URL, from which the hash cannot be derived. */
export function feedIdOf(hash: string): string {
  return `feed_${hash.slice(0, 24)}`;
}

export interface BoundRead {
  readonly target: string;
  readonly format: string;
  readonly tier: number;
}

/** Parses the path and query of a read. Throws `InvalidRequest`. */
export type BindRead = (path: string) => BoundRead;

export const feedsPath = "/feeds/{feed}";

/** Returns the path of a feed URL. The extension shows the format to programs such as spreadsheets. */
export function feedPath(token: string, format: string): string {
  return feedsPath.replace("{feed}", `${token}.${format}`);
}

export const alertFeedsPath = "/alert-feeds/{feed}";

export function alertFeedPath(token: string): string {
  return alertFeedsPath.replace("{feed}", `${token}.atom`);
}

const named = /^\/(?:alert-)?feeds\/([\w-]+)(?:\.[\w.-]{1,32})?$/;

/** Returns the token in a feed path, without the extension; undefined if there is none. */
export function tokenIn(path: string): string | undefined {
  return named.exec(path)?.[1];
}

export function includedText(feedUrls: number): string {
  return `The plan includes ${feedUrls} active feed URL${feedUrls === 1 ? "" : "s"}`;
}
