import { type Exchange, send } from "../../http/exchange.ts";

/** To another page of this host, never kept. */
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
