import type { ProtocolError } from "@modelcontextprotocol/server";
import type { Failure } from "../http/errors.ts";
import type { Exchange } from "../http/exchange.ts";
import type { ClientInfo } from "../interceptors/client-info.ts";

/** One request of an agent, as its handlers see it. */
export interface Session {
  readonly exchange: Exchange;
  /** With the key that came in whichever header. */
  readonly client: ClientInfo;
  /** One tool for each read instead of one for each area. */
  readonly listsAll: boolean;
  /** It was counted already, against the limits of an operation or by its address. */
  counted?: boolean;
  /** Why it was refused, as every protocol tells it and as this one does. */
  rejection?: { readonly failure: Failure; readonly error: ProtocolError };
}
