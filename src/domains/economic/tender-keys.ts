import type { TenderNotice } from "../../../gen/es/ids/stored/v1/tender_pb.ts";
import type { TenderFilter } from "./tender-filter.ts";
import { wordsOf } from "./tender-text.ts";

/**
 * What a notice is found by: its words, and all else as `name=value`, which no word can be. Moments are there by month and
 * year, amounts by powers of ten, so that any range is a short list of keys that lets through little more; categories also by
 * their pairs of letters.
 */
export function noticeKeys(
  notice: TenderNotice,
  texts: { readonly search_text: string; readonly category_text: string; readonly buyer_text: string },
  fitScore: number,
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
      ...momentKeys("published", publishedAt),
      ...momentKeys("deadline", deadline),
      ...(amount === "" ? [] : [`amount=${powerOf(Number(amount))}`]),
    ]),
  ];
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

/** For each filter with keys, those one of which a notice must have. They may let through what only the column can tell. */
export function filterKeys(filter: TenderFilter): string[][] {
  const { countries, source, status, region, currency, minAutomationScore, minValue, maxValue } = filter;
  const { publishedFrom, publishedTo, deadlineFrom, deadlineTo } = filter;
  const single = Object.entries({ source, status, region, currency }).flatMap(([name, value]) =>
    value === undefined ? [] : [[`${name}=${value}`]],
  );
  return [
    ...single,
    ...(countries ? [countries.map((code) => `country=${code}`)] : []),
    ...(minAutomationScore === undefined
      ? []
      : [[30, 60, 90].filter((score) => score >= minAutomationScore).map((score) => `fit=${score}`)]),
    ...(publishedFrom || publishedTo ? [spanKeys("published", publishedFrom, publishedTo)] : []),
    ...(deadlineFrom || deadlineTo ? [spanKeys("deadline", deadlineFrom, deadlineTo)] : []),
    ...(minValue === undefined && maxValue === undefined ? [] : [amountKeys(minValue, maxValue)]),
  ];
}

/** Moments outside of these years have the keys of the first and the last day in them. */
const earliest = Date.UTC(2000, 0, 1);
const latest = Date.UTC(2060, 11, 31);

function momentKeys(name: string, instant: string): string[] {
  if (instant === "") return [];
  const at = new Date(clamped(Date.parse(instant)));
  return [`${name}=${monthOf(at)}`, `${name}=${at.getUTCFullYear()}`];
}

/** The fewest months and years that hold every moment from the one to the other. */
function spanKeys(name: string, from: Date | undefined, to: Date | undefined): string[] {
  const last = clamped(to?.getTime() ?? latest);
  const keys: string[] = [];
  let at = new Date(clamped(from?.getTime() ?? earliest));
  while (at.getTime() <= last) {
    const year = at.getUTCFullYear();
    const isWhole = at.getUTCMonth() === 0 && Date.UTC(year + 1, 0) <= last;
    keys.push(`${name}=${isWhole ? year : monthOf(at)}`);
    at = new Date(isWhole ? Date.UTC(year + 1, 0) : Date.UTC(year, at.getUTCMonth() + 1));
  }
  return keys;
}

function clamped(milliseconds: number): number {
  return Math.min(Math.max(milliseconds, earliest), latest);
}

function monthOf(at: Date): string {
  return at.toISOString().slice(0, 7);
}

/** Powers of ten from one to a million million; lesser and greater amounts count to the first and the last. */
const powers = { first: 0, last: 12 };

function powerOf(amount: number): number {
  return Math.min(Math.max(Math.floor(Math.log10(Math.max(amount, 1))), powers.first), powers.last);
}

function amountKeys(min: number | undefined, max: number | undefined): string[] {
  const from = min === undefined ? powers.first : powerOf(min);
  const to = max === undefined ? powers.last : powerOf(max);
  return Array.from({ length: to - from + 1 }, (_, index) => `amount=${from + index}`);
}
