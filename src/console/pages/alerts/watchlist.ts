import { AlertsService } from "../../../../gen/es/ids/alerts/v1/alerts_pb.ts";
import type { Digest, Rule } from "../../../../gen/es/ids/alerts/v1/rule_pb.ts";
import type { DigestItem } from "../../../../gen/es/ids/alerts/v1/trigger_pb.ts";
import { splitTarget } from "../../../http/exchange.ts";
import { type Html, type HtmlValue, html } from "../../../pages/html.ts";
import { countries } from "../../../reference/countries/countries.ts";
import { dayMs } from "../../../reference/duration.ts";
import { readMessage } from "../../metadata.ts";
import type { PageContext } from "../../page-context.ts";
import type { ReadResponse } from "../../read-response.ts";
import { type BlockParts, blockOf, provenanceOf } from "../../view/block.ts";
import { amountText, numberText, unknown } from "../../view/figures.ts";
import { pagesMarkup } from "../../view/paging.ts";
import type { PrivatePage } from "../account/private-page.ts";

/** Creates `/watchlist`: what changed in the watchlists of the account. */
export const watchlistPage: PrivatePage = {
  path: "/watchlist",
  title: "Watchlist",
  hasData: true,
  introduction: html`<p>A watchlist has countries, series, chokepoints, and searches, with a digest a day or week.</p>`,
  markup: watchlistsMarkup,
  actions: {},
  forms: [],
  parameters: ["cursor"],
};

/** Returns the address of the form for a new watchlist with one item. */
export function watchPath(name: string, item: Readonly<Record<string, string>>): string {
  return `/alerts?${new URLSearchParams({ watch: "watchlist", name, ...item })}#rule`;
}

async function watchlistsMarkup(page: PageContext): Promise<Html> {
  const { listRules, listDigests } = AlertsService.method;
  const cursor = page.query.get("cursor") ?? "";
  const [own, { response, message }] = await Promise.all([
    readMessage(page.read, listRules),
    readMessage(page.read, listDigests, { cursor }),
  ]);
  const rules = own.message?.rules ?? [];
  const digests = message?.digests.map((digest) => blockOf(page, digestBlock(digest, rules, response)));
  const failed = { id: "digests", title: "Digests", content: undefined, provenance: provenanceOf(response) };
  return html`<main id="content" tabindex="-1"><header class="top"><h1>Watchlist</h1>
<p class="lead">What changed in the last day or week. <a href="/alerts?watch=watchlist#rule">New watchlist</a></p></header>
${notIncludedMarkup(rules, page)}
${digests?.length === 0 && html`<div class="nothing"><p><strong>No watchlist${cursor === "" ? " yet" : " on this page"}.</strong> Create one, or press “Watch” on the page of a country or chokepoint.</p></div>`}
<div class="grid">${(digests ?? [blockOf(page, failed)]).map(({ markup }) => markup)}</div>
${message && pagesMarkup(page, message.nextCursor, "watchlists")}</main>`;
}

function notIncludedMarkup(rules: readonly Rule[], { viewer }: PageContext): HtmlValue {
  const max = viewer.principal?.plan.rules ?? rules.length;
  const count = rules.slice(max).filter(({ trigger }) => trigger?.watchlist).length;
  return (
    count > 0 &&
    html`<p class="caution">The plan includes ${amountText(max, "rule")}, so ${amountText(count, "newer watchlist")} ${count === 1 ? "has" : "have"} no digest. <a href="/plans">Compare plans</a></p>`
  );
}

function digestBlock(
  { ruleId, name, from, to, items }: Digest,
  rules: readonly Rule[],
  response: ReadResponse,
): BlockParts {
  const period = to - from > BigInt(dayMs) ? "7 days" : "24 hours";
  const isPaused = rules.find(({ id }) => id === ruleId)?.paused;
  // Files of the block have the items of this watchlist only.
  const target = `${splitTarget(response.target).path}?${new URLSearchParams({ rule_id: ruleId })}`;
  return {
    ...{ id: ruleId, title: name },
    about: html`Changes in ${period}. Counts are those of the last ${period} and of the ${period} before. ${isPaused && "The digest is paused. "}<a href="/alerts?rule=${ruleId}#rule">Change this list</a>`,
    content: itemsMarkup(name, items),
    provenance: { ...provenanceOf(response), target },
  };
}

function itemsMarkup(name: string, items: readonly DigestItem[]): Html {
  if (items.length === 0) return html`<div class="nothing"><p>No item of this list has a value so far.</p></div>`;
  const sorted = items.toSorted((a, b) => Math.abs(b.change ?? 0) - Math.abs(a.change ?? 0));
  return html`<div class="wide" role="region" aria-label="${`Table: ${name}`}" tabindex="0"><table class="cards"><thead><tr><th scope="col">Item</th><th scope="col" class="number">Before</th><th scope="col" class="number">Last value</th><th scope="col" class="number">Change</th></tr></thead><tbody>${sorted.map(itemMarkup)}</tbody></table></div>`;
}

function itemMarkup(item: DigestItem): Html {
  const { valueThen, valueNow, change, emptyReason } = item;
  const isOld = valueThen !== undefined && valueNow === undefined;
  const changed = change !== undefined && `${change > 0 ? "+" : ""}${numberText(change)}`;
  return html`<tr><th scope="row">${titleMarkup(item)}</th><td class="number" data-label="Before">${knownText(valueThen)}</td><td class="number" data-label="Last value">${emptyReason === undefined ? (isOld ? "no newer value" : knownText(valueNow)) : "not in the plan"}</td><td class="number" data-label="Change">${changed || unknown}</td></tr>\n`;
}

function knownText(value: number | undefined): HtmlValue {
  return value === undefined ? unknown : numberText(value);
}

/** Returns the title of an item. Its name links to the page of the item, and the rest to the values. */
function titleMarkup({ kind, item, series, title }: DigestItem): Html {
  const [name = "", ...rest] = title.split(": ");
  const query = (own: Readonly<Record<string, string>>) => `?${new URLSearchParams(own)}`;
  if (kind === "search") return html`<a href="/tenders${query({ query: item })}">${title}</a>`;
  const key = kind === "series" ? item.slice(series.length + 1) : item;
  const [country = ""] = key.toUpperCase().split("/");
  const values = html`<a href="/series/${series}${query({ keys: key })}">${rest.join(": ")}</a>`;
  const page = kind === "chokepoint" ? `/chokepoints/${item}` : countries.has(country) && `/countries/${country}`;
  const place = page === false ? name : html`<a href="${page}">${name}</a>`;
  return html`<span>${place}: ${values}</span>`;
}
