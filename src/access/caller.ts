import { createContextKey, type HandlerContext } from "@connectrpc/connect";
import { NotAuthenticated } from "../errors.ts";
import type { Principal } from "./keys/api-key.ts";

/** Who is calling and from where; put into the context by the request path, read by handlers that depend on it. */
export interface Caller {
  /** Client address without port or mapped prefix; empty when unknown. */
  readonly address: string;
  /** What a trusted edge says about the address; absent where no trusted edge spoke. */
  readonly edge?: { readonly country: string; readonly region: string; readonly city: string };
  /** `X-Request-Id` of the request; absent where a handler is called without one. */
  readonly requestId?: string;
  /** Absent on operations that need no key. */
  readonly principal?: Principal;
}

export const callerKey = createContextKey<Caller>({ address: "" }, { description: "caller" });

/** The account of whoever calls. Throws `NotAuthenticated` where nobody is known. */
export function accountOf({ values }: Pick<HandlerContext, "values">): string {
  return principalOf(values.get(callerKey)).account;
}

/** Whose key was shown. The gate lets nobody in without one; a handler called past it throws `NotAuthenticated`. */
export function principalOf({ principal }: Caller): Principal {
  if (!principal) throw new NotAuthenticated("API key required");
  return principal;
}
