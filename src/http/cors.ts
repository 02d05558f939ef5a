import { cors as rpc } from "@connectrpc/connect";
import { asOfHeader } from "../contract/as-of.ts";
import { headerComponents } from "../contract/openapi/headers.ts";
import { updatedAfterHeader } from "../contract/updated-after.ts";

/** Cross-origin rules. Keys are header credentials, and the cookie of a sign-in is `SameSite=Strict`, so `*` without credentials is safe. */
export interface Cors {
  /** Flat header pairs of every answer to this origin; undefined for one that is not let in. */
  readonly headersFor: (origin: string | undefined) => readonly string[] | undefined;
  /** Flat header pairs of the answer to OPTIONS of a path that takes these verbs. */
  readonly preflight: (verbs: readonly string[]) => readonly string[];
}

const exposed = [...Object.keys(headerComponents), ...rpc.exposedHeaders].join(", ");
const sent = [
  "X-Service-Key",
  "X-Api-Key",
  "X-Request-Id",
  "Idempotency-Key",
  "Prefer",
  asOfHeader,
  updatedAfterHeader,
  // Streams are followed by fetch, which sends no such header by itself.
  "Last-Event-ID",
  // What agents in browsers send to /mcp.
  ...["Authorization", "Mcp-Protocol-Version", "Mcp-Method", "Mcp-Name", "Mcp-Session-Id"],
  // Libraries for caching and tracing add these to every request.
  ...["If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "Range", "If-Range"],
  ...["Cache-Control", "Pragma", "X-Requested-With", "Traceparent", "Tracestate", "Baggage", "B3", "Sentry-Trace"],
  ...rpc.allowedHeaders,
  // Any header is safe, because requests carry no credentials of the browser. `*` does not include Authorization.
  "*",
].join(", ");

function preflightOf(verbs: readonly string[]): readonly string[] {
  const all = [...verbs, "OPTIONS"].join(", ");
  return [
    "Allow",
    all,
    "Access-Control-Allow-Methods",
    all,
    "Access-Control-Allow-Headers",
    sent,
    "Access-Control-Max-Age",
    "3600",
  ];
}

/** Whoever asks, so that a cache may give any browser what it was given. */
const everyOrigin = ["Access-Control-Allow-Origin", "*", "Access-Control-Expose-Headers", "*"];

/** Whether an answer with these flat pairs is the same for every origin. */
export function isForEveryOrigin(headers: readonly string[]): boolean {
  return headers[headers.indexOf("Access-Control-Allow-Origin") + 1] === "*";
}

/** Every origin when none is named; else those, and others are refused. A request without an origin, which only browsers send, always passes. */
export function cors(allowedOrigins: readonly string[]): Cors {
  if (allowedOrigins.length === 0) return { headersFor: () => everyOrigin, preflight: preflightOf };
  const byOrigin = new Map(
    allowedOrigins.map((origin) => [
      origin,
      ["Access-Control-Allow-Origin", origin, "Access-Control-Expose-Headers", exposed],
    ]),
  );
  return {
    headersFor: (origin) => (origin === undefined ? [] : byOrigin.get(origin)),
    preflight: preflightOf,
  };
}
