import { MessageRefused } from "./errors.ts";
import type { Request } from "./exchange.ts";
import type { RequestHead } from "./request-head.ts";

/** What node's parser of HTTP/1.1 lets through (RFC 9112: 2.3, 3.2, 6.1). Throws `MessageRefused`. */
export function requireWellFormed(request: Request, { hosts, transferEncoding }: RequestHead): void {
  if ("stream" in request) return;
  const { httpVersionMajor, httpVersionMinor } = request;
  if (httpVersionMajor !== 1) throw new MessageRefused(httpVersionMajor < 1 ? 400 : 505);
  // A proxy may have gone by another one of several.
  if (hosts > 1 || (hosts === 0 && httpVersionMinor > 0)) throw new MessageRefused(400);
  if (request.headers.host?.includes(",")) throw new MessageRefused(400);
  // Where its body ends is not sure: HTTP/1.0 knows no chunks.
  if (transferEncoding !== undefined && httpVersionMinor === 0) throw new MessageRefused(400);
  if (transferEncoding !== undefined && transferEncoding.toLowerCase() !== "chunked") throw new MessageRefused(501);
}
