import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";

export type Request = IncomingMessage | Http2ServerRequest;

export type Response = ServerResponse | Http2ServerResponse;

/** Both kinds of response have this method, but their types have no common signature. */
export function writeTo(response: Response, bytes: string | Buffer): boolean {
  return "stream" in response ? response.write(bytes) : response.write(bytes);
}

export function writeHead(response: Response, status: number, headers: readonly string[]): void {
  if ("stream" in response) response.writeHead(status, headers);
  else response.writeHead(status, [...headers]);
}
