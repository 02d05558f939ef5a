import type { PlanLimit } from "../../allowance.ts";
import { type AnyOperation, catalog } from "../../contract/catalog.ts";
import type { Plan } from "../plans.ts";

/** A limit on the requests of one caller. */
export interface QuotaRule {
  /** First part of the counter's key. Limits with the same name share a counter. */
  readonly name: string;
  readonly layer: Layer;
  /** Operation with its own limit; undefined for a limit on all requests. */
  readonly operation?: string;
  readonly limit: number;
  /** Length of the window: 60 seconds from the first request, or 86400 for the UTC day. */
  readonly windowSeconds: number;
  /** Whether requests are rejected while the counter cannot be read. Otherwise they pass. */
  readonly closed: boolean;
  /** Details of the plan's limit, for the error response. */
  readonly planLimit?: PlanLimit;
}

type Layer = "guard" | "endpoint" | "allowance" | "per_minute" | "daily" | "exported_rows" | "global";

/** Limits for a request, in the order in which they are checked. */
export interface GoverningRules {
  /** Whether requests are counted by account or by client address. */
  readonly by: "account" | "address";
  readonly rules: readonly QuotaRule[];
}

/** Selects the limits that apply to a request. */
export interface QuotaRules {
  readonly of: (operation: AnyOperation, plan: Plan | undefined) => GoverningRules;
  /** Limits for a page view, which counts as one request. */
  readonly ofPage: (plan: Plan) => readonly QuotaRule[];
  /** All limits for an account with this plan. */
  readonly ofAccount: (plan: Plan) => readonly QuotaRule[];
  /** Limits for an export, which is a file with all pages: on its rows, and on the calls that these rows count as. */
  readonly ofWalk: (plan: Plan) => { readonly rows: readonly QuotaRule[]; readonly calls: readonly QuotaRule[] };
}

/** Lookups of unknown keys per minute and address. They limit how often guessed keys reach the store. */
export const guardRules: readonly QuotaRule[] = [
  { name: "guard", layer: "guard", limit: 600, windowSeconds: 60, closed: true },
];

/** Attempts to sign in per minute and address. The limit is above the speed at which people type. */
export const signInRules: readonly QuotaRule[] = [
  { name: "sign_in", layer: "guard", limit: 10, windowSeconds: 60, closed: true },
];

/** Requests per minute and address where no other limit applies, so that no caller overloads the service. */
export const globalRules: readonly QuotaRule[] = [
  { name: "global", layer: "global", limit: 600, windowSeconds: 60, closed: false },
];

export function quotaRules(upgradeUrl: string | undefined): QuotaRules {
  // Cached limits, so that most requests need only a lookup.
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
        // On a public operation, an account has the same limit as an address.
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
  // Only the limits of operations apply to the operator's key.
  return { by: "address", rules: plan?.key === "operator" ? [] : globalRules };
}

/** Returns the limit of an operation. Its counter has the operation's name, which paths, aliases, and RPC share. */
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

/** Daily limit of an operation for accounts without a paid plan. If it cannot be counted, requests are rejected. */
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

/** Limit on exported rows. If it cannot be counted, files with all pages are rejected. */
function exportRules({ key, exportedRows }: Plan, upgradeUrl: string | undefined): readonly QuotaRule[] {
  if (exportedRows === undefined) return [];
  const layer = "exported_rows";
  const planLimit = { plan: key, limitType: layer, upgradeUrl } as const;
  return [{ name: layer, layer, limit: exportedRows, windowSeconds: 86_400, closed: true, planLimit }];
}

/** Counters do not contain the plan's name, so that a change of plan does not reset them. */
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
