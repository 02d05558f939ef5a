import { createContextKey, type HandlerContext } from "@connectrpc/connect";
import { NotAuthenticated } from "../errors.ts";
import type { Principal } from "./keys/api-key.ts";

/** Caller of a request. Access control stores it in the context, from which handlers read it. */
export interface Caller {
  /** Client address without port or mapped prefix; empty if unknown. */
  readonly address: string;
  /** Location of the client, as reported by a trusted proxy; undefined without one. */
  readonly edge?: { readonly country: string; readonly region: string; readonly city: string };
  /** `X-Request-Id` of the request; undefined if the handler is called outside a request. */
  readonly requestId?: string;
  /** Account of the caller's key; undefined if the operation needs no key. */
  readonly principal?: Principal;
}

export const callerKey = createContextKey<Caller>({ address: "" }, { description: "caller" });

/** Returns the account of the caller. Throws `NotAuthenticated` if there is none. */
export function accountOf({ values }: Pick<HandlerContext, "values">): string {
  return principalOf(values.get(callerKey)).account;
}

/** Returns the principal of the caller. Throws `NotAuthenticated` if there is none, as on public operations. */
export function principalOf({ principal }: Caller): Principal {
  if (!principal) throw new NotAuthenticated("API key required");
  return principal;
}
