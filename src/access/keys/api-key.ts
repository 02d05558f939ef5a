import { createHash } from "node:crypto";
import type { Entitlements } from "../entitlements.ts";
import type { Plan } from "../plans.ts";
import type { Subscription } from "../subscriptions.ts";

/** Valid API key, session, or feed URL, with its account and the account's entitlements at the time of the lookup. */
export interface Principal extends Entitlements {
  readonly account: string;
  /** Public ID of the key; empty for a visitor without a key. */
  readonly keyId: string;
  /** The account's own plan, if the public's higher plan determines access. It still limits exported rows. */
  readonly ownPlan?: Plan;
  readonly subscriptions: readonly Subscription[];
  /** Scopes of the key. Ordinary reads of data need none. */
  readonly scopes: ReadonlySet<string>;
  /** True if the key may only call operations that read. */
  readonly readOnly: boolean;
  /** Expiry of the key or session in Unix epoch milliseconds; undefined means never. */
  readonly expiresAt: number | undefined;
  /** Expiry of the key that started the session. Keys and feeds created in the session may last as long. */
  readonly keyExpiresAt?: number | undefined;
  /** Set if entitlements are unknown, because the account is missing or none of its plans is known. */
  readonly unresolved: "account" | "plan" | undefined;
  /** Set for a feed URL: the read that it permits, and the number of older active feed URLs of the account. */
  readonly feed?: { readonly target: string; readonly before: number };
}

/** Returns whether the principal is a visitor of the console without a key. */
export function isVisitor({ keyId }: Pick<Principal, "keyId">): boolean {
  return keyId === "";
}

/** Returns the latest expiry of keys and feeds that the principal creates; undefined means never. */
export function latestEnd(maker: Pick<Principal, "expiresAt" | "keyExpiresAt">): number | undefined {
  return "keyExpiresAt" in maker ? maker.keyExpiresAt : maker.expiresAt;
}

const shape = /^ids_[0-9a-f]{40}$/;

/** Returns whether a text has the format of a key: `ids_` and 40 hexadecimal digits. */
export function isKeyShaped(text: string): boolean {
  return shape.test(text);
}

export function newKey(randomBytes: (size: number) => Buffer): string {
  return `ids_${randomBytes(20).toString("hex")}`;
}

/** Returns a public ID for a key, from which the hash cannot be derived. */
export function keyIdOf(hash: string): string {
  return `key_${hash.slice(0, 24)}`;
}

/** Returns the first characters of a key, which identify it to users but do not help to guess it. */
export function prefixOf(key: string): string {
  return key.slice(0, 9);
}

/** Returns the SHA-256 of a key. A salt is unnecessary, because the key has 160 random bits. */
export function hashOf(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}
