import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";

export type Request = IncomingMessage | Http2ServerRequest;

export type Response = ServerResponse | Http2ServerResponse;
