import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";

/** A request of either HTTP version. */
export type Request = IncomingMessage | Http2ServerRequest;

/** A response of either HTTP version. */
export type Response = ServerResponse | Http2ServerResponse;
