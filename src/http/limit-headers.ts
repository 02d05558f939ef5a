import type { Allowance } from "../errors.ts";

/** What is left of the narrowest quota, as flat header pairs; a refusal also says when to come back. */
export function limitHeaders(allowance: Allowance, now: Date, refused: boolean): string[] {
  const { limit, remaining, windowSeconds, resetAt } = allowance;
  const seconds = Math.max(1, Math.ceil((resetAt - now.getTime()) / 1000));
  const headers = [
    "X-RateLimit-Limit",
    `${limit}`,
    "X-RateLimit-Remaining",
    `${remaining}`,
    "X-RateLimit-Reset",
    `${Math.ceil(resetAt)}`,
    "RateLimit-Policy",
    `"default";q=${limit};w=${windowSeconds}`,
    "RateLimit",
    `"default";r=${remaining};t=${seconds}`,
  ];
  if (refused)
    headers.push(
      "RateLimit-Limit",
      `${limit}`,
      "RateLimit-Remaining",
      "0",
      "RateLimit-Reset",
      `${seconds}`,
      "Retry-After",
      `${seconds}`,
    );
  return headers;
}
