import { AlertsService } from "../../../../gen/es/ids/alerts/v1/alerts_pb.ts";
import type { Rule } from "../../../../gen/es/ids/alerts/v1/rule_pb.ts";
import type { Place } from "../../../contract/columns.ts";
import { tablesOf } from "../../../contract/tables.ts";
import type { Site } from "../../../pages/frame/frame.ts";
import { type Html, html } from "../../../pages/html.ts";
import type { DemoKey } from "../../../pages/reference/reference.ts";
import { type Metadata, operationFor, readMessage } from "../../metadata.ts";
import type { Block, PageContext } from "../../page-context.ts";
import { blockMaker, provenanceOf } from "../../view/block.ts";
import { rowsMarkup } from "../../view/data-table.ts";
import { type PrivatePage, signInMarkup } from "../account/private-page.ts";

const listDigests = operationFor(AlertsService.method.listDigests);
const [table] = tablesOf(listDigests);
const shown = ["title", "valueNow", "valueThen", "change"];
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
  const response = await page.read(listDigests, { rule_id: id });
  const change = table?.columns.find((column) => column.name === "change");
  const sizeOf = (place: Place) => Math.abs(Number(change?.read(place) ?? Number.NaN)) || 0;
  const rows = response.kind === "answered" && table ? table.rowsIn(response.body, {}) : [];
  const places = rows.toSorted((a, b) => sizeOf(b) - sizeOf(a));
  const columns = table?.columns.filter((column) => shown.includes(column.name)) ?? [];
  const period = trigger?.watchlist?.digest === "weekly" ? "7 days" : "24 hours";
  return blockMaker(
    page,
    metadata,
  )({
    ...{ id, title: name },
    about: html`Changes in ${period}. Counts are compared with the ${period} before. ${paused && "The digest is paused. "}<a href="/alerts?rule=${id}#rule">Change this list</a>`,
    content: response.kind === "answered" ? rowsMarkup({ columns, places, caption: name }) : undefined,
    provenance: provenanceOf(response),
  });
}
