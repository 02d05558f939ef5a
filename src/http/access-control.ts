import type { Principal } from "../access/keys/api-key.ts";
import type { Allowance } from "../allowance.ts";
import type { AnyOperation } from "../contract/catalog.ts";
import type { ClientInfo } from "../interceptors/client-info.ts";

export interface AuthContext {
  readonly principal: Principal | undefined;
  readonly allowance: Allowance | undefined;
  /** Account of a key on a public operation. Its requests are counted and queued by account instead of by address. */
  readonly payer?: Principal;
}

/** Checks of access that need only the headers of a request, in their order. Every protocol uses them. */
export interface AccessControl {
  readonly identify: (client: ClientInfo) => Principal | Promise<Principal>;
  /** Checks again whether the caller may use the operation. It counts nothing. */
  readonly confirm: (operation: AnyOperation, client: ClientInfo) => Promise<Principal>;
  /**
   * Checks whether the caller may use the operation, and counts the request. The result is synchronous if no data must
   * be loaded, so that most requests need no promise.
   */
  readonly admit: (operation: AnyOperation, client: ClientInfo) => AuthContext | Promise<AuthContext>;
}
