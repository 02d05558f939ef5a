import { createHash } from "node:crypto";
import type { Entitlements } from "../entitlements.ts";
import type { Plan } from "../plans.ts";
import type { Subscription } from "../subscriptions.ts";

/** The account of a valid key, with its entitlements at the time of the lookup. */
export interface Principal extends Entitlements {
  readonly account: string;
  /** ID of the key, which may be shown; empty for a visitor. */
  readonly keyId: string;
  /** Plan of the account, if the permissions are those of a higher plan. It limits exported rows. */
  readonly ownPlan?: Plan;
  readonly subscriptions: readonly Subscription[];
  /** Scopes in addition to ordinary reads. */
  readonly scopes: ReadonlySet<string>;
  /** Unix epoch milliseconds; undefined means never. */
  readonly expiresAt: number | undefined;
  /** Expiry of the key behind a session. Objects created in the session may last as long as the key. */
  readonly keyExpiresAt?: number | undefined;
  /** Set if entitlements are unknown: the store lacks the account or has only unknown plans. */
  readonly unresolved: "account" | "plan" | undefined;
  /** Set for a feed URL: its bound read, and the number of older active feed URLs of the account. */
  readonly feed?: { readonly target: string; readonly before: number };
}

/** Whether the principal is the public, which views pages with the permissions of a plan. */
export function isVisitor({ keyId }: Pick<Principal, "keyId">): boolean {
  return keyId === "";
}

/** Returns the latest expiry of objects that a principal creates; undefined means never. */
export function latestEnd(maker: Pick<Principal, "expiresAt" | "keyExpiresAt">): number | undefined {
  return "keyExpiresAt" in maker ? maker.keyExpiresAt : maker.expiresAt;
}

const shape = /^ids_[0-9a-f]{40}$/;

/** `ids_` and 40 hexadecimal digits. */
export function isKeyShaped(text: string): boolean {
  return shape.test(text);
}

export function newKey(randomBytes: (size: number) => Buffer): string {
  return `ids_${randomBytes(20).toString("hex")}`;
}

/** Returns an ID that may be shown instead of the hash. */
export function keyIdOf(hash: string): string {
  return `key_${hash.slice(0, 24)}`;
}

/** Returns the visible prefix of a key: enough to recognize it, too little to guess it. */
export function prefixOf(key: string): string {
  return key.slice(0, 9);
}

/** SHA-256 of the whole key. A key of 160 random bits needs no salt. */
export function hashOf(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}
