import { ConfigurationError } from "../errors.ts";

export interface Plan extends PlanLimits {
  readonly key: string;
  /** 0 free, 1 pro, 2 api, 3 enterprise. */
  readonly tier: number;
}

/** Limits of an account; undefined means unlimited. */
export interface PlanLimits {
  /** Requests per 60 seconds. */
  readonly perMinute: number | undefined;
  /** Requests per UTC day. */
  readonly perDay: number | undefined;
  /** Rows of requests for all pages, per UTC day. */
  readonly exportedRows?: number | undefined;
  /** Concurrent requests for all pages, per process. */
  readonly walks?: number | undefined;
  /** Concurrent streams of changes, per process. */
  readonly streams?: number | undefined;
  readonly feedUrls?: number | undefined;
  /** Days that `as_of` may go back. */
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

/** Returns every plan, with the operator's overrides of limits. */
export function configuredPlans(limits: ReadonlyMap<string, Partial<PlanLimits>>): Plans {
  return new Map(table.map((plan) => [plan.key, { ...plan, ...limits.get(plan.key) }]));
}

/** The higher tier wins, then the later plan in the table. The result is positive if the first one wins. */
export function comparePlans(one: Plan, other: Plan): number {
  return one.tier - other.tier || planKeys.indexOf(one.key) - planKeys.indexOf(other.key);
}

/** Returns the tier of a plan by its key; 0 if there is none. */
export function planTier(key: string): number {
  return table.find((plan) => plan.key === key)?.tier ?? 0;
}

/** Returns the plan of an account without a subscription. */
export function freePlan(plans: Plans): Plan {
  const plan = plans.get("free");
  if (!plan) throw new ConfigurationError("There is no free plan");
  return plan;
}

/** Keys of every plan, lowest tier first. */
export const planKeys: readonly string[] = table.map(({ key }) => key);

/** Plans that an account can be given. The operator's plan belongs to its key. */
export const givenPlans: readonly string[] = planKeys.filter((key) => key !== "operator");
