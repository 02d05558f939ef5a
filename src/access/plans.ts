import { ConfigurationError } from "../errors.ts";

export interface Plan extends PlanLimits {
  readonly key: string;
  /** Tier: 0 for free, 1 for pro, 2 for api, 3 for enterprise. */
  readonly tier: number;
}

/** Limits of a plan; undefined means unlimited. */
export interface PlanLimits {
  /** Requests per 60 seconds. */
  readonly perMinute: number | undefined;
  /** Requests per UTC day. */
  readonly perDay: number | undefined;
  /** Rows per UTC day in exports, which are files with all pages of a list. */
  readonly exportedRows?: number | undefined;
  /** Exports that may run at the same time, per process. */
  readonly walks?: number | undefined;
  /** Concurrent streams of changes, per process. */
  readonly streams?: number | undefined;
  readonly feedUrls?: number | undefined;
  /** Maximum number of days between `as_of` and now. */
  readonly historyDays?: number | undefined;
  readonly rules?: number | undefined;
  readonly endpoints?: number | undefined;
}

const ofFree = {
  ...{ exportedRows: 1_000, walks: 1, streams: 1, feedUrls: 1, historyDays: 30 },
  ...{ rules: 3, endpoints: 1 },
};
const ofPro = {
  ...{ exportedRows: 50_000, walks: 1, streams: 5, feedUrls: 10, historyDays: 400 },
  ...{ rules: 25, endpoints: 5 },
};
const ofApi = {
  ...{ exportedRows: 1_000_000, walks: 2, streams: 25, feedUrls: 25, historyDays: 400 },
  ...{ rules: 100, endpoints: 10 },
};
const ofEnterprise = {
  ...{ exportedRows: 20_000_000, walks: 4, streams: 200, feedUrls: 100, historyDays: undefined },
  ...{ rules: 1_000, endpoints: 50 },
};
const unlimited = {
  ...{ perMinute: undefined, perDay: undefined, exportedRows: undefined, walks: undefined },
  ...{ streams: undefined, feedUrls: undefined, historyDays: undefined, rules: undefined, endpoints: undefined },
};

const table: readonly Plan[] = [
  { key: "free", tier: 0, perMinute: 30, perDay: 300, ...ofFree },
  { key: "pro_monthly", tier: 1, perMinute: 60, perDay: 1000, ...ofPro },
  { key: "pro_annual", tier: 1, perMinute: 60, perDay: 1000, ...ofPro },
  { key: "pro_business_monthly", tier: 1, perMinute: 120, perDay: 5000, ...ofPro },
  { key: "pro_business_annual", tier: 1, perMinute: 120, perDay: 5000, ...ofPro },
  { key: "api_starter", tier: 2, perMinute: 300, perDay: 10_000, ...ofApi },
  { key: "api_starter_annual", tier: 2, perMinute: 300, perDay: 10_000, ...ofApi },
  { key: "api_business", tier: 2, perMinute: 600, perDay: 100_000, ...ofApi },
  { key: "api_business_annual", tier: 2, perMinute: 600, perDay: 100_000, ...ofApi },
  { key: "enterprise", tier: 3, perMinute: 1000, perDay: undefined, ...ofEnterprise },
  { key: "operator", tier: 3, ...unlimited },
];

export type Plans = ReadonlyMap<string, Plan>;

/** Returns all plans, with limits that the operator has changed. */
export function configuredPlans(limits: ReadonlyMap<string, Partial<PlanLimits>>): Plans {
  return new Map(table.map((plan) => [plan.key, { ...plan, ...limits.get(plan.key) }]));
}

/** Compares plans by tier, then by their order. The result is positive if the first plan is better. */
export function comparePlans(one: Plan, other: Plan): number {
  return one.tier - other.tier || planKeys.indexOf(one.key) - planKeys.indexOf(other.key);
}

/** Names of the tiers, lowest first. */
export const tierNames = ["free", "pro", "api", "enterprise"] as const;

/** Returns the tier of a plan; 0 if the plan is unknown. */
export function planTier(key: string): number {
  return table.find((plan) => plan.key === key)?.tier ?? 0;
}

/** Returns the plan of an account without a subscription. */
export function freePlan(plans: Plans): Plan {
  const plan = plans.get("free");
  if (!plan) throw new ConfigurationError("There is no free plan");
  return plan;
}

/** Names of all plans, lowest tier first. */
export const planKeys: readonly string[] = table.map(({ key }) => key);

/** Plans that an account can have. The plan of the operator is only for its own key. */
export const givenPlans: readonly string[] = planKeys.filter((key) => key !== "operator");
