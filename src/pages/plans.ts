import type { Plan, Plans } from "../access/plans.ts";
import { catalog, type Operation, requiredTier } from "../contract/catalog.ts";
import { labelOf } from "../contract/labels.ts";
import type { Site } from "./frame/frame.ts";
import { gettingKeyMarkup } from "./getting-key.ts";
import { type Html, type HtmlValue, html, joined } from "./html.ts";
import { type TextPage, table } from "./layout.ts";
import { pageOf, titleOf } from "./reference/contents.ts";

const limits = [
  ["Requests per minute", "perMinute"],
  ["Requests per UTC day", "perDay"],
  ["Exported rows per UTC day", "exportedRows"],
  ["Exports at a time", "walks"],
  ["Open streams", "streams"],
  ["Feed URLs", "feedUrls"],
  ["Days of history", "historyDays"],
  ["Alert rules", "rules"],
  ["Endpoints", "endpoints"],
] as const;

export const planHeadings = ["Plan", "Tier", ...limits.map(([heading]) => heading)];

/** Returns the limits of plans as texts for a table: a row per plan. */
export function planRows(plans: Plans): [key: string, ...limits: string[]][] {
  return [...plans.values()]
    .filter(({ key }) => key !== "operator")
    .map((plan) => [plan.key, String(plan.tier), ...limits.map(([, name]) => numberOf(plan[name]))]);
}

function numberOf(value: number | undefined): string {
  return value === undefined ? "unlimited" : value.toLocaleString("en");
}

export interface PlansParts {
  readonly plans: Plans;
  readonly prices: ReadonlyMap<string, string>;
  /** The plan whose data visitors see without a key. Undefined if they must sign in. */
  readonly publicPlan: Plan | undefined;
}

export function plansPage({ plans, prices, publicPlan }: PlansParts, site: Site): TextPage {
  const free = catalog.filter(({ freeCallsPerDay }) => freeCallsPerDay > 0);
  const own = catalog.filter(({ quotaPerMinute }) => quotaPerMinute > 0);
  const body = html`
<h2 id="prices">Plans and prices</h2>
${plansMarkup(plans, prices)}
${prices.size === 0 && noPrices(site)}
<p>Other costs of running the service: <a href="/docs/guides/sources#keys-and-permissions">keys and permissions of sources</a>
and <a href="/docs/guides/sizing">the size of the machine</a>. They do not depend on the number of people: a team has a key for
each person, of one account whose limits all keys share, or of an account each.</p>
${publicPlan && ofPages(publicPlan)}
${gettingKeyMarkup(site)}
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
  return {
    title: "Plans and limits",
    lead: "What a key of each plan may request, and how often.",
    body,
  };
}

/** Groups the operations that have their own limit per minute by this limit, lowest first. */
function byQuota(operations: readonly Operation[]): [quota: string, operations: Html][] {
  return [...Map.groupBy(operations, ({ quotaPerMinute }) => quotaPerMinute)]
    .sort(([one], [other]) => one - other)
    .map(([quota, group]) => [numberOf(quota), linksTo(group)]);
}

function linkTo(operation: Operation): Html {
  return html`<a href="${pageOf(operation)}">${titleOf(operation)}</a>`;
}

function linksTo(operations: readonly Operation[]): Html {
  return joined(operations.map(linkTo));
}

function noPrices({ operator: { contact } }: Site): Html {
  const remedy =
    contact === undefined
      ? html`The operator has not published a contact either: ask the person who gave you this address. If you run this service, set
<code>IDS_OPERATOR_CONTACT</code> and <code>IDS_PLAN_PRICES</code>.`
      : html`<a href="/about#who-runs-this">Ask the operator</a> for the price of a plan.`;
  return html`<p>The operator of this service has not published prices. The service itself charges nothing. ${remedy}</p>`;
}

/** Explains the data that pages show, which can be more than the plan of a visitor's key includes. */
function ofPages({ key, historyDays }: Plan): Html {
  const past = historyDays === undefined ? "all of their history" : `${numberOf(historyDays)} days of history`;
  return html`<p>The pages of this service show every visitor the data of the plan ${planName(key)}, with ${past}. API requests have
the limits of the plan of their key. A key of a lower plan therefore returns less history than the pages show.</p>`;
}

const billingPeriod = /_(monthly|annual)$/;

/** Returns the name of a plan for people: `API starter` for `api_starter_monthly`. */
export const planName = (key: string) => labelOf(key.replace(billingPeriod, ""));

/** Returns a table with a row per plan. Plans that differ only in the billing period are one row. */
function plansMarkup(plans: Plans, prices: ReadonlyMap<string, string>): Html {
  const rows = Map.groupBy(planRows(plans), ([key, ...limits]) => [planName(key), ...limits].join());
  const headings = ["Plan", ...(prices.size > 0 ? ["Price"] : []), ...planHeadings.slice(1)];
  const cells = [...rows.values()].map((group) => {
    const codes = group.map(([key]) => html`<code>${key}</code>`);
    const named = group.flatMap(([key]) => prices.get(key) ?? []);
    const price = named.length > 0 ? joined(named, html`<br>`) : "not said";
    const [first = "", ...limits] = group[0] ?? [];
    const name = html`<strong>${planName(first)}</strong><br><small>${joined(codes, " ")}</small>`;
    return [name, ...(prices.size > 0 ? [price] : []), ...limits];
  });
  const numbers = planHeadings.slice(1).map((_, index) => headings.length - 1 - index);
  return table(headings, cells, numbers);
}

/** Returns the operations that each plan adds to lower plans. Operations for the operator are omitted. */
function byPlan(plans: Plans): [plan: HtmlValue, operations: Html][] {
  const open = catalog.filter(({ access }) => !access.operator);
  const keyed = open.filter(({ access }) => !access.anonymous);
  const ofPlans = [...Map.groupBy(plans.values(), ({ tier }) => tier)].flatMap(([tier, [min]]): [HtmlValue, Html][] => {
    const added = keyed.filter((operation) => requiredTier(operation) === tier);
    return min && added.length > 0 ? [[planName(min.key), linksTo(added)]] : [];
  });
  return [["No key needed", linksTo(open.filter(({ access }) => access.anonymous))], ...ofPlans];
}
