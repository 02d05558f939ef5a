import { createHash } from "node:crypto";

const shape = /^[A-Za-z0-9_-]{43}$/;

/** 256 bits in base64url. */
export function isSessionShaped(text: string): boolean {
  return shape.test(text);
}

/** SHA-256 of the whole token. A token of 256 random bits needs no salt. */
export function sessionHash(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** The token prevents CSRF. Other sites cannot read it, and it does not reveal the session. */
export function formToken(token: string): string {
  return createHash("sha256").update(`form ${token}`).digest("base64url");
}
