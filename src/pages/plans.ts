import type { Plans } from "../access/plans.ts";
import { catalog } from "../contract/catalog.ts";
import { escaped, page, table } from "./layout.ts";

/** The page at `/plans`: what each plan allows, and the operations with a limit of their own. */
export function plansPage(plans: Plans): string {
  const number = (value: number | undefined) => (value === undefined ? "unlimited" : value.toLocaleString("en"));
  const free = catalog.filter(({ freeCallsPerDay }) => freeCallsPerDay > 0);
  const own = catalog.filter(({ quotaPerMinute }) => quotaPerMinute > 0);
  const body = `
<h2>Plans</h2>
${table(
  ["Plan", "Tier", "Requests a minute", "Requests a UTC day"],
  [...plans.values()]
    .filter(({ key }) => key !== "operator")
    .map((plan) => [
      `<code>${escaped(plan.key)}</code>`,
      String(plan.tier),
      number(plan.perMinute),
      number(plan.perDay),
    ]),
  [1, 2, 3],
)}
<p>All keys of an account share its limits. Every answer to a key tells what is left in <code>X-RateLimit-*</code> and
<code>RateLimit</code>; a refusal is a 429 with <code>Retry-After</code>.</p>
<h2>Operations with a limit of their own</h2>
${table(
  ["Operation", "Requests a minute"],
  own.map(({ name, quotaPerMinute }) => [escaped(name), number(quotaPerMinute)]),
  [1],
)}
<h2>Operations with an allowance for accounts of tier 0</h2>
${table(
  ["Operation", "Requests a UTC day"],
  free.map(({ name, freeCallsPerDay }) => [escaped(name), number(freeCallsPerDay)]),
  [1],
)}`;
  return page("Plans and limits", "What an account may ask, by plan. Tiers: 0 free, 1 pro, 2 api, 3 enterprise.", body);
}
