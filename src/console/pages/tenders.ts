import { TendersTriggerSchema } from "../../../gen/es/ids/alerts/v1/trigger_pb.ts";
import { CatalogService } from "../../../gen/es/ids/catalog/v1/catalog_pb.ts";
import type { ListCoverageResponse } from "../../../gen/es/ids/catalog/v1/coverage_pb.ts";
import { EconomicService } from "../../../gen/es/ids/economic/v1/economic_pb.ts";
import {
  ListGlobalTendersRequestSchema,
  type ListGlobalTendersResponse,
  type Tender,
} from "../../../gen/es/ids/economic/v1/tenders_pb.ts";
import { labelOf } from "../../contract/labels.ts";
import { type Html, html, joined } from "../../pages/html.ts";
import { isoDay } from "../../reference/calendar.ts";
import { countries, countriesByName } from "../../reference/countries/countries.ts";
import { dayMs, weekMs } from "../../reference/duration.ts";
import { addressOf, addressWith, queryOf } from "../address.ts";
import { operationFor, readMessage } from "../metadata.ts";
import type { MakePage, PageContext } from "../page-context.ts";
import { type Availability, catalogState, notCovered, stateMarkup } from "../view/availability.ts";
import { blockOf, provenanceOf } from "../view/block.ts";
import { channelsText } from "../view/channels.ts";
import { countryLink } from "../view/data-table.ts";
import { amountText, compactText, numberText } from "../view/figures.ts";
import { hiddenInputs, problemMarkup, rejectedAttributes } from "../view/form-field.ts";
import { pagesMarkup } from "../view/paging.ts";
import { choicesNamed, codesOfNames, requestForm } from "../view/request-form.ts";
import { type Tab, tabs } from "../view/tabs.ts";
import { ago, dayText, instantText } from "../view/times.ts";

const operation = operationFor(EconomicService.method.listGlobalTenders);
export const tenderParameters = new Set(operation.method.input.fields.map(({ name }) => name));

export function tendersPage(sendsMail: boolean): MakePage {
  return async (page) => {
    const requested = searchIn(page.query);
    const { listGlobalTenders } = EconomicService.method;
    const [{ response, message: found }, covered, deadlines, unconverted, unvalued] = await Promise.all([
      readMessage(page.read, listGlobalTenders, requested),
      readMessage(page.read, CatalogService.method.listCoverage, { dataset: "global-tenders" }),
      deadlineLinks(requested, page),
      readWithout(requested, ["currency"], page),
      readWithout(requested, amountFilters, page),
    ]);
    const lack = found && coverageLack(found, requested);
    const categories = found?.total === 0 ? categoriesIn(requested) : [];
    const hasTitle = found && lack !== notCovered && categories.length === 0;
    const results = blockOf(page, {
      id: "results",
      title: hasTitle ? `${countText(found)} open ${found.total === 1 ? "notice" : "notices"}` : "Notices",
      about:
        found &&
        html`${currenciesText(found.tenders, requested)}${leftOutMarkup(found, { unconverted, unvalued }, [requested, page])}`,
      content:
        found &&
        html`${found.total === 0 && (await fewerWords(requested, page))}${resultsMarkup(found, requested, page)}`,
      provenance: { ...provenanceOf(response), ...(lack && { availability: lack }) },
    });
    const { status } = ListGlobalTendersRequestSchema.field;
    const choices = { status: choicesNamed(status), source: [...publishersFor(page)] };
    const own = { countries: (problem?: string) => countriesField(requested, problem, covered.message) };
    const first = ["query", "countries", "status", "sort", "published_from"];
    const isRejected = response.kind === "refused" && response.status === 400;
    const body = html`<main id="content" tabindex="-1"><header class="top"><h1>Tenders</h1><p class="lead">Public procurement notices of governments and international institutions. The address of a search can be shared.</p></header>
${requestForm({ response, action: "/tenders", values: requested, hidden: {}, choices, own, first, without: ["country"] })}
<div class="after-filters">${chosenCountries(requested, page)}
${deadlines}
${!isRejected && saveMarkup(requested, page, sendsMail)}</div>
${results.markup}</main>`;
    return { title: "Tenders", description: "Search public procurement notices.", body, blocks: [results] };
  };
}

function publishersFor({ metadata }: PageContext): ReadonlyMap<string, string> {
  return new Map(metadata.sourcesOf(operation).map(({ name, publisher }) => [name, publisher]));
}

function countText({ total, totalCapped }: Pick<ListGlobalTendersResponse, "total" | "totalCapped">): string {
  return `${numberText(total)}${totalCapped ? "+" : ""}`;
}

function countriesIn(requested: URLSearchParams) {
  const codes = (requested.get("countries") ?? "").split(",");
  return { chosen: codes.filter((code) => countries.has(code)), unknown: codes.filter((code) => !countries.has(code)) };
}

/** Returns the field that adds a country to the search. It proposes countries that have notices, with their number. */
function countriesField(requested: URLSearchParams, problem?: string, covered?: ListCoverageResponse): Html {
  const id = "filter-countries";
  const { chosen, unknown } = countriesIn(requested);
  const rows = new Map(covered?.coverage.map(({ country, rows }) => [country, rows]));
  const proposed = countriesByName().filter(({ alpha2 }) => rows.has(alpha2) && !chosen.includes(alpha2));
  return html`<span class="field"><label for="${id}">Countries</label>${hiddenInputs(chosen.map((code) => ["countries", code]))}<input id="${id}" name="countries" value="${unknown.join(", ")}" list="${id}-known" placeholder="Add a name" maxlength="200" autocomplete="off"${rejectedAttributes(id, problem)}><datalist id="${id}-known">${proposed.map(({ alpha2, name }) => html`<option value="${name}">${amountText(rows.get(alpha2) ?? 0, "notice")}</option>`)}</datalist>${problemMarkup(id, problem)}</span>`;
}

/** Lists the countries of the search. Each has a link that removes it. */
function chosenCountries(requested: URLSearchParams, { path }: PageContext): Html | undefined {
  const { chosen } = countriesIn(requested);
  if (chosen.length === 0) return undefined;
  return html`<ul class="tabs" aria-label="Remove a country">${chosen.map((code) => {
    const others = chosen.filter((each) => each !== code).join(",") || undefined;
    const address = addressWith({ path, query: requested }, { cursor: undefined, countries: others });
    return html`<li><a href="${address}"><span class="unseen">Remove </span>${countries.get(code)?.name} <span aria-hidden="true">×</span></a></li>`;
  })}</ul>`;
}

/** Returns the categories of a search that names several. The operation would take these as one text. */
function categoriesIn(requested: URLSearchParams): readonly string[] {
  const parts = (requested.get("category") ?? "").split(/[,;]/).map((part) => part.trim());
  return parts.length > 1 ? parts.filter((part) => part !== "") : [];
}

/** Reads a single notice of a search. The response also has the number of all notices. */
async function readTotal(search: URLSearchParams, { read }: PageContext) {
  search.set("page_size", "1");
  return (await readMessage(read, EconomicService.method.listGlobalTenders, search)).message;
}

const amountFilters = ["min_value", "max_value", "currency"];

/** Counts the notices without some filters of a search. Undefined if the search has none of these filters. */
async function readWithout(requested: URLSearchParams, names: readonly string[], page: PageContext) {
  if (!names.some((name) => requested.get(name))) return undefined;
  const all = new URLSearchParams(requested);
  for (const name of [...names, "cursor"]) all.delete(name);
  return readTotal(all, page);
}

type Counted = Pick<ListGlobalTendersResponse, "total" | "totalCapped">;

/** Says how many notices a search leaves out because of its currency or amount, since many notices state no amount. */
function leftOutMarkup(
  { total }: Counted,
  { unconverted, unvalued }: Readonly<Record<"unconverted" | "unvalued", Counted | undefined>>,
  [query, { path }]: readonly [URLSearchParams, PageContext],
): Html | undefined {
  const leftOut = (all: Counted | undefined, than: number, names: readonly string[], text: string) => {
    if (!all || all.total <= than) return undefined;
    const more = countText({ total: all.total - than, totalCapped: all.totalCapped });
    const absent = Object.fromEntries(["cursor", ...names].map((name) => [name, undefined]));
    return html` <a href="${addressWith({ path, query }, absent)}">${more} more</a> ${text}`;
  };
  const isLimited = ["min_value", "max_value"].some((name) => Number(query.get(name)) > 0);
  const which = isLimited
    ? "in other currencies, since amounts are not converted."
    : "in other currencies or without amount.";
  const inOthers = leftOut(unconverted, total, ["currency"], which);
  const without = leftOut(
    unvalued,
    unconverted?.total ?? total,
    amountFilters,
    "state no amount, or one outside of the limits.",
  );
  return (inOthers || without) && html` Of the same search:${inOthers}${without}`;
}

/** Says in which currencies amounts on the page are, if the search compares amounts in several currencies. */
function currenciesText(tenders: readonly Tender[], requested: URLSearchParams): string | undefined {
  const isCompared = ["min_value", "max_value"].some((name) => Number(requested.get(name)) > 0);
  if (!isCompared && requested.get("sort") !== "estimated_value") return undefined;
  const known = tenders.flatMap(({ money }) => (money?.amount === undefined ? [] : (money.currency ?? "none stated")));
  const counts = [...Map.groupBy(known, (code) => code)].map(([code, all]) => `${code} (${all.length})`);
  if (counts.length < 2) return undefined;
  return `Amounts are compared without conversion. On this page: ${counts.join(", ")}.`;
}

/** Returns the search in the URL. Countries can be named, and `country` is accepted for a single one. */
function searchIn(query: URLSearchParams): URLSearchParams {
  // If a parameter occurs twice, both values are joined, as the form's field shows them.
  const valuesOf = (name: string) => query.getAll(name).filter((value) => value !== "");
  const names = [...new Set(query.keys())].filter((name) => tenderParameters.has(name) && valuesOf(name).length > 0);
  const requested = new URLSearchParams(names.map((name): [string, string] => [name, valuesOf(name).join(",")]));
  const given = [...requested.getAll("countries"), ...requested.getAll("country")];
  for (const name of ["countries", "country"]) requested.delete(name);
  if (given.length > 0) requested.set("countries", codesOfNames(given).join(","));
  return requested;
}

const periods = [7, 30, 90];

/** Links to the same search with a deadline in the next days. Each link has the number of notices from a short read. */
async function deadlineLinks(requested: URLSearchParams, page: PageContext): Promise<Html> {
  const { now, path, isEmbed } = page;
  if (isEmbed) return html``;
  const day = (days: number) => isoDay(now + days * dayMs);
  const links = periods.map(async (days): Promise<Tab> => {
    const due = { deadline_from: day(0), deadline_to: day(days) };
    const isHere = Object.entries(due).every(([name, value]) => requested.get(name) === value);
    const address = addressWith({ path, query: requested }, { cursor: undefined, ...due });
    const total = await readTotal(queryOf(address), page);
    return [`Due in ${days} days${total ? ` (${countText(total)})` : ""}`, address, isHere];
  });
  return tabs("Deadline", await Promise.all(links));
}

/** Maximum words of a search at which each is left out in turn, because each such search takes a read. */
const maxLeftOut = 4;

/** Links to the same search without one of its words, with the number of notices, if that finds any. */
async function fewerWords(requested: URLSearchParams, page: PageContext): Promise<Html | undefined> {
  const words = (requested.get("query") ?? "").split(/\s+/).filter(Boolean);
  if (words.length < 2 || words.length > maxLeftOut || page.isEmbed) return undefined;
  const links = words.map(async (word, left) => {
    const query = words.filter((_, place) => place !== left).join(" ");
    const address = addressWith({ path: page.path, query: requested }, { cursor: undefined, query });
    const total = await readTotal(queryOf(address), page);
    return total && total.total > 0 ? [html`<a href="${address}">without “${word}” (${countText(total)})</a>`] : [];
  });
  const found = (await Promise.all(links)).flat();
  return found.length === 0 ? undefined : html`<p class="small">The same search ${joined(found)}</p>`;
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
  return html`<p class="small"><a href="/alerts?${rule}#rule">Save this search as an alert</a>${!viewer.isSignedIn && " (sign-in needed)"}: notices that appear or change are reported${left.length > 0 && `, without regard to ${left.join(", ").toLowerCase()}`}. ${channelsText(sendsMail)}</p>`;
}

const partlyCovered: Availability = {
  tone: "warn",
  word: "Incomplete",
  reason: "No source has an open notice of some of these countries, so their number is unknown.",
};

/** Says that the notices of some or all requested countries are unknown, because no source has an open one. */
function coverageLack({ countryCoverage, total }: ListGlobalTendersResponse, requested: URLSearchParams) {
  if (countryCoverage !== "unknown" || !requested.has("countries")) return undefined;
  return total === 0 ? notCovered : partlyCovered;
}

function resultsMarkup(found: ListGlobalTendersResponse, requested: URLSearchParams, page: PageContext): Html {
  const { tenders, nextCursor, sourceStatuses } = found;
  const names = publishersFor(page);
  const categories = categoriesIn(requested).map(
    (category) =>
      html`<a href="${addressWith({ path: page.path, query: requested }, { cursor: undefined, category })}">${category}</a>`,
  );
  const nothing =
    categories.length > 0
      ? html`<p><strong>One category only.</strong> A search has one category. Search for one of them: ${joined(categories)}</p>`
      : coverageLack(found, requested)
        ? html`<p><strong>${notCovered.word}.</strong> No source has an open notice of some or all of these countries, so their number is unknown.</p>`
        : html`<p><strong>No notice.</strong> Nothing matches this search. A notice must have all of its words. Words are searched in titles and descriptions as they are published, often in the language of the country; categories are the same in all languages. Try fewer words, a category, or other filters.</p>`;
  return html`${tenders.length === 0 && html`<div class="nothing">${nothing}</div>`}
<ul class="rows">${tenders.map((tender) => html`<li>${tenderMarkup(tender, page.now, names)}</li>\n`)}</ul>
${pagesMarkup(page, nextCursor, "notices")}
<details class="as-table"><summary>Sources</summary><ul class="rows">${sourceStatuses.map(
    ({ source, state }) => html`<li><p>${names.get(source) ?? source} ${stateMarkup(catalogState(state))}</p></li>`,
  )}</ul></details>`;
}

/** Returns a notice as HTML. Its status is omitted, because each source has another word for an open notice. */
function tenderMarkup(tender: Tender, now: number, names: ReadonlyMap<string, string>): Html {
  const { id, title, officialUrl, buyer, countryCode, publishedAt, deadline, money, sectors, source } = tender;
  const due = Date.parse(deadline);
  const published = Date.parse(publishedAt);
  const others = tender.otherNotices.length;
  const dueText = () => html`due ${instantText(due)}${due % dayMs === 0 ? "" : " UTC"} (${ago(due, now)})`;
  const facts = [
    !Number.isNaN(due) && (due - now < weekMs ? html`<strong>${dueText()}</strong>` : dueText()),
    !Number.isNaN(published) && `published ${dayText(published)}`,
    names.get(source) ?? source,
    sectors.length > 0 && sectors.slice(0, 3).join(", "),
    others > 0 &&
      html`<a href="${addressOf("/tenders", new URLSearchParams({ same_as: id }))}">${amountText(others, "other notice")} of this procurement</a>`,
  ].filter((fact) => fact !== false);
  const isLink = /^https?:\/\//.test(officialUrl);
  return html`<p><strong>${isLink ? html`<a href="${officialUrl}" rel="noopener noreferrer nofollow">${title}</a>` : title}</strong></p>
<p class="small">${buyer} · ${countryLink(countryCode)}${money?.amount !== undefined && html` · <strong>${compactText(money.amount)} ${money.currency}</strong>`}</p>
<p class="small soft">${joined(facts, " · ")}</p>`;
}
