import type { TenderNotice } from "../../../../gen/es/ids/stored/v1/tender_pb.ts";
import { weekMs } from "../../../reference/duration.ts";
import { searchable, type TenderFilter, wordsOf } from "./tender-filter.ts";

/** A notice with an amount has this term, because an upper bound does not exclude notices without an amount. */
const priced = "amount=stated";

/** A notice with at least this amount has the term. Most lower bounds are a power of ten. */
const magnitudes = [3, 4, 5, 6, 7, 8, 9].map((exponent) => ({ min: 10 ** exponent, term: `amount=1e${exponent}` }));

/** A notice that was read before its own publication time has this term. */
const ahead = "published=ahead";

function wordsIn(text: string): string[] {
  return wordsOf(searchable(text));
}

/** Words of texts other than title and description have the name of the text as a prefix. */
export function vocabularyOf({ title, description, buyer, categoryCodes, sectors }: TenderNotice): string[] {
  const named = (name: string, texts: readonly string[]) =>
    texts.flatMap((text) => wordsIn(text).map((word) => `${name}=${word}`));
  return [
    ...new Set([
      ...wordsIn(`${title}\n${description}`),
      ...named("buyer", [buyer]),
      ...named("category", [...categoryCodes, ...sectors]),
    ]),
  ];
}

/**
 * Returns the index terms of a notice: its words, the words of its title again, and other values as `name=value`, which
 * cannot be a word. Categories also have terms for their parts of one and two characters, amounts for their magnitude,
 * and times for their week. Exact amounts and times are in columns.
 */
export function noticeTerms(notice: TenderNotice, { fitScore, now }: { fitScore: number; now: Date }): string[] {
  const { title, countryCode, source, status, region, currency, amount, publishedAt, deadline } = notice;
  const facets = { country: countryCode, source, status, region: region.toLowerCase(), currency, fit: fitScore };
  const categories = [...notice.categoryCodes, ...notice.sectors].map(searchable);
  return [
    ...new Set([
      ...vocabularyOf(notice),
      ...wordsIn(title).map(titleTerm),
      ...Object.entries(facets).map(([name, value]) => `${name}=${value}`),
      ...categories.flatMap(grams).map((gram) => `gram=${gram}`),
      ...(amount === "" ? [] : [priced]),
      ...magnitudes.filter(({ min }) => Number(amount) >= min).map(({ term }) => term),
      ...(publishedAt === "" ? [] : [weekTerm("published", Date.parse(publishedAt))]),
      ...(Date.parse(publishedAt) > now.getTime() ? [ahead] : []),
      ...(deadline === "" ? [] : [weekTerm("deadline", Date.parse(deadline))]),
    ]),
  ];
}

export function titleTerm(word: string): string {
  return `title=${word}`;
}

/** Weeks are counted from 1970 and begin on Thursdays. */
function weekTerm(name: string, at: number): string {
  return `${name}=${Math.floor(at / weekMs)}`;
}

/** For longer ranges, week terms would slow down the index, so only the columns filter. */
const maxWeeks = 4;

function weekTerms(name: string, from: Date | undefined, to: Date | undefined): string[][] {
  if (!from || !to) return [];
  const first = Math.floor(from.getTime() / weekMs);
  const count = Math.floor(to.getTime() / weekMs) - first + 1;
  if (count < 1 || count > maxWeeks) return [];
  return [Array.from({ length: count }, (_, index) => weekTerm(name, (first + index) * weekMs))];
}

function grams(text: string): string[] {
  const letters = [...text];
  return [...letters, ...letters.slice(1).map((letter, index) => `${letters[index]}${letter}`)];
}

/** Returns the term of all categories with this part, or undefined if the part is too long. */
export function gramTerm(part: string): string | undefined {
  return [...part].length <= 2 ? `gram=${part}` : undefined;
}

export function filterTerms(filter: TenderFilter, now: Date): string[][] {
  const { publishedFrom, publishedTo, deadlineFrom, deadlineTo, countries, category } = filter;
  const { source, status, region, currency, minAutomationScore, minValue, maxValue } = filter;
  const single = Object.entries({ source, status, region, currency }).flatMap(([name, value]) =>
    value === undefined ? [] : [[`${name}=${value}`]],
  );
  const gram = category && gramTerm(category);
  return [
    ...single,
    ...weekTerms("published", publishedFrom, publishedTo ?? now).map((weeks) =>
      publishedTo ? weeks : [...weeks, ahead],
    ),
    // The deadline of an open notice is always later than now.
    ...weekTerms("deadline", deadlineFrom && deadlineFrom > now ? deadlineFrom : now, deadlineTo),
    ...(countries ? [countries.map((code) => `country=${code}`)] : []),
    ...(minAutomationScore === undefined
      ? []
      : [[30, 60, 90].filter((score) => score >= minAutomationScore).map((score) => `fit=${score}`)]),
    ...(maxValue === undefined ? [] : [[priced]]),
    ...magnitudes
      .filter(({ min }) => min <= (minValue ?? 0))
      .slice(-1)
      .map(({ term }) => [term]),
    ...(gram ? [[gram]] : []),
  ];
}
