import type { ListGlobalTendersRequest } from "../../../../gen/es/ids/economic/v1/tenders_pb.ts";
import { requestedCountries } from "../../../contract/request/country-parameter.ts";
import { parseRequestTime, timeWords } from "../../../contract/request/request-time.ts";
import { InvalidRequest, type Violation } from "../../../errors.ts";

/**
 * Normalizes a text for the search: one line in lower case, without accents, with one kind of apostrophe. Very long
 * words are cut, because the index rejects them.
 */
export function searchable(text: string): string {
  return text
    .toLowerCase()
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .normalize("NFC")
    .toLowerCase()
    .replace(/\s+/g, " ")
    .trim()
    .replace(tooLong, (word) => word.slice(0, maxWord));
}

export function wordsOf(text: string): string[] {
  return text.split(separators).filter((word) => word !== "");
}

/** A word or phrase that must occur in the title or in the description. */
export interface SearchTerm {
  readonly text: string;
  readonly words: readonly string[];
  /** Whether the term is a single word of at least three characters, so that the index finds it exactly. */
  readonly isWord: boolean;
}

/** Splits a query into words and quoted phrases. A quotation mark without a counterpart counts as a blank. */
function searchTerms(query: string): SearchTerm[] {
  const parts = [...query.matchAll(/"([^"]*)"|[^\s"]+/g)].map(([part, phrase]) => searchable(phrase ?? part));
  return [...new Set(parts)].filter((text) => text !== "").map(searchTerm);
}

export function searchTerm(text: string): SearchTerm {
  const words = wordsOf(text).filter((word) => [...word].length >= minIndexed);
  return { text, words, isWord: words[0] === text };
}

/** Shorter parts than this number of characters cannot be found with a trigram index. */
const minIndexed = 3;
const maxWord = 200;
// All ASCII characters other than letters and digits separate words.
const separators = /[\0-/:-@[-`{-\x7f]+/;
const tooLong = /[^\0-/:-@[-`{-\x7f]{201,}/g;

/** The filters of a request. If a member is absent, it excludes no notice. */
export interface TenderFilter {
  readonly countries?: readonly string[];
  readonly region?: string;
  readonly source?: string;
  readonly status?: string;
  readonly deadlineFrom?: Date;
  readonly deadlineTo?: Date;
  readonly minValue?: number;
  readonly maxValue?: number;
  readonly currency?: string;
  readonly category?: string;
  readonly query?: readonly SearchTerm[];
  readonly buyer?: string;
  readonly publishedFrom?: Date;
  readonly publishedTo?: Date;
  readonly minAutomationScore?: number;
  readonly updatedAfter?: Date;
  readonly sameAs?: string;
  readonly distinct?: boolean;
}

/** Reads the filters of a request. Throws `InvalidRequest` for errors that the API schema cannot express. */
export function tenderFilter(request: ListGlobalTendersRequest): TenderFilter {
  const violations: Violation[] = [];
  const instant = (field: string, text: string, end: boolean) => {
    if (text.trim() === "") return undefined;
    const time = parseRequestTime(text);
    if (!time) violations.push({ field, description: `value must be ${timeWords}` });
    return time && new Date(end ? time.end : time.start);
  };
  const { minValue, maxValue } = request;
  const query = searchTerms(request.query);
  const all = requestedCountries(request);
  const filter: Record<keyof TenderFilter, unknown> = {
    countries: all.length > 0 ? all : undefined,
    region: request.region || undefined,
    source: request.source || undefined,
    status: request.status || undefined,
    deadlineFrom: instant("deadline_from", request.deadlineFrom, false),
    deadlineTo: instant("deadline_to", request.deadlineTo, true),
    minValue: minValue > 0 ? minValue : undefined,
    maxValue: maxValue > 0 ? maxValue : undefined,
    currency: request.currency || undefined,
    category: searchable(request.category) || undefined,
    query: query.length > 0 ? query : undefined,
    buyer: searchable(request.buyer) || undefined,
    publishedFrom: instant("published_from", request.publishedFrom, false),
    publishedTo: instant("published_to", request.publishedTo, true),
    minAutomationScore: request.minAutomationScore || undefined,
    updatedAfter: instant("updated_after", request.updatedAfter, false),
    sameAs: request.sameAs || undefined,
    distinct: request.distinct || undefined,
  };
  const active = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as TenderFilter;
  if (minValue > 0 && maxValue > 0 && minValue > maxValue)
    violations.push({ field: "min_value", description: "value must not be above max_value" });
  const { deadlineFrom, deadlineTo, publishedFrom, publishedTo } = active;
  if (deadlineFrom && deadlineTo && deadlineFrom > deadlineTo)
    violations.push({ field: "deadline_from", description: "value must not be after deadline_to" });
  if (publishedFrom && publishedTo && publishedFrom > publishedTo)
    violations.push({ field: "published_from", description: "value must not be after published_to" });
  if (query.length > 0 && query.every(({ words }) => words.length === 0) && Object.keys(active).length === 1)
    violations.push({
      field: "query",
      description: "a word of at least 3 letters or another filter is required too",
    });
  if (violations.length > 0) throw new InvalidRequest(violations);
  return active;
}

/** Returns the names of the request's filter parameters. `country` and `countries` are separate names. */
export function appliedFilters(filter: TenderFilter, { country, countries }: ListGlobalTendersRequest): string[] {
  const places = [...(country === "" ? [] : ["country"]), ...(countries.length === 0 ? [] : ["countries"])];
  return Object.keys(filter).flatMap((name) =>
    name === "countries" ? places : name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  );
}
