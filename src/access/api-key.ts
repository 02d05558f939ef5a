import { createHash } from "node:crypto";
import type { Plan } from "./plans.ts";

/** The account behind a valid key. */
export interface Principal {
  readonly account: string;
  readonly plan: Plan;
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

/** SHA-256 of the whole key: 160 random bits need no salt. */
export function hashOf(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}
