import { UpstreamError } from "../egress/upstream-error.ts";

export interface UpstreamRequest {
  readonly url: string;
  /** Sends a POST with these form fields. Without `form` and `body`, the request is a GET. */
  readonly form?: Readonly<Record<string, string>>;
  /** Sends a POST with this value as JSON. */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Timeout in milliseconds of one try, including the body. The default is 30,000. */
  readonly timeoutMs?: number;
  /** Maximum body size in bytes; the default is 64 MiB. */
  readonly maxBytes?: number;
  /** Maximum number of tries. Default: 3. Set 1 if failed tries also count against a small quota of the source. */
  readonly tries?: number;
  /** The only host to which a GET may be redirected. If it is absent, redirects are not followed. */
  readonly redirectsTo?: string;
  /** Maximum number of consecutive redirects; the default is 1. */
  readonly redirects?: number;
  readonly contact?: string;
  /** Starts the user agent like that of a browser, for hosts that reject others. It still contains our name. */
  readonly likeBrowser?: true;
  /** True if a caller waits. The request precedes those of refreshes, and fails if it waits beyond its timeout. */
  readonly callerWaits?: true;
  /** If the first 500 characters of the response match, the response counts as a 429. */
  readonly tooOften?: RegExp;
  /** Media types in the `accept` header. `json` accepts JSON by default. */
  readonly accept?: string;
  /** Required media type of the response, such as `text/html`. Other responses fail. */
  readonly mediaType?: string;
  /** Called with each response that the request returns. A repeated cached body is reported with its status 304. */
  readonly received?: (response: ReceivedResponse) => void;
}

/** A response as the source sent it, after its transfer encoding is removed. */
export interface ReceivedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer<ArrayBuffer>;
}

export interface Upstream {
  readonly origin: "live" | "sample";
  readonly now: Date;
  /** Returns the parsed JSON body. Throws `UpstreamError` unless the response is a 2xx with JSON. */
  readonly json: (request: UpstreamRequest) => Promise<unknown>;
  /** Returns the body as text, which is empty for a 204. Throws `UpstreamError` unless the response is a 2xx. */
  readonly text: (request: UpstreamRequest) => Promise<string>;
  readonly variable: (name: string, fallback?: string) => string;
  /** Waits between two requests. It is absent for samples, which do not wait. */
  readonly pause?: (milliseconds: number) => Promise<void>;
}

/** Parses a response as JSON. Throws `UpstreamError` for other text. */
export function readJson(request: UpstreamRequest, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    // The source has changed its format, so a retry would not help. Errors with the status 200 are not retried.
    throw new UpstreamError(`${new URL(request.url).host} answered ${whatOf(text)}`, { cause, status: 200 });
  }
}

/** Removes a byte order mark, which JSON does not allow. Windows-1252 that is declared as UTF-8 is decoded too. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

function whatOf(text: string): string {
  const start = text.trimStart();
  if (start === "") return "an empty body instead of JSON";
  if (start.startsWith("<")) return "HTML or XML, which is not JSON";
  // ASCII letters in UTF-16 have a NUL before or after them if they are decoded as UTF-8.
  if (/^.?.?[[{"]\0|^\0[[{"]/s.test(start)) return "text in UTF-16, which is not JSON";
  return /^[[{]/.test(start) ? "truncated or invalid JSON" : "something that is not JSON";
}
