import type { Principal } from "../access/keys/api-key.ts";
import { comparePlans, type Plan } from "../access/plans.ts";
import { NotAuthenticated } from "../errors.ts";
import type { AccessControl, AuthContext } from "../http/access-control.ts";
import type { ClientInfo } from "../interceptors/client-info.ts";
import type { Entitle } from "../interceptors/entitle.ts";
import type { Viewer } from "./viewer.ts";

/** Creates the access control for the parts of a page. It counts nothing, because the page counts as one request. */
export function createPageAccess(entitle: Entitle): AccessControl {
  const identify = ({ known }: ClientInfo) => {
    if (!known) throw new NotAuthenticated("Sign in to see this");
    return known;
  };
  return {
    identify,
    confirm: async (operation, client) => entitle(operation, identify(client), client.now),
    admit(operation, client): AuthContext | Promise<AuthContext> {
      const { known } = client;
      if (operation.access.anonymous)
        return { principal: undefined, allowance: undefined, ...(known && { payer: known }) };
      const entitled = entitle(operation, identify(client), client.now);
      const enter = (principal: Principal): AuthContext => ({ principal, allowance: undefined });
      return entitled instanceof Promise ? entitled.then(enter) : enter(entitled);
    },
  };
}

export function visitor(plan: Plan, network: string): Principal {
  return {
    account: `visitor ${network}`,
    keyId: "",
    scopes: new Set(),
    readOnly: true,
    expiresAt: undefined,
    ...accessOf(plan),
  };
}

function accessOf(plan: Plan) {
  const access = { subscriptions: [], unresolved: undefined, plan, state: "none", ended: [] } as const;
  return { ...access, until: Number.POSITIVE_INFINITY };
}

/** Returns the viewer with the access of the public plan, if that has a higher tier than the account's own plan. */
export function atLeastPublic(viewer: Viewer, publicPlan: Plan | undefined): Viewer {
  const { principal, isSignedIn } = viewer;
  if (!publicPlan || !principal || !isSignedIn || comparePlans(principal.plan, publicPlan) >= 0) return viewer;
  return { ...viewer, principal: { ...principal, ...accessOf(publicPlan), ownPlan: principal.plan }, own: principal };
}

/** Returns the viewer with the access of the account's own plan, for data that is withheld from the public. */
export function withOwnAccess(viewer: Viewer): Viewer {
  return viewer.own ? { ...viewer, principal: viewer.own } : viewer;
}
