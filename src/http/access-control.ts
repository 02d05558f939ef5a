import type { Principal } from "../access/keys/api-key.ts";
import type { UsageCounter } from "../access/usage.ts";
import type { Allowance } from "../allowance.ts";
import type { AnyOperation } from "../contract/catalog.ts";
import type { Authenticate } from "../interceptors/authenticate.ts";
import type { ClientInfo } from "../interceptors/client-info.ts";
import type { Entitle } from "../interceptors/entitle.ts";
import type { Meter } from "../interceptors/meter.ts";

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

export function createAccessControl(
  authenticate: Authenticate,
  entitle: Entitle,
  meter: Meter,
  usage: Pick<UsageCounter, "count" | "note">,
): AccessControl {
  // The alias counts only if the first header is absent or empty.
  const identify = (client: ClientInfo) => authenticate(client.head.serviceKey || client.head.apiKey, client);
  const admitPrincipal = (operation: AnyOperation, principal: Principal, client: ClientInfo) => {
    client.caller = principal;
    const entitled = entitle(operation, principal, client.now);
    return entitled instanceof Promise
      ? entitled.then((known) => metered(operation, known, client))
      : metered(operation, entitled, client);
  };
  const metered = (
    operation: AnyOperation,
    principal: Principal | undefined,
    client: ClientInfo,
  ): AuthContext | Promise<AuthContext> => {
    const allowance = meter(operation, principal, client);
    return allowance instanceof Promise
      ? allowance.then((left) => passed(operation, principal, left, client))
      : passed(operation, principal, allowance, client);
  };
  const passed = (
    operation: AnyOperation,
    principal: Principal | undefined,
    allowance: Allowance | undefined,
    client: ClientInfo,
  ): AuthContext => {
    if (principal) {
      client.cost = costOf(operation);
      usage.count(principal, operation.name, client.now);
    }
    return { principal, allowance };
  };
  const admitAnyone = (operation: AnyOperation, client: ClientInfo): AuthContext | Promise<AuthContext> => {
    if (!client.head.serviceKey && !client.head.apiKey) return metered(operation, undefined, client);
    return admitPayer(operation, client);
  };
  const admitPayer = async (operation: AnyOperation, client: ClientInfo): Promise<AuthContext> => {
    // A public operation requires no key. An unknown key, or one that cannot be looked up now, is ignored.
    const known = async () => identify(client);
    const payer = await known().catch(() => undefined);
    if (payer) client.caller = payer;
    const allowance = await meter(operation, payer, client);
    if (payer) usage.note(payer, client.now);
    return { principal: undefined, allowance, ...(payer && { payer }) };
  };
  return {
    identify,
    confirm: async (operation, client) =>
      entitle(operation, await (client.session ? client.session.confirm(client.now) : identify(client)), client.now),
    admit(operation, client) {
      if (client.known) return admitPrincipal(operation, client.known, client);
      if (operation.access.anonymous) return admitAnyone(operation, client);
      const principal = identify(client);
      return principal instanceof Promise
        ? principal.then((known) => admitPrincipal(operation, known, client))
        : admitPrincipal(operation, principal, client);
    },
  };
}

/** A public operation costs an account nothing of its plan, as it costs an address nothing. */
function costOf({ freeOfCharge, access }: AnyOperation): number {
  return freeOfCharge || access.anonymous ? 0 : 1;
}
