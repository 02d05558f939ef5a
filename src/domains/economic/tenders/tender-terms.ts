import type { TenderNotice } from "../../../../gen/es/ids/stored/v1/tender_pb.ts";
import { weekMs } from "../../../reference/duration.ts";
import { searchable, type TenderFilter, wordsOf } from "./tender-filter.ts";

/** The index term of notices with an amount. With it, a search for a maximum amount finds no notices without one. */
const priced = "amount=stated";

/** The index terms of notices with at least these amounts. A search for a minimum amount is mostly a power of ten. */
const magnitudes = [3, 4, 5, 6, 7, 8, 9].map((exponent) => ({ min: 10 ** exponent, term: `amount=1e${exponent}` }));

/** The index term of a notice whose time of publication was in the future when it was read. */
const ahead = "published=ahead";

function wordsIn(text: string): string[] {
  return wordsOf(searchable(text));
}

/** Returns the words of a notice. Words of the buyer begin with `buyer=`, and words of categories with `category=`. */
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
 * Returns the index terms of a notice. These are its words, the words of its title with a prefix, and other values as
 * `name=value`. Parts of categories, magnitudes of amounts, and weeks of times are terms too, while exact amounts and
 * times are in columns.
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

/** Returns the term of the week that contains a time. Weeks are counted from 1970 and begin on Thursdays. */
function weekTerm(name: string, at: number): string {
  return `${name}=${Math.floor(at / weekMs)}`;
}

/** Maximum weeks of a time range for which a search uses index terms, because a longer one needs too many. */
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

/** Returns the index term of categories that contain this text. Undefined if it has more than two characters. */
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
    // Open notices have a deadline in the future, so the range of deadlines starts now at the earliest.
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
