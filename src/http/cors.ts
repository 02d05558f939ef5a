import { headerComponents } from "../contract/openapi-responses.ts";
import { OriginRefused } from "./errors.ts";

/** Cross-origin rules. Keys are header credentials and there are no cookies, so `*` without credentials is safe. */
export interface Cors {
  /** Flat header pairs of every answer to this origin. Throws `OriginRefused`. */
  readonly headersFor: (origin: string | undefined) => readonly string[];
  /** Flat header pairs of the answer to OPTIONS. */
  readonly preflight: readonly string[];
}

const exposed = [
  ...Object.keys(headerComponents),
  "Deprecation",
  "Link",
  "Location",
  "CDN-Cache-Control",
  "WWW-Authenticate",
].join(", ");
const sent = [
  "Content-Type",
  "X-Service-Key",
  "X-Api-Key",
  "X-Request-Id",
  "If-None-Match",
  "Idempotency-Key",
  "Prefer",
  "Connect-Protocol-Version",
  "Connect-Timeout-Ms",
  "X-Grpc-Web",
  "X-User-Agent",
  "Grpc-Timeout",
].join(", ");

const preflight = [
  "Allow",
  "GET, HEAD, POST, OPTIONS",
  "Access-Control-Allow-Methods",
  "GET, HEAD, POST, OPTIONS",
  "Access-Control-Allow-Headers",
  sent,
  "Access-Control-Max-Age",
  "3600",
];

/** Every origin when none is named; else those, and others are refused. A request without an origin always passes. */
export function cors(allowedOrigins: readonly string[]): Cors {
  const toAll = ["Access-Control-Allow-Origin", "*", "Access-Control-Expose-Headers", exposed];
  if (allowedOrigins.length === 0) return { headersFor: () => toAll, preflight };
  const byOrigin = new Map(
    allowedOrigins.map((origin) => [
      origin,
      ["Access-Control-Allow-Origin", origin, "Access-Control-Expose-Headers", exposed],
    ]),
  );
  return {
    headersFor: (origin) => {
      if (origin === undefined) return [];
      const headers = byOrigin.get(origin);
      if (!headers) throw new OriginRefused("Origin not allowed");
      return headers;
    },
    preflight,
  };
}
