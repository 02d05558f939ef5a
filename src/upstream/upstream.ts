import { UpstreamError } from "../egress/upstream-error.ts";

export interface UpstreamRequest {
  readonly url: string;
  /** Sends a POST with this form. Without it and `body`, the request is a GET. */
  readonly form?: Readonly<Record<string, string>>;
  /** Sends a POST with this value as JSON. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Timeout of one try, including the body; the default is 30,000. */
  readonly timeoutMs?: number;
  /** Maximum body size in bytes; the default is 64 MiB. */
  readonly maxBytes?: number;
  /** Maximum number of tries; the default is 3. Use 1 if every try counts against a small quota. */
  readonly tries?: number;
  /** The only host to which redirects of a GET are followed. Without it, redirects are not followed. */
  readonly redirectsTo?: string;
  /** Maximum number of consecutive redirects; the default is 1. */
  readonly redirects?: number;
  readonly contact?: string;
  /** Sends a user agent that starts like a browser's, for hosts that reject any other. It still contains our name. */
  readonly likeBrowser?: true;
  /** The request takes precedence over refreshes, and fails instead of waiting beyond its timeout. */
  readonly callerWaits?: true;
  /** If the first 500 characters of a response match, it is treated as a 429. */
  readonly tooOften?: RegExp;
  /** Accepted media types; `json` requests JSON by default. */
  readonly accept?: string;
  /** Required media type of the response, such as `text/html`. */
  readonly mediaType?: string;
}

export interface Upstream {
  readonly origin: "live" | "sample";
  readonly now: Date;
  /** Returns the body as JSON. Throws `UpstreamError` for anything but a 2xx with JSON. */
  readonly json: (request: UpstreamRequest) => Promise<unknown>;
  /** Returns the body as text, empty for a 204. Throws `UpstreamError` for anything but a 2xx. */
  readonly text: (request: UpstreamRequest) => Promise<string>;
  readonly variable: (name: string, fallback?: string) => string;
  /** Waits between requests; samples do not wait. */
  readonly pause?: (milliseconds: number) => Promise<void>;
}

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
