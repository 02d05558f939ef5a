import { AlertsService } from "../../../../gen/es/ids/alerts/v1/alerts_pb.ts";
import type { Rule } from "../../../../gen/es/ids/alerts/v1/rule_pb.ts";
import type { DigestItem } from "../../../../gen/es/ids/alerts/v1/trigger_pb.ts";
import type { Site } from "../../../pages/frame/frame.ts";
import { type Html, type HtmlValue, html } from "../../../pages/html.ts";
import type { DemoKey } from "../../../pages/reference/reference.ts";
import { countries } from "../../../reference/countries/countries.ts";
import { type Metadata, readMessage } from "../../metadata.ts";
import type { Block, PageContext } from "../../page-context.ts";
import { blockMaker, provenanceOf } from "../../view/block.ts";
import { numberText } from "../../view/figures.ts";
import { type PrivatePage, signInMarkup } from "../account/private-page.ts";

const introduction = html`<p>A watchlist has countries, series, chokepoints, and searches, with a digest a day or week.</p>`;

/** Creates `/watchlist`: what changed in the watchlists of the account. */
export function watchlistPage(metadata: Metadata, site: Site, demoKeys: readonly DemoKey[]): PrivatePage {
  return {
    path: "/watchlist",
    title: "Watchlist",
    markup: (page) =>
      page.viewer.isSignedIn ? watchlistsMarkup(page, metadata) : signInMarkup(page, site, demoKeys, introduction),
    actions: {},
    forms: [],
  };
}

/** Returns the address of a form for a watchlist with one item. */
export function watchPath(name: string, item: Readonly<Record<string, string>>): string {
  return `/alerts?${new URLSearchParams({ watch: "watchlist", name, ...item })}#rule`;
}

async function watchlistsMarkup(page: PageContext, metadata: Metadata): Promise<Html> {
  const { message } = await readMessage(page.read, AlertsService.method.listRules);
  const rules = message?.rules.filter(({ trigger }) => trigger?.watchlist) ?? [];
  const blocks = await Promise.all(rules.map((rule) => digestBlock(rule, page, metadata)));
  return html`<main id="content" tabindex="-1"><header class="top"><h1>Watchlist</h1>
<p class="lead">What changed in the last day or week. <a href="/alerts?watch=watchlist#rule">New watchlist</a></p></header>
${blocks.length === 0 && html`<div class="nothing"><p><strong>No watchlist yet.</strong> Create one, or press “Watch” on the page of a country or chokepoint.</p></div>`}
<div class="grid">${blocks.map(({ markup }) => markup)}</div></main>`;
}

async function digestBlock({ id, name, trigger, paused }: Rule, page: PageContext, metadata: Metadata): Promise<Block> {
  const { response, message } = await readMessage(page.read, AlertsService.method.listDigests, { rule_id: id });
  const period = trigger?.watchlist?.digest === "weekly" ? "7 days" : "24 hours";
  return blockMaker(
    page,
    metadata,
  )({
    ...{ id, title: name },
    about: html`Changes in ${period}. Counts are those of the last ${period} and of the ${period} before. ${paused && "The digest is paused. "}<a href="/alerts?rule=${id}#rule">Change this list</a>`,
    content: message && itemsMarkup(name, message.digests[0]?.items ?? []),
    provenance: provenanceOf(response),
  });
}

function itemsMarkup(name: string, items: readonly DigestItem[]): Html {
  if (items.length === 0) return html`<div class="nothing"><p>No item of this list has a value so far.</p></div>`;
  const sorted = items.toSorted((a, b) => Math.abs(b.change ?? 0) - Math.abs(a.change ?? 0));
  return html`<div class="wide" role="region" aria-label="${`Table: ${name}`}" tabindex="0"><table class="cards"><thead><tr><th scope="col">Item</th><th scope="col" class="number">Before</th><th scope="col" class="number">Last value</th><th scope="col" class="number">Change</th></tr></thead><tbody>${sorted.map(itemMarkup)}</tbody></table></div>`;
}

function itemMarkup(item: DigestItem): Html {
  const { valueThen, valueNow, change } = item;
  const isOld = valueThen !== undefined && valueNow === undefined;
  const changed = change !== undefined && `${change > 0 ? "+" : ""}${numberText(change)}`;
  return html`<tr><th scope="row">${titleMarkup(item)}</th><td class="number" data-label="Before">${knownText(valueThen)}</td><td class="number" data-label="Last value">${isOld ? "no newer value" : knownText(valueNow)}</td><td class="number" data-label="Change">${changed || knownText(undefined)}</td></tr>\n`;
}

function knownText(value: number | undefined): HtmlValue {
  return value === undefined ? html`–<span class="unseen"> unknown</span>` : numberText(value);
}

/** The name leads to the page of the item, and the rest of the title to the values. */
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
