import { TendersTriggerSchema } from "../../../gen/es/ids/alerts/v1/trigger_pb.ts";
import { EconomicService } from "../../../gen/es/ids/economic/v1/economic_pb.ts";
import {
  ListGlobalTendersRequestSchema,
  type ListGlobalTendersResponse,
  type Tender,
} from "../../../gen/es/ids/economic/v1/tenders_pb.ts";
import { labelOf } from "../../contract/labels.ts";
import { type Html, html } from "../../pages/html.ts";
import { isoDay } from "../../reference/calendar.ts";
import { dayMs } from "../../reference/duration.ts";
import { addressWith } from "../address.ts";
import { operationFor, readMessage } from "../metadata.ts";
import type { MakePage, PageContext } from "../page-context.ts";
import { type Availability, catalogState, notCovered, stateMarkup } from "../view/availability.ts";
import { blockOf, provenanceOf } from "../view/block.ts";
import { countryLink } from "../view/data-table.ts";
import { amountText, compactText } from "../view/figures.ts";
import { pagesMarkup } from "../view/paging.ts";
import { choicesNamed, codesOfNames, requestForm } from "../view/request-form.ts";
import { type Tab, tabs } from "../view/tabs.ts";
import { ago, dayText, instantText } from "../view/times.ts";

const operation = operationFor(EconomicService.method.listGlobalTenders);
export const tenderParameters = new Set(operation.method.input.fields.map(({ name }) => name));

export function tendersPage(sendsMail: boolean): MakePage {
  return async (page) => {
    const requested = searchIn(page.query);
    const { response, message: found } = await readMessage(
      page.read,
      EconomicService.method.listGlobalTenders,
      requested,
    );
    const lack = found && coverageLack(found, requested);
    const results = blockOf(page, {
      id: "results",
      title: found && lack !== notCovered ? amountText(found.total, "notice") : "Notices",
      content: found ? resultsMarkup(found, requested, page) : undefined,
      provenance: { ...provenanceOf(response), ...(lack && { availability: lack }) },
    });
    const proposals = { status: choicesNamed(ListGlobalTendersRequestSchema.field.status) };
    const body = html`<main id="content" tabindex="-1"><header class="top"><h1>Tenders</h1><p class="lead">Public procurement notices of governments and international institutions. The address of a search can be shared.</p></header>
${requestForm({ response, action: "/tenders", values: requested, hidden: {}, proposals, first: ["query", "countries", "status", "sort", "published_from"], without: ["country"] })}
${deadlineLinks(requested, page)}
<p class="small soft">Values are compared without conversion, each in the currency of its notice.</p>
${!(response.kind === "refused" && response.status === 400) && saveMarkup(requested, page, sendsMail)}
${results.markup}</main>`;
    return { title: "Tenders", description: "Search public procurement notices.", body, blocks: [results] };
  };
}

/** Returns the search of the URL. Accepts names of countries, and `country` for a single one. */
function searchIn(query: URLSearchParams): URLSearchParams {
  const requested = new URLSearchParams(
    [...query].filter(([name, value]) => tenderParameters.has(name) && value !== ""),
  );
  const given = [...requested.getAll("countries"), ...requested.getAll("country")];
  for (const name of ["countries", "country"]) requested.delete(name);
  if (given.length > 0) requested.set("countries", codesOfNames(given).join(","));
  return requested;
}

const periods = [7, 30, 90];

/** Links to the same search of notices whose deadline is in the next days. */
function deadlineLinks(requested: URLSearchParams, { now, path, isEmbed }: PageContext): Html {
  if (isEmbed) return html``;
  const day = (days: number) => isoDay(now + days * dayMs);
  const links = periods.map((days): Tab => {
    const due = { deadline_from: day(0), deadline_to: day(days) };
    const isHere = Object.entries(due).every(([name, value]) => requested.get(name) === value);
    const address = addressWith({ path, query: requested }, { cursor: undefined, ...due });
    return [`Due in ${days} days`, address, isHere];
  });
  return tabs("Deadline", links);
}

const watched = new Set<string>(TendersTriggerSchema.fields.map(({ name }) => name));
/** Parameters that sort and page notices. They are not part of the search. */
const ofListing = new Set(["sort", "cursor", "page_size"]);

/** Links to a new alert rule with this search, and lists the filters that rules do not support. */
function saveMarkup(requested: URLSearchParams, { viewer }: PageContext, sendsMail: boolean): Html | undefined {
  const pairs = [...requested];
  const stored = pairs.filter(([name]) => watched.has(name));
  const left = pairs.filter(([name]) => !watched.has(name) && !ofListing.has(name)).map(([name]) => labelOf(name));
  if (stored.length === 0)
    return left.length > 0
      ? html`<p class="small soft">An alert cannot watch ${left.join(", ").toLowerCase()} only: add words or a country to save this search as an alert.</p>`
      : undefined;
  const name = `Tenders: ${stored.map(([, value]) => value).join(", ")}`.slice(0, 100);
  const rule = new URLSearchParams({ watch: "tenders", name });
  for (const [field, value] of stored) rule.append(field, value);
  return html`<p class="small"><a href="/alerts?${rule}#rule">Save this search as an alert</a>${!viewer.isSignedIn && " (sign-in needed)"}: notices that appear or change are reported${left.length > 0 && `, without regard to ${left.join(", ").toLowerCase()}`}. ${sendsMail ? "By e-mail, as a webhook, or as a feed." : "As a feed or webhook; for e-mail, the operator must set up a mail server."}</p>`;
}

const partlyCovered: Availability = {
  tone: "warn",
  word: "Incomplete",
  reason: "No source has an open notice of some of these countries, so their number is unknown.",
};

/**
 * If no source has an open notice of a country, its notices are unknown. This applies to all or some of the countries.
 */
function coverageLack({ countryCoverage, total }: ListGlobalTendersResponse, requested: URLSearchParams) {
  if (countryCoverage !== "unknown" || !requested.has("countries")) return undefined;
  return total === 0 ? notCovered : partlyCovered;
}

function resultsMarkup(found: ListGlobalTendersResponse, requested: URLSearchParams, page: PageContext): Html {
  const { tenders, nextCursor, sourceStatuses } = found;
  const nothing = coverageLack(found, requested)
    ? html`<p><strong>${notCovered.word}.</strong> No source has an open notice of some or all of these countries, so their number is unknown.</p>`
    : html`<p><strong>No notice.</strong> Nothing matches this search. Try fewer words or other filters.</p>`;
  return html`${tenders.length === 0 && html`<div class="nothing">${nothing}</div>`}
<ul class="rows">${tenders.map((tender) => html`<li>${tenderMarkup(tender, page.now)}</li>\n`)}</ul>
${pagesMarkup(page, nextCursor, "notices")}
<details class="as-table"><summary>Sources</summary><ul class="rows">${sourceStatuses.map(
    ({ source, state }) => html`<li><p>${source} ${stateMarkup(catalogState(state))}</p></li>`,
  )}</ul></details>`;
}

function tenderMarkup(tender: Tender, now: number): Html {
  const { title, officialUrl, buyer, countryCode, publishedAt, deadline, status, money, sectors, source } = tender;
  const due = Date.parse(deadline);
  const published = Date.parse(publishedAt);
  const isLink = /^https?:\/\//.test(officialUrl);
  return html`<p><strong>${isLink ? html`<a href="${officialUrl}" rel="noopener noreferrer nofollow">${title}</a>` : title}</strong></p>
<p class="small">${buyer} · ${countryLink(countryCode)}${money?.amount !== undefined && html` · <strong>${compactText(money.amount)} ${money.currency}</strong>`}</p>
<p class="small soft">${labelOf(status)}${!Number.isNaN(due) && html` · due ${instantText(due)}${due % dayMs === 0 ? "" : " UTC"} (${ago(due, now)})`}${!Number.isNaN(published) && html` · published ${dayText(published)}`} · ${source}${sectors.length > 0 && ` · ${sectors.slice(0, 3).join(", ")}`}</p>`;
}
