import { type Exchange, send } from "../../http/exchange.ts";

/** Redirects to another page of this host. The response is never cached. */
export function redirect(exchange: Exchange, to: string, headers: readonly string[] = []): number {
  send(exchange, 303, [
    "Location",
    to,
    "Content-Length",
    "0",
    "Cache-Control",
    "no-store",
    ...headers,
    ...exchange.headers,
  ]);
  return 303;
}
