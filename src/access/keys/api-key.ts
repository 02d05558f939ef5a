import { createHash } from "node:crypto";
import type { Entitlements } from "../entitlements.ts";
import type { Plan } from "../plans.ts";
import type { Subscription } from "../subscriptions.ts";

/** The account behind a valid key, and how it stood when it was looked up. */
export interface Principal extends Entitlements {
  readonly account: string;
  /** Id of the key, which is no secret; empty for a visitor. */
  readonly keyId: string;
  /** By which rows of all pages are counted, where the rights are those of a wider plan: the account's own. */
  readonly ownPlan?: Plan;
  readonly subscriptions: readonly Subscription[];
  /** Rights beside the generic reads. */
  readonly scopes: ReadonlySet<string>;
  /** Unix epoch milliseconds; undefined: never. */
  readonly expiresAt: number | undefined;
  /** The same of the key behind a session, which ends before it: what is made by it may last as long as the key. */
  readonly keyExpiresAt?: number | undefined;
  /** Set where the store does not tell what it may do: it has no such account, or only plans that are unknown here. */
  readonly unresolved: "account" | "plan" | undefined;
  /** Of a feed URL in place of a key: the read that it is bound to, and how many live ones of the account are older. */
  readonly feed?: { readonly target: string; readonly before: number };
}

/** Whether it is no account, but the public, which looks at pages with the rights of a plan. */
export function isVisitor({ keyId }: Pick<Principal, "keyId">): boolean {
  return keyId === "";
}

/** By when what a principal makes must end; undefined: never. */
export function latestEnd(maker: Pick<Principal, "expiresAt" | "keyExpiresAt">): number | undefined {
  return "keyExpiresAt" in maker ? maker.keyExpiresAt : maker.expiresAt;
}

const shape = /^ids_[0-9a-f]{40}$/;

/** `ids_` and 40 hexadecimal digits. */
export function isKeyShaped(text: string): boolean {
  return shape.test(text);
}

/** Makes a key of 20 random bytes. */
export function newKey(randomBytes: (size: number) => Buffer): string {
  return `ids_${randomBytes(20).toString("hex")}`;
}

/** Names a key where its hash must not be shown. */
export function keyIdOf(hash: string): string {
  return `key_${hash.slice(0, 24)}`;
}

/** What is shown of a key: enough to tell it from others, too little to guess it. */
export function prefixOf(key: string): string {
  return key.slice(0, 9);
}

/** SHA-256 of the whole key: 160 random bits need no salt. */
export function hashOf(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}
