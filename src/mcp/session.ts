import type { ProtocolError } from "@modelcontextprotocol/server";
import type { Failure } from "../http/errors.ts";
import type { Exchange } from "../http/exchange.ts";
import type { ClientInfo } from "../interceptors/client-info.ts";

export interface Session {
  readonly exchange: Exchange;
  /** Client of the request, with its key from any of the accepted headers. */
  readonly client: ClientInfo;
  /** True if the client requested a tool for each read operation, instead of one for all reads of an API service. */
  readonly listsAll: boolean;
  /** True if the request was already counted. */
  counted?: boolean;
  /** Error of the request, as an HTTP response and as a JSON-RPC error. */
  rejection?: { readonly failure: Failure; readonly error: ProtocolError };
}
