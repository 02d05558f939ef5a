import { type AnyOperation, catalog } from "../../contract/catalog.ts";
import type { PlanLimit } from "../../errors.ts";
import type { Plan } from "../plans.ts";

/** One limit that requests are counted against. */
export interface QuotaRule {
  /** What is counted together; first part of the counter's name. */
  readonly name: string;
  readonly layer: Layer;
  /** Whose own limit it is. */
  readonly operation?: string;
  readonly limit: number;
  /** 60: from a caller's first request on. 86400: the day of UTC. */
  readonly windowSeconds: number;
  /** Refuses while it cannot be counted; all others then let pass. */
  readonly closed: boolean;
  /** Told to whom an account's own limit refuses. */
  readonly planLimit?: PlanLimit;
}

type Layer = "guard" | "endpoint" | "allowance" | "per_minute" | "daily" | "exported_rows" | "global";

/** The rules of one request, in the order in which they are asked. */
export interface GoverningRules {
  /** Who is counted. */
  readonly by: "account" | "address";
  readonly rules: readonly QuotaRule[];
}

/** Which limits govern which request. */
export interface QuotaRules {
  readonly of: (operation: AnyOperation, plan: Plan | undefined) => GoverningRules;
  /** The rules that a view of a page is counted against, as one request whatever it reads. */
  readonly ofPage: (plan: Plan) => readonly QuotaRule[];
  /** Every rule that counts an account on this plan. */
  readonly ofAccount: (plan: Plan) => readonly QuotaRule[];
  /** The rules that rows of a walk are counted against, and those that its calls are. */
  readonly ofWalk: (plan: Plan) => { readonly rows: readonly QuotaRule[]; readonly calls: readonly QuotaRule[] };
}

/** Keys per minute and address that are looked up at first sight: whoever guesses does not get at the store with each. */
export const guardRules: readonly QuotaRule[] = [
  { name: "guard", layer: "guard", limit: 600, windowSeconds: 60, closed: true },
];

/** Attempts to sign in to the console per minute and address: nobody types keys faster. */
export const signInRules: readonly QuotaRule[] = [
  { name: "sign_in", layer: "guard", limit: 10, windowSeconds: 60, closed: true },
];

/** Requests per minute and address where no other limit counts: protects the service from a single caller. */
export const globalRules: readonly QuotaRule[] = [
  { name: "global", layer: "global", limit: 600, windowSeconds: 60, closed: false },
];

export function quotaRules(upgradeUrl: string | undefined): QuotaRules {
  // Once for each pair: most requests then only look them up.
  const anonymous = new Map<AnyOperation, GoverningRules>();
  const ofPlans = new WeakMap<Plan, Map<AnyOperation, GoverningRules>>();
  const remembered = (plan: Plan | undefined) => {
    if (!plan) return anonymous;
    const known = ofPlans.get(plan);
    if (known) return known;
    const made = new Map<AnyOperation, GoverningRules>();
    ofPlans.set(plan, made);
    return made;
  };
  return {
    of(operation, plan) {
      const ofPlan = remembered(plan);
      const known = ofPlan.get(operation);
      if (known) return known;
      const made = governingRules(operation, plan, upgradeUrl);
      ofPlan.set(operation, made);
      return made;
    },
    ofPage: (plan) => accountRules(plan, upgradeUrl),
    ofWalk: (plan) => ({
      rows: exportRules(plan, upgradeUrl),
      calls: accountRules(plan, upgradeUrl).filter(({ layer }) => layer === "daily"),
    }),
    ofAccount: (plan) => [
      ...accountRules(plan, upgradeUrl),
      ...exportRules(plan, upgradeUrl),
      ...catalog.flatMap((operation) => [
        // Of a public operation an account is counted as an address is.
        ...endpointRules(operation, operation.access.anonymous ? "address" : "account"),
        ...allowanceRules(operation, plan, upgradeUrl),
      ]),
    ],
  };
}

function governingRules(
  operation: AnyOperation,
  plan: Plan | undefined,
  upgradeUrl: string | undefined,
): GoverningRules {
  const by = plan ? "account" : "address";
  const own = endpointRules(operation, by);
  if (plan && !operation.freeOfCharge)
    return {
      by,
      rules: [...own, ...allowanceRules(operation, plan, upgradeUrl), ...accountRules(plan, upgradeUrl)],
    };
  if (own.length > 0) return { by, rules: own };
  // The operator's key meets no limit but an endpoint's.
  return { by: "address", rules: plan?.key === "operator" ? [] : globalRules };
}

/** Named for the operation, so that its path, its aliases and its RPC name are counted as one. */
function endpointRules({ name, quotaPerMinute }: AnyOperation, by: GoverningRules["by"]): readonly QuotaRule[] {
  if (quotaPerMinute === 0) return [];
  return [
    {
      name: `endpoint:${name}:${by}`,
      layer: "endpoint",
      operation: name,
      limit: quotaPerMinute,
      windowSeconds: 60,
      closed: true,
    },
  ];
}

/** Holds like an endpoint's limit, for accounts that pay for no plan. */
function allowanceRules(
  { name, freeCallsPerDay }: AnyOperation,
  { key, tier }: Plan,
  upgradeUrl: string | undefined,
): readonly QuotaRule[] {
  if (freeCallsPerDay === 0 || tier > 0) return [];
  return [
    {
      name: `allowance:${name}`,
      layer: "allowance",
      operation: name,
      limit: freeCallsPerDay,
      windowSeconds: 86_400,
      closed: true,
      planLimit: { plan: key, limitType: "daily", reason: "daily-allowance", upgradeUrl },
    },
  ];
}

/** Holds: a walk is never let pass uncounted. */
function exportRules({ key, exportedRows }: Plan, upgradeUrl: string | undefined): readonly QuotaRule[] {
  if (exportedRows === undefined) return [];
  const layer = "exported_rows";
  const planLimit = { plan: key, limitType: layer, upgradeUrl } as const;
  return [{ name: layer, layer, limit: exportedRows, windowSeconds: 86_400, closed: true, planLimit }];
}

/** Named for the layer, not for the plan: a change of plan does not begin the windows anew. */
function accountRules({ key, perMinute, perDay }: Plan, upgradeUrl: string | undefined): readonly QuotaRule[] {
  const limits = [
    { layer: "per_minute", limit: perMinute, windowSeconds: 60 },
    { layer: "daily", limit: perDay, windowSeconds: 86_400 },
  ] as const;
  return limits.flatMap(({ layer, limit, windowSeconds }) =>
    limit === undefined
      ? []
      : [
          {
            name: layer,
            layer,
            limit,
            windowSeconds,
            closed: false,
            planLimit: { plan: key, limitType: layer, upgradeUrl },
          },
        ],
  );
}
