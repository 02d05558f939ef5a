import type { TenderNotice } from "../../../../gen/es/ids/stored/v1/tender_pb.ts";
import type { TenderFilter } from "./tender-filter.ts";
import { wordsOf } from "./tender-text.ts";

/** A notice with an amount, which an upper bound alone does not tell from one without. */
const priced = "amount=stated";

/** Of a notice with at least so much; lower bounds are mostly a power of ten. */
const magnitudes = [3, 4, 5, 6, 7, 8, 9].map((exponent) => ({ least: 10 ** exponent, key: `amount=1e${exponent}` }));

/**
 * What a notice is found by: its words, and all else as `name=value`, which no word can be; categories also by their pairs
 * of of letters, amounts also by their magnitude and moments by their week. Moments and amounts have columns as well, which
 * tell exactly: wide ranges of weeks only slow the keys down, and are left to those.
 */
export function noticeKeys(
  notice: TenderNotice,
  texts: { readonly search_text: string; readonly category_text: string; readonly buyer_text: string },
  { fitScore, now }: { readonly fitScore: number; readonly now: Date },
): string[] {
  const { countryCode, source, status, region, currency, amount, publishedAt, deadline } = notice;
  const categories = texts.category_text.split("\n");
  const single = { country: countryCode, source, status, region: region.toLowerCase(), currency, fit: fitScore };
  return [
    ...new Set([
      ...wordsOf(texts.search_text),
      ...Object.entries({ ...single, buyer: texts.buyer_text }).map(([name, value]) => `${name}=${value}`),
      ...categories.map((category) => `category=${category}`),
      ...categories.flatMap(grams).map((gram) => `gram=${gram}`),
      ...(amount === "" ? [] : [priced]),
      ...magnitudes.filter(({ least }) => Number(amount) >= least).map(({ key }) => key),
      ...(publishedAt === "" ? [] : [weekKey("published", Date.parse(publishedAt))]),
      ...(Date.parse(publishedAt) > now.getTime() ? [ahead] : []),
      ...(deadline === "" ? [] : [weekKey("deadline", Date.parse(deadline))]),
    ]),
  ];
}

/** A notice that was read before the moment at which it says that it was published. */
const ahead = "published=ahead";

const weekMs = 7 * 86_400_000;

/** Weeks since 1970, which begin on Thursdays. */
function weekKey(name: string, at: number): string {
  return `${name}=${Math.floor(at / weekMs)}`;
}

/** Ranges of more weeks than this are left to the columns. */
const mostWeeks = 4;

/** The weeks of a range, one of which a moment inside must be in; none for a wide one. */
function weekKeys(name: string, from: Date | undefined, to: Date | undefined): string[][] {
  if (!from || !to) return [];
  const first = Math.floor(from.getTime() / weekMs);
  const count = Math.floor(to.getTime() / weekMs) - first + 1;
  if (count < 1 || count > mostWeeks) return [];
  return [Array.from({ length: count }, (_, index) => weekKey(name, (first + index) * weekMs))];
}

/** Its parts of one and two characters. */
function grams(text: string): string[] {
  const letters = [...text];
  return [...letters, ...letters.slice(1).map((letter, index) => `${letters[index]}${letter}`)];
}

/** The key of all categories with this part; undefined for a part that is too long for one. */
export function gramKey(part: string): string | undefined {
  return [...part].length <= 2 ? `gram=${part}` : undefined;
}

/** For each filter with keys, those one of which a notice must have. */
export function filterKeys(filter: TenderFilter, now: Date): string[][] {
  const { publishedFrom, publishedTo, deadlineFrom, deadlineTo } = filter;
  const { countries, source, status, region, currency, minAutomationScore, minValue, maxValue } = filter;
  const single = Object.entries({ source, status, region, currency }).flatMap(([name, value]) =>
    value === undefined ? [] : [[`${name}=${value}`]],
  );
  return [
    ...single,
    ...weekKeys("published", publishedFrom, publishedTo ?? now).map((weeks) =>
      publishedTo ? weeks : [...weeks, ahead],
    ),
    // What is open runs out later than now.
    ...weekKeys("deadline", deadlineFrom && deadlineFrom > now ? deadlineFrom : now, deadlineTo),
    ...(countries ? [countries.map((code) => `country=${code}`)] : []),
    ...(minAutomationScore === undefined
      ? []
      : [[30, 60, 90].filter((score) => score >= minAutomationScore).map((score) => `fit=${score}`)]),
    ...(maxValue === undefined ? [] : [[priced]]),
    ...magnitudes
      .filter(({ least }) => least <= (minValue ?? 0))
      .slice(-1)
      .map(({ key }) => [key]),
  ];
}
