import { type AnyOperation, catalog } from "../../contract/catalog.ts";
import type { PlanLimit } from "../../errors.ts";
import type { Plan } from "../plans.ts";

/** One limit that requests are counted against. */
export interface QuotaRule {
  /** Counters with the same name are shared; the name is the first part of the counter's key. */
  readonly name: string;
  readonly layer: Layer;
  /** Operation that the limit belongs to. */
  readonly operation?: string;
  readonly limit: number;
  /** 60 starts with the caller's first request; 86400 is the UTC day. */
  readonly windowSeconds: number;
  /** If true, requests are rejected while the counter is unavailable. Otherwise they pass. */
  readonly closed: boolean;
  /** Sent to callers that exceed a limit of their account. */
  readonly planLimit?: PlanLimit;
}

type Layer = "guard" | "endpoint" | "allowance" | "per_minute" | "daily" | "exported_rows" | "global";

/** The rules of one request, in the order in which they are checked. */
export interface GoverningRules {
  /** Object that is counted. */
  readonly by: "account" | "address";
  readonly rules: readonly QuotaRule[];
}

/** Selects the limits of a request. */
export interface QuotaRules {
  readonly of: (operation: AnyOperation, plan: Plan | undefined) => GoverningRules;
  /** Rules for a page view, which counts as one request. */
  readonly ofPage: (plan: Plan) => readonly QuotaRule[];
  /** Every rule that counts an account with this plan. */
  readonly ofAccount: (plan: Plan) => readonly QuotaRule[];
  /** Rules for the rows of a request for all pages, and for its calls. */
  readonly ofWalk: (plan: Plan) => { readonly rows: readonly QuotaRule[]; readonly calls: readonly QuotaRule[] };
}

/** Lookups of uncached keys per minute and address, which limits how often guesses reach the store. */
export const guardRules: readonly QuotaRule[] = [
  { name: "guard", layer: "guard", limit: 600, windowSeconds: 60, closed: true },
];

/** Attempts to sign in to the console per minute and address. People do not type keys faster. */
export const signInRules: readonly QuotaRule[] = [
  { name: "sign_in", layer: "guard", limit: 10, windowSeconds: 60, closed: true },
];

/** Requests per minute and address if no other limit applies. It protects the service from a single caller. */
export const globalRules: readonly QuotaRule[] = [
  { name: "global", layer: "global", limit: 600, windowSeconds: 60, closed: false },
];

export function quotaRules(upgradeUrl: string | undefined): QuotaRules {
  // Rules are cached for each pair, so that most requests only look them up.
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
        // For public operations, an account has the same limit as an address.
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
  // The operator's key is limited only by endpoint limits.
  return { by: "address", rules: plan?.key === "operator" ? [] : globalRules };
}

/** The rule is named by the operation, so that its path, aliases and RPC name share a counter. */
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

/** Daily limit of an operation for accounts without a paid plan. Requests are rejected while it cannot be counted. */
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

/** Requests for all pages are rejected while this limit cannot be counted. */
function exportRules({ key, exportedRows }: Plan, upgradeUrl: string | undefined): readonly QuotaRule[] {
  if (exportedRows === undefined) return [];
  const layer = "exported_rows";
  const planLimit = { plan: key, limitType: layer, upgradeUrl } as const;
  return [{ name: layer, layer, limit: exportedRows, windowSeconds: 86_400, closed: true, planLimit }];
}

/** The rules are named by layer instead of plan, so that a change of plan does not restart the windows. */
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
