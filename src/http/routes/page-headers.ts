import { contentHeaders, type Exchange, send } from "../exchange.ts";

export const htmlType = "text/html; charset=utf-8";

const policy = (ancestors: string) =>
  `default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; object-src 'none'; frame-ancestors ${ancestors}; base-uri 'none'; form-action 'self'`;

/** Headers of public pages: scripts and styles only from this host, and no embedding in other sites. */
export const pageHeaders = headersWith("'none'");

export const embedHeaders = headersWith("*");

/** Headers of private pages: caches do not store them, and forms send a referrer only to this host. */
export const privateHeaders = headersWith("'none'", "same-origin");

function headersWith(ancestors: string, referrer = "no-referrer"): readonly string[] {
  return ["Content-Security-Policy", policy(ancestors), "Referrer-Policy", referrer];
}

/** Sends a page that must not be cached. */
export function sendPage(
  exchange: Exchange,
  status: number,
  page: string,
  headers: readonly string[] = [],
  own = pageHeaders,
  type = htmlType,
): number {
  const bytes = Buffer.from(page);
  const all = [
    ...contentHeaders(bytes.length, type),
    "Cache-Control",
    "no-store",
    ...own,
    ...exchange.headers,
    ...headers,
  ];
  send(exchange, status, all, bytes);
  return status;
}
