/** The part of a quota that a caller has left. */
export interface Allowance {
  readonly limit: number;
  readonly remaining: number;
  readonly windowSeconds: number;
  /** End of the window, Unix epoch milliseconds. */
  readonly resetAt: number;
}

/** Adds what is left of the narrowest quota, as flat header pairs. */
export function addLimits(headers: string[], { limit, remaining, resetAt }: Allowance, now: number): void {
  headers.push(
    "X-RateLimit-Limit",
    `${limit}`,
    "X-RateLimit-Remaining",
    `${remaining}`,
    "X-RateLimit-Reset",
    `${Math.ceil(resetAt)}`,
    "RateLimit",
    `"default";r=${remaining};t=${secondsLeft(resetAt, now)}`,
  );
}

/** The headers of a refusal: what is left, the rule, and when to come back. */
export function rejectionHeaders(allowance: Allowance, now: number): string[] {
  const { limit, remaining, windowSeconds, resetAt } = allowance;
  const seconds = `${secondsLeft(resetAt, now)}`;
  const headers: string[] = [];
  addLimits(headers, allowance, now);
  headers.push("RateLimit-Policy", `"default";q=${limit};w=${windowSeconds}`);
  headers.push("RateLimit-Limit", `${limit}`, "RateLimit-Remaining", `${remaining}`, "RateLimit-Reset", seconds);
  headers.push("Retry-After", seconds);
  return headers;
}

function secondsLeft(resetAt: number, now: number): number {
  return Math.max(1, Math.ceil((resetAt - now) / 1000));
}
