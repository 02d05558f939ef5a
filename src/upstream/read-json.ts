import { UpstreamError } from "../egress/upstream-error.ts";
import type { UpstreamRequest } from "./upstream.ts";

/** Parses a JSON response. Anything else throws `UpstreamError`. */
export function readJson(request: UpstreamRequest, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    // A 2xx with another format is not retried, because the format has changed.
    throw new UpstreamError(`${new URL(request.url).host} answered ${whatOf(text)}`, { cause, status: 200 });
  }
}

function whatOf(text: string): string {
  const start = text.trimStart();
  if (start === "") return "an empty body instead of JSON";
  if (start.startsWith("<")) return "HTML or XML, which is not JSON";
  // UTF-16 decoded as UTF-8 has a NUL after or before each ASCII letter.
  if (/^.?.?[[{"]\0|^\0[[{"]/s.test(start)) return "text in UTF-16, which is not JSON";
  return /^[[{]/.test(start) ? "truncated or invalid JSON" : "something that is not JSON";
}
