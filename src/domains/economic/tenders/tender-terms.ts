import type { TenderNotice } from "../../../../gen/es/ids/stored/v1/tender_pb.ts";
import { weekMs } from "../../../reference/duration.ts";
import type { TenderFilter } from "./tender-filter.ts";
import { searchable, wordsOf } from "./tender-text.ts";

/** A notice with an amount, which an upper bound alone does not tell from one without. */
const priced = "amount=stated";

/** Of a notice with at least so much; lower bounds are mostly a power of ten. */
const magnitudes = [3, 4, 5, 6, 7, 8, 9].map((exponent) => ({ min: 10 ** exponent, term: `amount=1e${exponent}` }));

/** A notice that was read before the moment at which it says that it was published. */
const ahead = "published=ahead";

function wordsIn(text: string): string[] {
  return wordsOf(searchable(text));
}

/** Words in which a part can be looked for: those of title and description, and of other texts under their name. */
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
 * What a notice is found by: its words, those of its title once more, and all else as `name=value`, which no word can be;
 * categories also by their parts of one and two characters, amounts by their magnitude and moments by their week. Moments and
 * amounts have columns as well, which are exact.
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

/** A word as one of the title. */
export function titleTerm(word: string): string {
  return `title=${word}`;
}

/** Weeks since 1970, which begin on Thursdays. */
function weekTerm(name: string, at: number): string {
  return `${name}=${Math.floor(at / weekMs)}`;
}

/** Ranges of more weeks than this are left to the columns: they only slow the index down. */
const maxWeeks = 4;

/** The weeks of a range, one of which a moment inside must be in; none for a wide one. */
function weekTerms(name: string, from: Date | undefined, to: Date | undefined): string[][] {
  if (!from || !to) return [];
  const first = Math.floor(from.getTime() / weekMs);
  const count = Math.floor(to.getTime() / weekMs) - first + 1;
  if (count < 1 || count > maxWeeks) return [];
  return [Array.from({ length: count }, (_, index) => weekTerm(name, (first + index) * weekMs))];
}

/** Its parts of one and two characters. */
function grams(text: string): string[] {
  const letters = [...text];
  return [...letters, ...letters.slice(1).map((letter, index) => `${letters[index]}${letter}`)];
}

/** The term of all categories with this part; undefined for a part that is too long for one. */
export function gramTerm(part: string): string | undefined {
  return [...part].length <= 2 ? `gram=${part}` : undefined;
}

/** For each filter with terms, those one of which a notice must have. */
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
    // What is open runs out later than now.
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
