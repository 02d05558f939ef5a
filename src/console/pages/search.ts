import { CatalogService } from "../../../gen/es/ids/catalog/v1/catalog_pb.ts";
import { HistoryService } from "../../../gen/es/ids/history/v1/history_pb.ts";
import { maxSearchLetters } from "../../pages/frame/frame.ts";
import { docsSearchPath } from "../../pages/guides/docs-search-form.ts";
import { type Html, html } from "../../pages/html.ts";
import {
  countries,
  countriesLike,
  countriesWith,
  countryByCode,
  countryByName,
  countryOf,
  isOneEditApart,
} from "../../reference/countries/countries.ts";
import { chokepoints } from "../../reference/trade/chokepoints.ts";
import { readMessage } from "../metadata.ts";
import type { MakePage } from "../page-context.ts";
import type { Sections } from "../sections.ts";
import { answersOf } from "./search-answers.ts";
import {
  chokepointHit,
  countryHit,
  type Group,
  type Hit,
  hasWord,
  hitsIn,
  type Lists,
  type Place,
} from "./search-hits.ts";

const maxHits = 12;

export function searchPage(sections: Sections): MakePage {
  return async (page) => {
    const given = (page.query.get("q") ?? "").trim();
    const isTooLong = page.isCut === true || given.length > maxSearchLetters;
    const wanted = given.slice(0, maxSearchLetters);
    const words = isTooLong ? [] : wanted.toLowerCase().split(/\s+/).filter(Boolean);
    const [datasets, series] = await Promise.all([
      readMessage(page.read, CatalogService.method.listDatasets),
      readMessage(page.read, HistoryService.method.listSeries),
    ]);
    const lists = { datasets: datasets.message?.datasets, series: series.message?.series, sections };
    const spelled = spelledWords(words, lists);
    const meaningful = spelled.filter(isMeaningful);
    const chosen = meaningful.length > 0 ? meaningful : spelled;
    const { groups, ignored, ...asked } = groupsOf(spelled === words ? wanted : spelled.join(" "), chosen, lists);
    const rest = spelled.filter((word) => !chosen.includes(word) || asked.others.includes(word));
    const answers = words.length > 0 ? await answersOf({ ...asked, rest, found: groups }, page, lists) : [];
    const exact = withAnswers(answers, groups);
    const isExact = exact.length > 0;
    const found = isExact || isTooLong ? exact : similarTo(words, lists);
    const nothing = html`<div class="nothing"><p><strong>Nothing found.</strong> No name or description has these words.</p></div>`;
    const tooLong = html`<div class="nothing"><p><strong>Too long.</strong> A search may have at most ${maxSearchLetters} characters. Search for less.</p></div>`;
    const markup = html`${isTooLong ? tooLong : words.length > 0 && found.length === 0 && nothing}${spelled !== words && html`<p class="soft">Results for “${spelled.join(" ")}”.</p>`}${isExact && ignored.length > 0 && !answers.some(({ path }) => path.startsWith("/tenders?query=")) && html`<p class="soft">Ignored: ${ignored.join(", ")}. Nothing here has ${ignored.length === 1 ? "this word" : "these words"}.</p>`}${found.length > 0 && !isExact && html`<p class="soft">No name or description has all of these words. Similar:</p>`}
<div class="grid">${found.map(([title, hits]) => groupMarkup(title, hits))}</div>
${words.length > 0 && !isTooLong && html`<p>Guides are found in the <a href="${docsSearchPath}?${new URLSearchParams({ q: wanted })}">documentation</a>.</p>`}`;
    const body = html`<main id="content" tabindex="-1"><header class="top"><h1>Search</h1></header>
<form class="filters" role="search" aria-label="Page" action="/search"><span class="field wide-field"><label for="q">Countries, pages, datasets, series, chokepoints, operations</label><input id="q" name="q" type="search" value="${wanted}" maxlength="${maxSearchLetters}"></span><button>Search</button></form>
${markup}</main>`;
    const blocks = [{ id: "found", title: "Found", markup }];
    return { title: wanted === "" ? "Search" : `Search: ${wanted}`, description: "Search this service.", body, blocks };
  };
}

/** Returns the hits that have all words that match anything: first the places that are named, then the rest about them. */
function groupsOf(wanted: string, words: readonly string[], lists: Lists) {
  if (words.length === 0) return { groups: [], ignored: [], others: [], topic: [] };
  const { others, ...place } = placeIn(words);
  const isPlace = place.country !== undefined || place.chokepoint !== undefined;
  const all = hitsIn(lists, place);
  const isKnown = (word: string) => all.some(([, hits]) => hits.some((hit) => hasWord(hit, word)));
  const topic = others.filter(isKnown);
  const places: readonly Group[] = [
    ["Countries", place.country ? [countryHit(place.country)] : isPlace ? [] : hitsOfCountries(wanted)],
    ["Chokepoints", place.chokepoint ? [chokepointHit(place.chokepoint)] : []],
  ];
  const about = all
    .filter(([title]) => topic.length > 0 && (title !== "Chokepoints" || !place.chokepoint))
    .map(([title, hits]): Group => [title, matching(hits, topic)]);
  return {
    ...{ ...place, others, topic },
    groups: [...places, ...about].filter(([, hits]) => hits.length > 0),
    ignored: topic.length === 0 && !isPlace ? [] : others.filter((word) => !isKnown(word)),
  };
}

/** Puts the answers first, and removes them from the groups. */
function withAnswers(answers: readonly Hit[], groups: readonly Group[]): readonly Group[] {
  if (answers.length === 0) return groups;
  const paths = new Set(answers.map(({ path }) => (path.includes("?") ? path.replace(/#.*/, "") : path)));
  const others = groups.map(([title, hits]): Group => [title, hits.filter(({ path }) => !paths.has(path))]);
  return [["Answers", answers], ...others.filter(([, hits]) => hits.length > 0)];
}

const shortestWord = 4;

/** Replaces words that nothing has by words that differ in one letter. Returns the same list if there are none. */
function spelledWords(words: readonly string[], lists: Lists): readonly string[] {
  const { others } = placeIn(words.filter(isMeaningful));
  const all = hitsIn(lists).flatMap(([, hits]) => hits);
  const isUnknown = (word: string) =>
    word.length >= shortestWord &&
    others.includes(word) &&
    isMeaningful(word) &&
    !all.some((hit) => hasWord(hit, word));
  if (!words.some(isUnknown)) return words;
  const names = [...countries.values(), ...chokepoints].map(({ name }) => name);
  const known = new Set(
    [...all.map(({ title }) => title), ...names]
      .join(" ")
      .toLowerCase()
      .split(/[^a-z]+/),
  );
  const like = (word: string) => [...known].find((each) => each.length > 2 && isOneEditApart(each, word)) ?? word;
  const spelled = words.map((word) => (isUnknown(word) ? like(word) : word));
  return spelled.join() === words.join() ? words : spelled;
}

/** Returns countries with similar names; if there are none, the hits that have most of the words. */
function similarTo(words: readonly string[], lists: Lists): readonly Group[] {
  const countries = countriesLike(words.join(" ")).map(countryHit);
  if (countries.length > 0) return [["Countries", countries]];
  const amount = (hit: Hit) => words.filter((word) => isMeaningful(word) && hasWord(hit, word)).length;
  const groups = hitsIn(lists);
  const most = Math.max(0, ...groups.flatMap(([, hits]) => hits.map(amount)));
  if (most === 0) return [];
  return groups.flatMap(([title, hits]): Group[] => {
    const best = hits.filter((hit) => amount(hit) === most);
    return best.length > 0 ? [[title, best]] : [];
  });
}

/** Words that say nothing about what a user is looking for. */
const fillers = new Set(
  "a ago an and as at be by compared day days do for from full how i in is it last me month my no normal now of on or seasonal so than the through to usual via what which who will with would year".split(
    " ",
  ),
);

function isMeaningful(word: string): boolean {
  return !fillers.has(word) && !/^\d{1,2}$/.test(word);
}

function groupMarkup(title: string, hits: readonly Hit[]): Html {
  const id = title.toLowerCase();
  return html`<section class="block half" aria-labelledby="${id}"><h2 id="${id}">${title}</h2><ul class="rows">${hits
    .slice(0, maxHits)
    .map(
      (hit) =>
        html`<li><p><a href="${hit.path}">${hit.title}</a></p><p class="soft small">${hit.text}${hit.brief && html` · <a href="${hit.brief}">Brief<span class="unseen"> of ${hit.title}</span></a>`}</p></li>`,
    )}</ul>
${hits.length > maxHits && html`<p class="small soft">${hits.length - maxHits} more: add a word.</p>`}</section>`;
}

function matching(hits: readonly Hit[], words: readonly string[]): readonly Hit[] {
  const begins = (text: string) => words.some((word) => text.toLowerCase().startsWith(word));
  const rank = ({ title, text }: Hit) =>
    words.some((word) => title.toLowerCase().includes(word)) ? 0 : begins(text) ? 1 : 2;
  return hits
    .filter((hit) => words.every((word) => hasWord(hit, word)))
    .filter((hit) => words.some((word) => hasWord({ ...hit, moreWords: "" }, word)))
    .sort((a, b) => rank(a) - rank(b));
}

/** Matches names in common spellings, codes, and their parts. An exact match comes first. */
function hitsOfCountries(wanted: string): readonly Hit[] {
  const exact = countryOf(wanted);
  const others = countriesWith(wanted).filter((country) => country !== exact);
  return [...(exact ? [exact] : []), ...others].map(countryHit);
}

/** Finds the names of a country and a chokepoint among other words, such as in `japan oil hormuz`. */
function placeIn(words: readonly string[]): Place & { readonly others: readonly string[] } {
  const { country, others } = countryIn(words) ?? { country: undefined, others: words };
  const chokepoint = chokepoints.find(({ id }) => others.some((word) => word === id || word === id.split("_")[0]));
  const topic = others.filter((word) => !chokepoint?.id.split("_").includes(word) && word !== chokepoint?.id);
  // A search for nothing but a chokepoint also finds what mentions it.
  return country || topic.length > 0 ? { country, chokepoint, others: topic } : { others: words };
}

/** Finds the name of a country among other words, such as in `gas germany`. */
function countryIn(words: readonly string[]): (Place & { readonly others: readonly string[] }) | undefined {
  for (let length = words.length - 1; length > 0; length--)
    for (let start = 0; start + length <= words.length; start++) {
      const name = words.slice(start, start + length).join(" ");
      const country = countryByName(name) ?? (name.length === 2 ? countryByCode(name.toUpperCase()) : undefined);
      if (country) return { country, others: words.toSpliced(start, length) };
    }
  return undefined;
}
