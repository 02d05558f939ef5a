import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";

export type Request = IncomingMessage | Http2ServerRequest;

export type Response = ServerResponse | Http2ServerResponse;

/** HTTP/1.1 and HTTP/2 responses both have `write`, but their types share no signature. */
export function writeTo(response: Response, bytes: string | Buffer, done?: (error?: Error | null) => void): boolean {
  return "stream" in response ? response.write(bytes, done) : response.write(bytes, done);
}

export function writeHead(response: Response, status: number, headers: readonly string[]): void {
  if ("stream" in response) response.writeHead(status, headers);
  else response.writeHead(status, [...headers]);
}
