import type { Plan, Plans } from "../access/plans.ts";
import { catalog, type Operation, requiredTier } from "../contract/catalog.ts";
import { labelOf } from "../contract/labels.ts";
import { escaped } from "./escape.ts";
import type { Site } from "./frame/frame.ts";
import { gettingKeyMarkup } from "./getting-key.ts";
import { page, type TextPage, table } from "./layout.ts";
import { pageOf, titleOf } from "./reference/contents.ts";

/** Returns the limits of plans as texts for a table: a row per plan. */
export function planRows(plans: Plans): [key: string, ...limits: string[]][] {
  return [...plans.values()]
    .filter(({ key }) => key !== "operator")
    .map(({ key, tier, ...limits }) => [
      key,
      String(tier),
      ...[
        limits.perMinute,
        limits.perDay,
        limits.exportedRows,
        limits.walks,
        limits.streams,
        limits.feedUrls,
        limits.historyDays,
        limits.rules,
        limits.endpoints,
      ].map(numberOf),
    ]);
}

export const planHeadings = [
  "Plan",
  "Tier",
  "Requests per minute",
  "Requests per UTC day",
  "Exported rows per UTC day",
  "Exports at a time",
  "Open streams",
  "Feed URLs",
  "Days of history",
  "Alert rules",
  "Endpoints",
];

function numberOf(value: number | undefined): string {
  return value === undefined ? "unlimited" : value.toLocaleString("en");
}

export interface PlansParts {
  readonly plans: Plans;
  readonly prices: ReadonlyMap<string, string>;
  /** Plan whose data the pages show without a key. Undefined if visitors must sign in. */
  readonly publicPlan: Plan | undefined;
}

export function plansPage({ plans, prices, publicPlan }: PlansParts, site: Site): TextPage {
  const free = catalog.filter(({ freeCallsPerDay }) => freeCallsPerDay > 0);
  const own = catalog.filter(({ quotaPerMinute }) => quotaPerMinute > 0);
  const body = `
<h2 id="prices">Plans and prices</h2>
${plansMarkup(plans, prices)}
${prices.size === 0 ? noPrices(site) : ""}
${publicPlan ? ofPages(publicPlan) : ""}
${gettingKeyMarkup(site).markup}
<h2>Requests</h2>
<p>All keys of an account share its limits. Every response of an operation that needs a key returns the remaining requests in
<code>X-RateLimit-*</code> and <code>RateLimit</code>. A request over a limit returns 429 with <code>Retry-After</code>.</p>
<h2 id="operations">Operations by plan</h2>
<p>The least plan that includes an operation; each plan includes what those before it do. Where a plan has fewer days of history,
fewer rows or a daily allowance, the operation says so.</p>
${table(["Plan", "Operations"], byPlan(plans))}
<h2>Operations with their own limit</h2>
<p>In addition to the limits of the plan.</p>
${table(["Requests per minute", "Operations"], byQuota(own))}
<h2>Operations with a daily allowance for tier 0 accounts</h2>
${table(
  ["Operation", "Requests per UTC day"],
  free.map((operation) => [linkTo(operation), numberOf(operation.freeCallsPerDay)]),
  [1],
)}`;
  return page("Plans and limits", "Request limits by plan. Tiers: 0 free, 1 pro, 2 api, 3 enterprise.", body);
}

/** Groups operations by their own limit, lowest first. */
function byQuota(operations: readonly Operation[]): [quota: string, operations: string][] {
  return [...Map.groupBy(operations, ({ quotaPerMinute }) => quotaPerMinute)]
    .sort(([one], [other]) => one - other)
    .map(([quota, group]) => [numberOf(quota), group.map(linkTo).join(", ")]);
}

function linkTo(operation: Operation): string {
  return `<a href="${pageOf(operation)}">${escaped(titleOf(operation))}</a>`;
}

function noPrices({ operator: { contact } }: Site): string {
  const remedy =
    contact === undefined
      ? `The operator has not published a contact either: ask the person who gave you this address. If you run this service, set
<code>IDS_OPERATOR_CONTACT</code> and <code>IDS_PLAN_PRICES</code>.`
      : `<a href="/about#who-runs-this">Ask the operator</a> for the price of a plan.`;
  return `<p>The operator of this service has not published prices. The service itself charges nothing. ${remedy}</p>`;
}

/** The operator can show more on pages than the plan of a key includes. */
function ofPages({ key, historyDays }: Plan): string {
  const past = historyDays === undefined ? "all of their history" : `${numberOf(historyDays)} days of history`;
  return `<p>The pages of this service show every visitor the data of the plan ${escaped(planName(key))}, with ${past}. API requests have
the limits of the plan of their key. A key of a lower plan therefore returns less history than the pages show.</p>`;
}

const billingPeriod = /_(monthly|annual)$/;

/** Returns the name of a plan for people: `API starter` for `api_starter_monthly`. */
export const planName = (key: string) => labelOf(key.replace(billingPeriod, ""));

/** Returns a table with a row per plan. Plans that differ only in the billing period are one row. */
function plansMarkup(plans: Plans, prices: ReadonlyMap<string, string>): string {
  const rows = Map.groupBy(planRows(plans), ([key, ...limits]) => [planName(key), ...limits].join());
  const headings = ["Plan", ...(prices.size > 0 ? ["Price"] : []), ...planHeadings.slice(1)];
  const cells = [...rows.values()].map((group) => {
    const codes = group.map(([key]) => `<code>${escaped(key)}</code>`).join(" ");
    const named = group.flatMap(([key]) => prices.get(key) ?? []);
    const price = named.length > 0 ? named.map(escaped).join("<br>") : "not said";
    const [first = "", ...limits] = group[0] ?? [];
    const name = `<strong>${escaped(planName(first))}</strong><br><small>${codes}</small>`;
    return [name, ...(prices.size > 0 ? [price] : []), ...limits];
  });
  const numbers = planHeadings.slice(1).map((_, index) => headings.length - 1 - index);
  return table(headings, cells, numbers);
}

/** Returns the operations that each plan adds to the lower ones. Operator operations are left out. */
function byPlan(plans: Plans): [plan: string, operations: string][] {
  const open = catalog.filter(({ access }) => !access.operator);
  const keyed = open.filter(({ access }) => !access.anonymous);
  const linksTo = (operations: readonly Operation[]) => operations.map(linkTo).join(", ");
  const ofPlans = [...Map.groupBy(plans.values(), ({ tier }) => tier)].flatMap(([tier, [min]]): [string, string][] => {
    const added = keyed.filter((operation) => requiredTier(operation) === tier);
    return min && added.length > 0 ? [[`<code>${escaped(min.key)}</code>`, linksTo(added)]] : [];
  });
  return [["No key needed", linksTo(open.filter(({ access }) => access.anonymous))], ...ofPlans];
}
