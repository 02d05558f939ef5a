import { ConfigurationError } from "../errors.ts";

/** What a plan lets an account do. */
export interface Plan extends PlanLimits {
  readonly key: string;
  /** 0 free, 1 pro, 2 api, 3 enterprise. */
  readonly tier: number;
}

/** Requests of the whole account; undefined means unlimited. */
export interface PlanLimits {
  /** In 60 seconds. */
  readonly perMinute: number | undefined;
  /** In a day of UTC. */
  readonly perDay: number | undefined;
  /** Rows of walks over all pages, in a day of UTC. */
  readonly exportedRows?: number | undefined;
  /** Such walks at a time, in each process. */
  readonly walks?: number | undefined;
  /** Open streams of changes at a time, in each process. */
  readonly streams?: number | undefined;
  /** Active feed URLs. */
  readonly feedUrls?: number | undefined;
  /** Days that answers as of an earlier moment go back. */
  readonly historyDays?: number | undefined;
  /** Alert rules. */
  readonly rules?: number | undefined;
  /** Endpoints that rules report to. */
  readonly endpoints?: number | undefined;
}

/** What the plans of a tier have alike. */
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

/** Plans by their keys. */
export type Plans = ReadonlyMap<string, Plan>;

/** Every plan, with the operator's own limits where some are set. */
export function configuredPlans(limits: ReadonlyMap<string, Partial<PlanLimits>>): Plans {
  return new Map(table.map((plan) => [plan.key, { ...plan, ...limits.get(plan.key) }]));
}

/** Which of two plans is worth more: the higher tier, then the later one in the table; above 0 when it is the first. */
export function comparePlans(one: Plan, other: Plan): number {
  return one.tier - other.tier || planKeys.indexOf(one.key) - planKeys.indexOf(other.key);
}

/** The tier of a plan by its key, 0 where there is none. */
export function planTier(key: string): number {
  return table.find((plan) => plan.key === key)?.tier ?? 0;
}

/** The plan of an account without a subscription. */
export function freePlan(plans: Plans): Plan {
  const plan = plans.get("free");
  if (!plan) throw new ConfigurationError("There is no free plan");
  return plan;
}

/** Keys of every plan, lowest tier first. */
export const planKeys: readonly string[] = table.map(({ key }) => key);

/** What an account can be given; the operator's key is set from outside. */
export const givenPlans: readonly string[] = planKeys.filter((key) => key !== "operator");
