import type { Principal } from "../access/keys/api-key.ts";
import type { Allowance } from "../allowance.ts";
import type { AnyOperation } from "../contract/catalog.ts";
import type { ClientInfo } from "../interceptors/client-info.ts";

export interface AuthContext {
  readonly principal: Principal | undefined;
  readonly allowance: Allowance | undefined;
  /** Requests with a key to a public operation count and queue by account, not by address. */
  readonly payer?: Principal;
}

/** The access steps that run on the head of a request, in this order. Every protocol uses them. */
export interface AccessControl {
  readonly identify: (client: ClientInfo) => Principal | Promise<Principal>;
  /** Checks again whether the caller may use the operation. It counts nothing. */
  readonly confirm: (operation: AnyOperation, client: ClientInfo) => Promise<Principal>;
  /** Synchronous if nothing has to be loaded, so that most requests need no promise. */
  readonly admit: (operation: AnyOperation, client: ClientInfo) => AuthContext | Promise<AuthContext>;
}
