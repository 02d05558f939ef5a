import type { Principal } from "../access/keys/api-key.ts";
import { comparePlans, type Plan } from "../access/plans.ts";
import { NotAuthenticated } from "../errors.ts";
import type { AccessControl, AuthContext } from "../http/access-control.ts";
import type { ClientInfo } from "../interceptors/client-info.ts";
import type { Entitle } from "../interceptors/entitle.ts";
import type { Viewer } from "./viewer.ts";

/** How the parts of a page are let in: by who views it. Nothing is counted: a page counts once, as a whole. */
export type PageAccess = AccessControl;

export function createPageAccess(entitle: Entitle): PageAccess {
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

/** The public as a caller: with the rights of a plan, and nothing of an account. */
export function visitor(plan: Plan, network: string): Principal {
  return {
    account: `visitor ${network}`,
    keyId: "",
    scopes: new Set(),
    expiresAt: undefined,
    ...rightsOf(plan),
  };
}

function rightsOf(plan: Plan) {
  const rights = { subscriptions: [], unresolved: undefined, plan, state: "none", ended: [] } as const;
  return { ...rights, until: Number.POSITIVE_INFINITY };
}

/** Nobody sees less for having signed in: the public's plan counts where it is worth more than the account's. */
export function atLeastPublic(viewer: Viewer, publicPlan: Plan | undefined): Viewer {
  const { principal, isSignedIn } = viewer;
  if (!publicPlan || !principal || !isSignedIn || comparePlans(principal.plan, publicPlan) >= 0) return viewer;
  return { ...viewer, principal: { ...principal, ...rightsOf(publicPlan), ownPlan: principal.plan }, own: principal };
}

/** Whose rights count for what the terms of a source withhold from the public: the account's own. */
export function withOwnRights(viewer: Viewer): Viewer {
  return viewer.own ? { ...viewer, principal: viewer.own } : viewer;
}
