import type { Principal } from "../access/keys/api-key.ts";
import type { UsageCounter } from "../access/usage.ts";
import type { Operation } from "../contract/catalog.ts";
import type { Allowance } from "../errors.ts";
import type { Authenticate } from "../interceptors/authenticate.ts";
import type { Entitle } from "../interceptors/entitle.ts";
import type { Meter } from "../interceptors/meter.ts";
import type { Visitor } from "../interceptors/visitor.ts";

/** What a request is let in with. */
export interface Pass {
  readonly principal: Principal | undefined;
  readonly allowance: Allowance | undefined;
  /** Who holds the key that came with a public operation: it is counted and takes its turn by account, not by address. */
  readonly payer?: Principal;
}

/** The steps before anything of the request but its head is read, in their order; every protocol goes through them. */
export interface Gate {
  readonly identify: (visitor: Visitor) => Principal | Promise<Principal>;
  /** At once where nothing has to be waited for: most requests pay for no promise. */
  readonly admit: (operation: Operation, visitor: Visitor) => Pass | Promise<Pass>;
}

export function createGate(
  authenticate: Authenticate,
  entitle: Entitle,
  meter: Meter,
  count: UsageCounter["count"],
): Gate {
  // The alias is read only where the first header is absent or empty.
  const identify = (visitor: Visitor) => authenticate(visitor.head.serviceKey || visitor.head.apiKey, visitor);
  const admitPrincipal = (operation: Operation, principal: Principal, visitor: Visitor) => {
    const entitled = entitle(operation, principal, visitor.now);
    return entitled instanceof Promise
      ? entitled.then((known) => metered(operation, known, visitor))
      : metered(operation, entitled, visitor);
  };
  const metered = (operation: Operation, principal: Principal | undefined, visitor: Visitor): Pass | Promise<Pass> => {
    const allowance = meter(operation, principal, visitor);
    return allowance instanceof Promise
      ? allowance.then((left) => passed(operation, principal, left, visitor))
      : passed(operation, principal, allowance, visitor);
  };
  const passed = (
    operation: Operation,
    principal: Principal | undefined,
    allowance: Allowance | undefined,
    visitor: Visitor,
  ): Pass => {
    if (principal) count(principal, operation.name, visitor.now);
    return { principal, allowance };
  };
  /** A public operation asks for no key, so one that is not known is none. */
  const admitAnyone = (operation: Operation, visitor: Visitor): Pass | Promise<Pass> => {
    if (!visitor.head.serviceKey && !visitor.head.apiKey) return metered(operation, undefined, visitor);
    const known = async () => identify(visitor);
    return known()
      .catch(() => undefined)
      .then(async (payer) => {
        const allowance = await meter(operation, payer, visitor);
        return { principal: undefined, allowance, ...(payer && { payer }) };
      });
  };
  return {
    identify,
    admit(operation, visitor) {
      if (operation.access.anonymous) return admitAnyone(operation, visitor);
      const principal = identify(visitor);
      return principal instanceof Promise
        ? principal.then((known) => admitPrincipal(operation, known, visitor))
        : admitPrincipal(operation, principal, visitor);
    },
  };
}
