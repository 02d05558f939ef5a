import { cors as rpc } from "@connectrpc/connect";
import { asOfHeader } from "../contract/as-of.ts";
import { headerComponents } from "../contract/openapi/headers.ts";
import { updatedAfterHeader } from "../contract/updated-after.ts";

const exposed = [...Object.keys(headerComponents), ...rpc.exposedHeaders].join(", ");
const sent = [
  "X-Service-Key",
  "X-Api-Key",
  "X-Request-Id",
  "Idempotency-Key",
  "Prefer",
  asOfHeader,
  updatedAfterHeader,
  // Clients read event streams with fetch, which does not send this header automatically.
  "Last-Event-ID",
  // AI agents in browsers send these headers to /mcp.
  ...["Authorization", "Mcp-Protocol-Version", "Mcp-Method", "Mcp-Name", "Mcp-Session-Id"],
  // Libraries for caching and conditional requests send these headers.
  ...["If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "Range", "If-Range"],
  ...["Cache-Control", "Pragma", "X-Requested-With", "Traceparent", "Tracestate", "Baggage", "B3", "Sentry-Trace"],
  ...rpc.allowedHeaders,
  // `*` allows any other header except Authorization, and is valid only because browsers send no credentials.
  "*",
].join(", ");

const lasting = ["Access-Control-Allow-Headers", sent, "Access-Control-Max-Age", "3600"];

/** Returns the headers for the response to OPTIONS on a path with these verbs, as flat pairs. Only a preflight has a verb. */
export function optionsHeaders(verbs: readonly string[], requestedVerb: string | undefined): readonly string[] {
  const all = [...verbs, "OPTIONS"].join(", ");
  return ["Allow", all, ...(requestedVerb === undefined ? [] : ["Access-Control-Allow-Methods", all, ...lasting])];
}

/** These headers allow every origin, so that a cache can return the same response to any browser. */
const everyOrigin = ["Access-Control-Allow-Origin", "*", "Access-Control-Expose-Headers", "*"];

/** Returns whether the response is the same for every origin, according to its headers. */
export function isForEveryOrigin(headers: readonly string[]): boolean {
  return headers[headers.indexOf("Access-Control-Allow-Origin") + 1] === "*";
}

/** Returns the CORS headers for an origin, as alternating names and values; undefined if it is not allowed. */
type OriginHeaders = (origin: string | undefined) => readonly string[] | undefined;

/**
 * Creates the function that returns CORS headers. An empty list allows every origin. Requests without an `Origin`
 * header are allowed, because only browsers send it. API keys are not sent by browsers automatically, and the cookie of
 * a sign-in is `SameSite=Strict`, so `*` without credentials is safe.
 */
export function originHeaders(allowedOrigins: readonly string[]): OriginHeaders {
  if (allowedOrigins.length === 0) return () => everyOrigin;
  const byOrigin = new Map(
    allowedOrigins.map((origin) => [
      origin,
      ["Access-Control-Allow-Origin", origin, "Access-Control-Expose-Headers", exposed],
    ]),
  );
  return (origin) => (origin === undefined ? [] : byOrigin.get(origin));
}
