import type { DataFacts } from "./api-promise.ts";
import type { ErrorContext } from "./errors.ts";

/** Returns the facts in the headers of a failed response, which do not depend on its body. */
export function limitsFrom(
  headers: Headers,
  status: number,
  sentRequestId: string,
  now: number,
): Omit<ErrorContext, "body" | "cause"> {
  return {
    status,
    requestId: headers.get("X-Request-Id") ?? sentRequestId,
    retryAfterSeconds: retryAfter(headers.get("Retry-After"), now),
    shouldRetry: truth(headers.get("X-Should-Retry")),
  };
}

/** Returns the state of the data in a response, from its headers. */
export function dataFactsOf(headers: Headers): DataFacts {
  const ageSeconds = integer(headers, "X-Data-Age");
  return {
    sample: headers.get("X-Data-Origin") === "sample",
    stale: headers.get("X-Data-Stale") === "true",
    ...(ageSeconds === undefined ? {} : { ageSeconds }),
    missing: headers.get("X-Data-Missing")?.split(", ") ?? [],
  };
}

/** Returns the limit and the remaining requests, from their headers. */
export function limitsOf(headers: Headers): { limit?: number | undefined; remaining?: number | undefined } {
  return { limit: integer(headers, "X-RateLimit-Limit"), remaining: integer(headers, "X-RateLimit-Remaining") };
}

/** Returns the end of the limit's window. */
export function resetOf(headers: Headers): Date | undefined {
  const reset = integer(headers, "X-RateLimit-Reset");
  return reset === undefined ? undefined : new Date(reset);
}

function integer(headers: Headers, name: string): number | undefined {
  const text = headers.get(name);
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined;
}

function truth(text: string | null): boolean | undefined {
  return text === "true" ? true : text === "false" ? false : undefined;
}

/** Returns the seconds of `Retry-After`, which a proxy may send as a date. */
export function retryAfter(text: string | null, now: number): number | undefined {
  if (text === null) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const date = /^[a-z]{3}, .* GMT$/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, (date - now) / 1_000);
}
