import type { Principal } from "../access/api-key.ts";
import type { Operation } from "../contract/catalog.ts";
import type { Allowance } from "../errors.ts";
import type { Authenticate } from "../interceptors/authenticate.ts";
import { entitle } from "../interceptors/entitle.ts";
import type { Meter } from "../interceptors/meter.ts";
import type { RequestHead } from "./request-head.ts";

/** What a request is let in with. */
export interface Pass {
  readonly principal: Principal | undefined;
  readonly allowance: Allowance | undefined;
}

/** The steps before anything of the request but its head is read, in their order; every protocol goes through them. */
export interface Gate {
  readonly identify: (key: PresentedKey, address: () => string) => Principal | Promise<Principal>;
  /** At once where nothing has to be waited for: most requests pay for no promise. */
  readonly admit: (operation: Operation, key: PresentedKey, address: () => string) => Pass | Promise<Pass>;
}

/** The two headers a key may come in. */
export type PresentedKey = Pick<RequestHead, "serviceKey" | "apiKey">;

export function createGate(authenticate: Authenticate, meter: Meter): Gate {
  // The alias is read only where the first header is absent or empty.
  const identify = ({ serviceKey, apiKey }: PresentedKey, address: () => string) =>
    authenticate(serviceKey || apiKey, address);
  const admitPrincipal = (operation: Operation, principal: Principal, address: () => string) => {
    entitle(operation, principal);
    return metered(operation, principal, address);
  };
  const metered = (operation: Operation, principal: Principal | undefined, address: () => string): Pass => ({
    principal,
    allowance: meter(operation, principal, address),
  });
  return {
    identify,
    admit(operation, key, address) {
      if (operation.access.anonymous) return metered(operation, undefined, address);
      const principal = identify(key, address);
      return principal instanceof Promise
        ? principal.then((known) => admitPrincipal(operation, known, address))
        : admitPrincipal(operation, principal, address);
    },
  };
}
