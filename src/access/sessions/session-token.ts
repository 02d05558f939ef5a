import { createHash } from "node:crypto";

const shape = /^[A-Za-z0-9_-]{43}$/;

/** 256 bits in base64url. */
export function isSessionShaped(text: string): boolean {
  return shape.test(text);
}

/** SHA-256 of the whole token: 256 random bits need no salt. */
export function sessionHash(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** What a form of the session sends along: who cannot read the page does not know it, and it tells nothing of the session. */
export function formToken(token: string): string {
  return createHash("sha256").update(`form ${token}`).digest("base64url");
}
