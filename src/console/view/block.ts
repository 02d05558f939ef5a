import type { Operation } from "../../contract/catalog.ts";
import { hasAllPages } from "../../contract/file-format.ts";
import { labelOf } from "../../contract/labels.ts";
import { isInPages } from "../../contract/paging.ts";
import { type Html, type HtmlValue, html } from "../../pages/html.ts";
import { pageOf, thingsOf } from "../../pages/reference/contents.ts";
import { addressWith } from "../address.ts";
import { type CitedRead, citationPath, exportPath, formatsOf, isOfAllPages, type Metadata } from "../metadata.ts";
import type { Block, PageContext } from "../page-context.ts";
import type { ReadResponse } from "../read-response.ts";
import type { Viewer } from "../viewer.ts";
import { type Availability, availabilityOf, operatorHint, stateMarkup } from "./availability.ts";
import { type ChartMenu, chartMenu, embedPath } from "./chart-menu.ts";
import { amountText } from "./figures.ts";
import { isOnlyPage, pageSizeOf } from "./paging.ts";
import { ago, instantText } from "./times.ts";

export interface Provenance {
  readonly availability: Availability;
  /** Time of the last successful read of the sources, in Unix epoch milliseconds. */
  readonly asOf: number | undefined;
  /** Time of the last point in Unix epoch milliseconds, or a text such as `Q1 2026` for a whole period. */
  readonly lastPoint?: number | string | undefined;
  readonly isSample: boolean;
  readonly operation: Operation;
  readonly target: string;
  /** Operation whose sources are named, if the read combines data of several operations. */
  readonly madeBy?: Operation | undefined;
  /** Sources that the data is from; undefined means all sources of the operation. */
  readonly sources?: readonly string[] | undefined;
  /** Further reads whose data the block also shows, such as layers of a map. Their sources are named too. */
  readonly alsoShown?: readonly ReadResponse[];
  /** Names of the tables in the block, each with a link to its file. Undefined means the first table of the read. */
  readonly tables?: readonly string[];
  /** Whether the response has all rows of a read with pages; undefined if unknown. */
  readonly isOnlyPage?: boolean;
}

interface BlockChart extends Pick<ChartMenu, "series" | "keys" | "embedHeight"> {
  /** The read of the series, which citations name. Undefined if it is the read of the block. */
  readonly read?: CitedRead | undefined;
}

export interface BlockParts {
  readonly id: string;
  readonly title: string;
  readonly about?: HtmlValue;
  readonly content: Html | undefined;
  /** Where the data comes from, for each read. Undefined if the block only explains the data of another block. */
  readonly provenance: Provenance | readonly Provenance[] | undefined;
  readonly span?: "half" | "third" | "two-thirds" | undefined;
  /** Title with the country or other subject. Embedded blocks show it, because they lack the title of the page. */
  readonly ownTitle?: string;
  /** Text for a phone, which shows only the title of the block and this text until the user opens the block. */
  readonly fold?: string | undefined;
  /** The series and keys of the block's chart, which then gets a menu. */
  readonly chart?: BlockChart | undefined;
}

export function provenanceOf(response: ReadResponse): Provenance {
  const { operation, target } = response;
  const availability = availabilityOf(response);
  if (response.kind === "refused") return { availability, operation, target, asOf: undefined, isSample: false };
  const { readAt: asOf, isSample, sources } = response;
  return { availability, operation, target, asOf, isSample, sources, isOnlyPage: isOnlyPage(response) };
}

/** Creates a block of a page: its content, or why there is none, and where its data is from. */
export function blockOf(page: PageContext, parts: BlockParts): Block {
  const { id, title, about, content, provenance: given = [], span, ownTitle, chart, fold } = parts;
  const provenances = [given].flat();
  const [first] = provenances;
  const menu =
    chart && content && first && canEmbed(first, page)
      ? chartMenu({ id, title: ownTitle ?? title, ...chart }, page, {
          ...{ ...first, sources: sourcesIn(first, page) },
          ...(chart.read && { operation: chart.read.operation, target: chart.read.target }),
        })
      : undefined;
  const markup = html`${about !== undefined && html`<p class="about">${about}</p>`}
${content !== undefined && provenances.map(({ availability: { tone, reason } }) => tone === "warn" && reason !== undefined && html`<p class="caution">${reason}</p>`)}
<div class="content">${content ?? (first && nothing(first.availability, page))}</div>
${provenances.map((one) => provenanceMarkup(parts, one, page))}`;
  const isFolded = fold !== undefined && !page.isEmbed;
  return {
    id,
    title,
    ...(ownTitle !== undefined && { ownTitle }),
    markup: html`<section class="block${span !== undefined && ` ${span}`}" aria-labelledby="${id}">
<h2 id="${id}">${page.isEmbed && ownTitle !== undefined ? ownTitle : title}</h2>
${menu}${page.isEmbed && provenances.some(({ isSample }) => isSample) && html`<p class="caution">Sample data: the values are invented.</p>`}
${isFolded ? html`<details class="on-phone"><summary>${fold}<span class="unseen">: ${title}</span></summary>${markup}</details>` : markup}
</section>
`,
  };
}

export function nothing({ word, reason }: Availability, page: PageContext): Html {
  const help =
    word === "Sign-in needed" && !page.isEmbed
      ? html`<p><a href="/account?${new URLSearchParams({ to: page.path })}">Sign in with a key</a> to see it.</p>${operatorHint(page.viewer)}`
      : word === "Not in this plan"
        ? html`<p><a href="/plans">Compare plans</a></p>`
        : word === "Wrong request" && page.query.has("cursor")
          ? html`<p><a href="${addressWith(page, { cursor: undefined })}">From the first page</a></p>`
          : undefined;
  return html`<div class="nothing"><p><strong>${word}.</strong> ${reason !== undefined && asSentence(reason)}</p>${help}</div>`;
}

function asSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function provenanceMarkup(parts: BlockParts, provenance: Provenance, page: PageContext): Html {
  const { id, title, provenance: all, chart } = parts;
  const { availability, asOf, lastPoint, isSample, operation, target, madeBy = operation } = provenance;
  const sources = sourcesIn(provenance, page);
  // Data without sources is about the service itself. It is from its own records and always current.
  const isOwn = page.metadata.sourcesOf(madeBy).length === 0 && availability.tone === "good";
  const ofOther = madeBy === operation ? "" : `: ${thingsOf(madeBy)}`;
  const at = asOf ?? (isOwn ? page.now : undefined);
  const isShown = availability.tone !== "none" && availability.tone !== "bad";
  // If the block has several reads, the text about each says which data it is on.
  const isOneOfSeveral = [all].flat().length > 1;
  const curl = curlMarkup(operation, target, page.origin, `${title}${ofOther}`);
  const isEmbeddable = canEmbed(provenance, page);
  const citeLink = (label: string, read: CitedRead) =>
    html`<a href="${citationPath(read, "text")}">${label}<span class="unseen"> of ${thingsOf(read.operation)}</span></a>`;
  const cite = html`${chart?.read && html`${citeLink("Cite chart", chart.read)} `}${citeLink(chart?.read ? "Cite latest values" : "Cite", provenance)}`;
  return html`<footer class="provenance">
${isOneOfSeveral && html`<span>${thingsOf(operation)}${ofOther}</span>`}
${stateMarkup(availability)}
${isSample && html`<span class="tag sample">Sample</span>`}
${at !== undefined && html`<span>As of ${ago(at, page.now)}<span class="on-paper"> (${instantText(at)} UTC)</span></span>`}
${lastPoint !== undefined && html`<span>Last point ${typeof lastPoint === "string" ? lastPoint : html`<time datetime="${new Date(lastPoint).toISOString()}">${instantText(lastPoint)}</time>`}</span>`}
${sources.length > 0 && sourcesMarkup(sources, madeBy)}
${isOwn && html`<span>Source: this service</span>`}
${isShown && html`<details class="menu-of-block"><summary>Download<span class="unseen"> ${title}</span></summary><p>${filesMarkup(provenance, page)}</p></details>`}
<details class="menu-of-block"><summary>${isEmbeddable ? "Cite and embed" : isShown ? "Cite" : "As curl"}<span class="unseen"> ${title}</span></summary>${isShown && html`<p>${cite}${isEmbeddable && html` <a href="${embedPath(page, id)}">Embed<span class="unseen"> ${title}</span></a>`}</p>`}${curl}</details>
</footer>`;
}

/** Returns the sources of everything that the block shows, each once. */
function sourcesIn({ operation, madeBy = operation, sources, alsoShown = [] }: Provenance, { metadata }: PageContext) {
  const others = alsoShown.flatMap((read) =>
    read.kind === "answered" ? metadata.sourcesOf(read.operation, read.sources) : [],
  );
  const all = [...metadata.sourcesOf(madeBy, sources), ...others];
  return [...new Map(all.map((source) => [source.name, source])).values()];
}

function sourcesMarkup(sources: ReturnType<Metadata["sourcesOf"]>, operation: Operation): Html {
  const [first] = sources;
  const summary =
    sources.length === 1 && first
      ? `Source: ${first.publisher} (${first.kind})`
      : `${sources.length} sources and licenses`;
  return html`<details><summary>${summary}</summary><ul>${sources.map(
    ({ name, publisher, kind, terms }) =>
      html`<li><strong>${publisher}</strong> (<code>${name}</code>): ${terms} <span class="tag">${kind}</span></li>`,
  )}</ul><p><a href="${pageOf(operation)}#sources-and-licenses">How to use this data</a></p></details>`;
}

function filesMarkup(provenance: Provenance, { viewer }: PageContext): Html {
  const { operation, target, tables } = provenance;
  const name = html`<span class="unseen"> of ${thingsOf(operation)}</span>`;
  const files = formatsOf(operation).includes("csv") ? (tables ?? [undefined]) : [];
  const link = (rows: string | undefined, place: number, format: "csv" | "xlsx") =>
    html`<a href="${exportPath({ operation, target, viewer, format, rows })}">${format.toUpperCase()}${extentText(provenance, rows, viewer)}${place > 0 && rows !== undefined && `: ${labelOf(rows).toLowerCase()}`}${name}</a> `;
  return html`${files.map((rows, place) => html`${link(rows, place, "csv")}${link(rows, place, "xlsx")}`)}<a href="${exportPath({ operation, target, viewer, format: "json" })}">JSON${name}</a>`;
}

function extentText({ operation, target, isOnlyPage: isOnly }: Provenance, rows: string | undefined, viewer: Viewer) {
  if (!hasAllPages(operation) || (rows !== undefined && !isInPages(operation, rows))) return "";
  if (isOfAllPages({ operation, target, format: "csv", rows, viewer })) return ", all pages";
  if (isOnly === true) return ", all rows";
  const max = isOnly === undefined ? pageSizeOf(operation, target) : undefined;
  return max === undefined ? ", this page" : `, up to ${amountText(max, "row")}`;
}

function curlMarkup(operation: Operation, target: string, origin: string, title: string): Html {
  const key = operation.access.anonymous ? "" : ' -H "X-Service-Key: $KEY"';
  return html`<pre tabindex="0" role="region" aria-label="${`Request for ${title}: ${operation.name}`}"><code>curl${key} "${origin}${target}"</code></pre>`;
}

function canEmbed({ availability: { tone } }: Provenance, { isEmbed, isPrivate }: PageContext): boolean {
  return tone !== "none" && tone !== "bad" && !isEmbed && isPrivate !== true;
}
