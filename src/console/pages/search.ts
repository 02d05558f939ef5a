import { CatalogService } from "../../../gen/es/ids/catalog/v1/catalog_pb.ts";
import { HistoryService } from "../../../gen/es/ids/history/v1/history_pb.ts";
import { maxSearchLetters } from "../../pages/frame/frame.ts";
import { docsSearchPath } from "../../pages/guides/docs-search-form.ts";
import { type GuideHit, guides } from "../../pages/guides/guides.ts";
import { type Html, html } from "../../pages/html.ts";
import { countriesLike, countriesWith, countryOf } from "../../reference/countries/countries.ts";
import { plainName } from "../../reference/countries/country-names.ts";
import { queryOf } from "../address.ts";
import { readMessage } from "../metadata.ts";
import type { Block, PageContext, PageView } from "../page-context.ts";
import { blockOf } from "../view/block.ts";
import { amountText } from "../view/figures.ts";
import { answersOf, falling } from "./search-answers.ts";
import { areaIn, type NamedArea } from "./search-areas.ts";
import { type Bounds, boundsIn } from "./search-bounds.ts";
import {
  type Asked,
  chokepointHit,
  countryHit,
  type Group,
  type Hit,
  hasWord,
  hitsIn,
  type Lists,
} from "./search-hits.ts";
import { bestWords } from "./search-partial.ts";
import { continentIn, isOrder } from "./search-rankings.ts";
import { spelledWords } from "./search-spelling.ts";
import { type ValuedGroup, withValues } from "./search-values.ts";
import { isAction, isMeaningful, meaningOf, placesIn, wordsIn } from "./search-words.ts";

const maxHits = 12;
const maxGuides = 3;
/** Minimum number of words of a topic at which hits may lack some of them, because the search is a question. */
const minLongTopic = 3;

export async function searchPage(page: PageContext): Promise<PageView | undefined> {
  const given = (page.query.get("q") ?? "").trim();
  const isTooLong = page.isCut === true || given.length > maxSearchLetters;
  const wanted = given.slice(0, maxSearchLetters);
  const { rest, ...bounds } = boundsIn(wanted, page.now);
  const words = isTooLong ? [] : wordsIn(rest);
  const [datasets, series] = await Promise.all([
    readMessage(page.read, CatalogService.method.listDatasets),
    readMessage(page.read, HistoryService.method.listSeries),
  ]);
  const lists: Lists = { datasets: datasets.message?.datasets ?? [], series: series.message?.series ?? [], page };
  const view = { title: wanted === "" ? "Search" : `Search: ${wanted}`, description: "Search this service." };
  if (page.query.get("format") === "json") return { ...view, body: html``, json: suggestionsOf(words, lists) };
  const all = hitsIn(lists).flatMap(([, hits]) => hits);
  const spelled = spelledWords(words, all);
  const search = async ({ groups, ...asked }: Grouped) => ({
    ...{ groups, asked },
    answers: words.length > 0 ? await answersOf({ ...asked, ...bounds, found: groups }, lists) : [],
  });
  const plain = groupsOf(spelled, lists);
  const named = await areaIn(plain);
  const ofArea = named && (await search(groupsOfArea(named, spelled, lists)));
  const { groups, asked, answers } = ofArea && ofArea.answers.length > 0 ? ofArea : await search(plain);
  const isPartial = asked.matched.length < asked.topic.length;
  const addresses = new Set(groups.flatMap(([, hits]) => hits.map(({ path }) => path.replace(/\?.*/, ""))));
  const isAnswered = answers.some(({ path }) => !addresses.has(path.replace(/[?#].*/, "")));
  const exact = withAnswers(answers, groups);
  const isExact = exact.length > 0;
  const found = await withValues(isExact || isTooLong ? exact : similarTo(words, lists), lists);
  const isTenders = answers.some(({ path }) => path.startsWith("/tenders?query="));
  const isUsed = (bound: string) =>
    answers.some(
      ({ path, applies }) =>
        applies === bound || [...queryOf(path.replace(/#.*/, "")).values()].some((value) => value === bound),
    );
  const unused = Object.values(bounds).flatMap((each) => (each && !isUsed(each.value) ? each.text : []));
  // Addresses of answers contain the first day of a period, but not its end, so the end counts as unused.
  const { period } = bounds;
  const isOpenEnded =
    period?.hasEnd && isUsed(period.value) && !answers.some(({ applies }) => applies === period.value);
  if (isOpenEnded) unused.push(`the end of ${period.text.replace(/^[a-z]+\s+/i, "")}`);
  const { find } = await guides();
  const findGuides: FindGuides = (text, combineWith) => find(text, page.origin, { fuzzy: false, combineWith });
  const documented = words.length === 0 ? [] : guideHits(findGuides, wanted, words);
  const isHeading = (word: string) => findGuides(word, "AND").some(({ title }) => hasWord({ title }, word));
  const lacking = isTenders ? [] : asked.ignored.filter((word) => !isUsedWord(word, answers) && !isHeading(word));
  const notes = [
    isTooLong && tooLong,
    wanted !== "" && !isTooLong && found.length === 0 && documented.length === 0 && nothingMarkup(asked.ignored, lists),
    spelled !== words && html`<p class="soft">Results for “${spelled.join(" ")}”.</p>`,
    isPartial &&
      !isAnswered &&
      html`<p class="soft">Nothing has all of these words. Results for “${asked.matched.join(" ")}”.</p>`,
    isExact && lacking.length > 0 && html`<p class="soft">Ignored: ${lacking.join(", ")}. ${lackMarkup(lacking)}</p>`,
    isExact && unused.length > 0 && html`<p class="soft">Ignored: ${unused.join(", ")}. No answer filters by it.</p>`,
    found.length > 0 && !isExact && similar,
  ];
  const guideGroups: readonly ValuedGroup[] = documented.length === 0 ? [] : [["Documentation", documented, []]];
  const blocks = [...found, ...guideGroups].map((group) => groupBlock(group, page));
  const markup = html`${notes}
<div class="grid">${blocks.map((block) => block.markup)}</div>
${words.length > 0 && html`<p><a href="${docsSearchPath}?${new URLSearchParams({ q: wanted })}">Search the documentation</a></p>`}`;
  const body = html`<main id="content" tabindex="-1"><header class="top"><h1>Search</h1></header>
<form class="filters" role="search" aria-label="Page" action="/search"><span class="field wide-field"><label for="q">Countries, pages, datasets, series, chokepoints, operations</label><input id="q" name="q" type="search" value="${wanted}" maxlength="${maxSearchLetters}"></span><button>Search</button></form>
${markup}</main>`;
  return { ...view, body, blocks: [{ id: "found", title: "Found", markup }, ...blocks] };
}

/** Returns whether an answer has a word, or has applied it as a continent, an order, or the direction of a rule. */
function isUsedWord(word: string, answers: readonly Hit[]): boolean {
  return answers.some(
    (answer) =>
      hasWord(answer, word) ||
      (answer.path.includes("continent=") && continentIn([word]) !== "") ||
      (answer.path.includes("sort=") && isOrder(word)) ||
      (answer.path.includes("direction=") && falling.test(word)),
  );
}

const whole = html`<a href="/data">Data</a> lists all that is covered.`;
const similar = html`<p class="soft">No page, dataset, or column is named with all of these words. ${whole} Similar:</p>`;
const tooLong = html`<div class="nothing"><p><strong>Too long.</strong> A search may have at most ${maxSearchLetters} characters. Search for less.</p></div>`;

/** Says that no name has the words. */
function lackMarkup(words: readonly string[]): Html {
  return html`No page, dataset, or column has ${words.length === 1 ? "this word" : "these words"} in its name; rows are not searched. ${whole}`;
}

type FindGuides = (text: string, combineWith: "AND" | "OR") => readonly GuideHit[];

/** Finds sections of the documentation, such as the answer to `how do I cite this`. */
function guideHits(find: FindGuides, wanted: string, words: readonly string[]): readonly GuideHit[] {
  // In a short search, a section must have all words, because one with only some of them is about something else.
  return find(wanted, words.filter(isMeaningful).length < minLongTopic ? "AND" : "OR").slice(0, maxGuides);
}

function nothingMarkup(words: readonly string[], { datasets }: Lists): Html {
  const sources = new Set(datasets.flatMap((each) => each.sources.map(({ name }) => name)));
  const paths = datasets.flatMap(({ operations }) => operations.map(({ path }) => path));
  const subjects = new Set(paths.map((path) => path.split("/")[2]?.replaceAll("-", " ")));
  const held = `${amountText(datasets.length, "dataset")} from ${amountText(sources.size, "source")}`;
  return html`<div class="nothing"><p><strong>Nothing found.</strong> ${lackMarkup(words)}</p><p>The service has ${held}, on ${[...subjects].join(", ")}.</p></div>`;
}

/**
 * Returns the hits that have all words of the search, except words that match nothing. Places that the search names
 * come first, then hits about them.
 */
function groupsOf(words: readonly string[], lists: Lists): Grouped {
  const { others: rest, ...place } = placesIn(words);
  const { countries, chokepoint } = place;
  const isPlace = countries.length > 0 || chokepoint !== undefined;
  const meaningful = rest.filter((word) => isMeaningful(word)).map(meaningOf);
  const subjects = meaningful.filter((word) => !isAction(word));
  const chosen = subjects.length > 0 ? subjects : meaningful.length > 0 || isPlace ? meaningful : words;
  const all = hitsIn(lists, place);
  const isKnown = (word: string) => all.some(([, hits]) => hits.some((hit) => hasWord(hit, word)));
  const topic = chosen.filter(isKnown);
  const places: readonly Group[] = [
    ["Countries", isPlace ? countries.map(countryHit) : words.length > 0 ? hitsOfCountries(words.join(" ")) : []],
    ["Chokepoints", chokepoint ? [chokepointHit(chokepoint)] : []],
  ];
  const isWhole = all.some(([, hits]) => matching(hits, topic).length > 0);
  const matched = topic.length < minLongTopic || isWhole ? () => topic : bestWords(topic, all);
  const isCountry = topic.length === 0 && !isPlace && places.some(([, hits]) => hits.length > 0);
  const about = all
    .filter(([title]) => topic.length > 0 && (title !== "Chokepoints" || !chokepoint))
    .map(([title, hits]): Group => [title, matching(hits, matched(title))]);
  return {
    ...{ ...place, rest, topic, matched: matched("Datasets") },
    groups: [...places, ...about].filter(([, hits]) => hits.length > 0),
    ignored: isCountry ? [] : chosen.filter((word) => !isKnown(word)),
  };
}

type Grouped = Omit<Asked, "found" | keyof Bounds> & { readonly groups: readonly Group[] };

/** Returns the hits for a search that names an area: those about its country that have the other words. */
function groupsOfArea({ area, country, words }: NamedArea, all: readonly string[], lists: Lists): Grouped {
  const others = all.filter((word) => !words.includes(word.toLowerCase()));
  return { ...groupsOf([...others, country.alpha2], lists), countries: [country], area };
}

/** Kinds of pages that are suggested, by the title of their group. */
const kinds = { Countries: "Country", Chokepoints: "Chokepoint", Series: "Series", Datasets: "Dataset" };
const maxSuggestions = 8;
/** Maximum number of countries with which the last word is completed. */
const maxCompleted = 3;

/** Returns what an unfinished search finds. Pages come first if each word of the search begins a word of their name. */
function suggestionsOf(words: readonly string[], lists: Lists) {
  const typed = words.map(plainName);
  const last = typed.at(-1);
  if (last === undefined) return [];
  const begins = (name: string, word: string) => ` ${plainName(name)}`.includes(` ${word}`);
  const exact = countryOf(words.join(" "))?.alpha2;
  const rankOf = ({ path, title }: Hit) =>
    path === `/countries/${exact}` || plainName(title).startsWith(typed.join(" "))
      ? 2
      : Number(typed.every((word) => begins(title, word)));
  const begun = countriesWith(last).filter(({ name }) => begins(name, last));
  // If the search has one short word, many countries begin with it, and their series would hide everything else.
  const completed = typed.length > 1 || begun.length === 1 ? begun.slice(0, maxCompleted) : [];
  const places = [placesIn(words), ...completed.map((country) => ({ countries: [country] }))];
  const named = places
    .flatMap((place) => hitsIn(lists, place))
    .map(([group, hits]): Group => [group, hits.filter(rankOf)]);
  const all = [...groupsOf(words, lists).groups, ...named];
  const hits = Object.entries(kinds).flatMap(([group, kind]) =>
    all.flatMap(([title, hits]) => (title === group ? hits.map((hit) => ({ ...hit, kind, rank: rankOf(hit) })) : [])),
  );
  const unique = [...new Map(hits.map((hit) => [hit.path, hit])).values()];
  const sorted = unique.sort((one, other) => other.rank - one.rank).slice(0, maxSuggestions);
  return sorted.map(({ path, title, kind }) => ({ path, name: title, kind }));
}

/** Puts the answers first, and removes them from the groups. */
function withAnswers(answers: readonly Hit[], groups: readonly Group[]): readonly Group[] {
  if (answers.length === 0) return groups;
  const paths = new Set(answers.map(({ path }) => (path.includes("?") ? path.replace(/#.*/, "") : path)));
  for (const { path } of answers) if (path.startsWith("/series/")) paths.add(path.replace(/\?.*/, ""));
  const others = groups.map(([title, hits]): Group => [title, hits.filter(({ path }) => !paths.has(path))]);
  return [["Answers", answers], ...others.filter(([, hits]) => hits.length > 0)];
}

/** Returns countries with similar names; if there are none, the hits that have most of the words. */
function similarTo(words: readonly string[], lists: Lists): readonly Group[] {
  const countries = countriesLike(words.join(" ")).map(countryHit);
  if (countries.length > 0) return [["Countries", countries]];
  const wanted = words.filter(isMeaningful).map(meaningOf);
  // A word in the name of a column counts less than one in a title: `exchange rate` is not the exchange of a company.
  const amount = ({ title, text, ...others }: Hit) =>
    wanted.filter((word) => hasWord({ title, text }, word)).length ||
    Number(wanted.some((word) => hasWord({ title, ...others }, word))) / 2;
  const groups = hitsIn(lists);
  const most = Math.max(0, ...groups.flatMap(([, hits]) => hits.map(amount)));
  if (most === 0) return [];
  return groups.flatMap(([title, hits]): Group[] => {
    const best = hits.filter((hit) => amount(hit) === most);
    return best.length > 0 ? [[title, best]] : [];
  });
}

function groupBlock([title, hits, provenance]: ValuedGroup, page: PageContext): Block {
  const content = html`<ul class="rows">${hits
    .slice(0, maxHits)
    .map(
      (hit) =>
        html`<li><p><a href="${hit.path}">${hit.title}</a></p><p class="soft small">${hit.value !== undefined && html`<strong>${hit.value}</strong> · `}${hit.text}${hit.brief && html` · <a href="${hit.brief}">Brief<span class="unseen"> of ${hit.title}</span></a>`}</p></li>`,
    )}</ul>
${hits.length > maxHits && html`<p class="small soft">${hits.length - maxHits} more: add a word.</p>`}`;
  return blockOf(page, { id: title.toLowerCase().replaceAll(" ", "-"), title, content, provenance, span: "half" });
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

/** Returns countries whose names, common spellings, or codes match a text or contain it. An exact match is first. */
function hitsOfCountries(wanted: string): readonly Hit[] {
  const exact = countryOf(wanted);
  const others = countriesWith(wanted).filter((country) => country !== exact);
  return [...(exact ? [exact] : []), ...others].map(countryHit);
}
