import { type Exchange, send } from "../exchange.ts";

export const htmlType = "text/html; charset=utf-8";

const policy = (ancestors: string) =>
  `default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-ancestors ${ancestors}; base-uri 'none'; form-action 'self'`;

/** Of every page: no script and no style but the files of this host, and no frame of others around it. Flat pairs. */
export const pageHeaders = headersWith("'none'");

/** Of a block that pages of others may show. */
export const embedHeaders = headersWith("*");

function headersWith(ancestors: string): readonly string[] {
  return ["Content-Security-Policy", policy(ancestors), "Referrer-Policy", "no-referrer"];
}

/** Sends a page that nobody may keep. */
export function sendPage(exchange: Exchange, status: number, page: string, headers: readonly string[] = []): number {
  const bytes = Buffer.from(page);
  const content = ["Content-Type", htmlType, "Content-Length", `${bytes.length}`, "X-Content-Type-Options", "nosniff"];
  const all = [...content, "Cache-Control", "no-store", ...pageHeaders, ...exchange.headers, ...headers];
  send(exchange, status, all, bytes);
  return status;
}
