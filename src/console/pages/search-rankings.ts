import type { Series } from "../../../gen/es/ids/history/v1/history_pb.ts";
import { isoDay } from "../../reference/calendar.ts";
import { continentNames } from "../../reference/countries/continents.ts";
import { dayMs } from "../../reference/duration.ts";
import type { PageContext } from "../page-context.ts";
import type { Asked, Hit, Lists } from "./search-hits.ts";
import { meaningOf, worsening } from "./search-words.ts";
import { spansOf, usualSpan } from "./series/latest-values.ts";
import { seriesName } from "./series/series-read.ts";

/** Returns the parameter for a continent if words such as `african` name one. */
export function continentIn(words: readonly string[]): string {
  const named = continentNames.find((name) => {
    const adjectives = new RegExp(`^${name.replace(/[ae]s?$/, "")}(?:a|an|as|e|ean)$`);
    return words.some((word) => adjectives.test(word));
  });
  return named === undefined ? "" : `&continent=${named}`;
}

const scores = /^(?:risks?|resilience)$/;
const lowest = /^(?:least|low(?:er|est)|weak(?:er|est)|safest)$/;
const highest = /^(?:best|high(?:er|est)|most|riskiest|strongest|top)$/;

export function isOrder(word: string): boolean {
  return lowest.test(word) || highest.test(word);
}

/** Answers `which countries are least resilient`: the ranking of countries, the lowest or highest first. */
export function rankingAnswer({ countries, rest }: Asked): Hit | undefined {
  const score = rest.map(meaningOf).find((word) => scores.test(word));
  const isLowest = rest.some((word) => lowest.test(word));
  if (countries.length > 0 || score === undefined || !(isLowest || rest.some((word) => highest.test(word)))) return;
  const sort = score === "resilience" ? "resilience" : "risk";
  const path = `/countries?sort=${sort}${isLowest ? "&order=asc" : ""}${continentIn(rest)}`;
  return { path, title: `Countries by ${sort}, ${isLowest ? "lowest" : "highest"} first`, text: "All countries." };
}

/** Days over which the page of countries shows changes. */
const changeDays = 30;

/** Answers `whose risk worsened most in the last 30 days`: the ranking of countries, the largest changes first. */
export function changesAnswer(asked: Asked, { page: { now } }: Lists): Hit | undefined {
  const { rest, period } = asked;
  const isOther = period !== undefined && period.value !== isoDay(now - changeDays * dayMs);
  if (isOther || !isMoving(asked) || !rest.some((word) => scores.test(word))) return;
  return {
    path: `/countries?sort=change${continentIn(rest)}`,
    title: `Largest changes in ${changeDays} days`,
    text: "All countries, with the components that changed.",
    ...(period && { applies: period.value }),
  };
}

const spanWords = Object.entries({ week: 7, month: 30, quarter: 90, year: 365 });
/** Maximum logarithm of the ratio of a span to the period that the search names, about a tenth. */
const maxUnlike = 0.1;

/** Returns whether a search asks which of all keys changed most: it names no country, and no time in the future. */
export function isMoving({ countries, rest, period }: Asked): boolean {
  return countries.length === 0 && rest.some((word) => worsening.test(word)) && period?.isPast !== false;
}

/** Answers `largest rise of deaths in a quarter` with the changes of a series, over the span nearest to the period. */
export function changesOf(hit: Hit, series: Series, { rest, period }: Asked, { now }: PageContext): Hit {
  const current = spanWords.find(([word]) =>
    rest.some((each, place) => each === word && /^(?:this|current)$/.test(rest[place - 1] ?? "")),
  );
  const wanted = period ? (now - Date.parse(period.value)) / dayMs : (current?.[1] ?? usualSpan);
  const days = spansOf(series).toSorted((a, b) => Math.abs(Math.log(a / wanted)) - Math.abs(Math.log(b / wanted)))[0];
  const { id } = series;
  const path = `/series/${id}?days=${days}#latest`;
  // A span of other length is named as ignored.
  const isLike = days !== undefined && Math.abs(Math.log(days / wanted)) < maxUnlike;
  const applies = isLike ? period?.value : undefined;
  return { ...hit, path, title: `${seriesName(id)}: largest changes, ${days} days`, applies };
}
