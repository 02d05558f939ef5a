import type { Exchange } from "./exchange.ts";

const wellFormed = /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/**
 * Returns the origin of the service as its caller sees it: the requested host, and `https` if a trusted proxy says so.
 */
export function originOf(exchange: Exchange): string {
  const { headers } = exchange.request;
  const host = String(headers[":authority"] ?? headers.host ?? "");
  const isEncrypted = exchange.isFromProxy() && headers["x-forwarded-proto"] === "https";
  const scheme = isEncrypted ? "https" : "http";
  const isHost = wellFormed.test(host) && URL.canParse(`${scheme}://${host}`);
  return `${scheme}://${isHost ? host.toLowerCase() : "localhost"}`;
}
