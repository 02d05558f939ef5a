import type { ProtocolError } from "@modelcontextprotocol/server";
import type { Failure } from "../http/errors.ts";
import type { Exchange } from "../http/exchange.ts";
import type { ClientInfo } from "../interceptors/client-info.ts";

export interface Session {
  readonly exchange: Exchange;
  /** Client with the key of any accepted header. */
  readonly client: ClientInfo;
  /** True if tools are listed per read instead of per area. */
  readonly listsAll: boolean;
  /** True if the request was counted, against an operation's limits or by address. */
  counted?: boolean;
  /** Error of the request, in the common form and in that of this protocol. */
  rejection?: { readonly failure: Failure; readonly error: ProtocolError };
}
