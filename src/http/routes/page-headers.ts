import { type Exchange, send } from "../exchange.ts";

export const htmlType = "text/html; charset=utf-8";

const policy = (ancestors: string) =>
  `default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-ancestors ${ancestors}; base-uri 'none'; form-action 'self'`;

/** Of every page: no script and no style but the files of this host, and no frame of others around it. Flat pairs. */
export const pageHeaders = headersWith("'none'");

/** Of a block that pages of others may show. */
export const embedHeaders = headersWith("*");

/** Of what is one account's: no cache keeps it, and its own forms say where they are from. */
export const privateHeaders = headersWith("'none'", "same-origin");

function headersWith(ancestors: string, referrer = "no-referrer"): readonly string[] {
  return ["Content-Security-Policy", policy(ancestors), "Referrer-Policy", referrer];
}

/** Sends a page that nobody may keep. */
export function sendPage(
  exchange: Exchange,
  status: number,
  page: string,
  headers: readonly string[] = [],
  own = pageHeaders,
  type = htmlType,
): number {
  const bytes = Buffer.from(page);
  const content = ["Content-Type", type, "Content-Length", `${bytes.length}`, "X-Content-Type-Options", "nosniff"];
  const all = [...content, "Cache-Control", "no-store", ...own, ...exchange.headers, ...headers];
  send(exchange, status, all, bytes);
  return status;
}
