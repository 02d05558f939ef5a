import type { TenderNotice } from "../../../gen/es/ids/stored/v1/tender_pb.ts";
import type { TenderFilter } from "./tender-filter.ts";
import { wordsOf } from "./tender-text.ts";

/**
 * What a notice is found by: its words, and all else as `name=value`, which no word can be. Moments are there by day, month
 * and year, amounts by tenths of a decade, so that any range is a list of keys; categories also by their pairs of letters.
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
      ...(amount === "" ? [] : [`amount=${decadeOf(Number(amount))}`]),
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

const dayMs = 86_400_000;
/** Moments outside of these years have the keys of the first and the last day in them. */
const earliest = Date.UTC(2000, 0, 1);
const latest = Date.UTC(2060, 11, 31);

function momentKeys(name: string, instant: string): string[] {
  if (instant === "") return [];
  const day = isoDay(clamped(Date.parse(instant)));
  return [day, day.slice(0, 7), day.slice(0, 4)].map((period) => `${name}=${period}`);
}

/** The fewest periods that hold every day from the one to the other. */
function spanKeys(name: string, from: Date | undefined, to: Date | undefined): string[] {
  const last = clamped(to?.getTime() ?? latest);
  const keys: string[] = [];
  for (let at = clamped(from?.getTime() ?? earliest); isoDay(at) <= isoDay(last); ) {
    const date = new Date(at);
    const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
    const [nextYear, nextMonth] = [Date.UTC(year + 1, 0), Date.UTC(year, month + 1)];
    const isFirst = date.getUTCDate() === 1;
    const [letters, next] =
      isFirst && month === 0 && nextYear - dayMs <= last
        ? [4, nextYear]
        : isFirst && nextMonth - dayMs <= last
          ? [7, nextMonth]
          : [10, Math.floor(at / dayMs) * dayMs + dayMs];
    keys.push(`${name}=${isoDay(at).slice(0, letters)}`);
    at = next;
  }
  return keys;
}

function clamped(milliseconds: number): number {
  return Math.min(Math.max(milliseconds, earliest), latest);
}

function isoDay(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}

/** Amounts from a tenth to a million million; others count to the first and the last tenth. */
const decades = { first: -10, last: 120 };

function decadeOf(amount: number): number {
  return Math.min(
    Math.max(Math.floor(10 * Math.log10(Math.max(amount, Number.MIN_VALUE))), decades.first),
    decades.last,
  );
}

function amountKeys(min: number | undefined, max: number | undefined): string[] {
  const from = min === undefined ? decades.first : decadeOf(min);
  const to = max === undefined ? decades.last : decadeOf(max);
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => `amount=${from + index}`);
}
