import { CatalogService } from "../../../gen/es/ids/catalog/v1/catalog_pb.ts";
import type { Dataset } from "../../../gen/es/ids/catalog/v1/dataset_pb.ts";
import { HistoryService, type Series } from "../../../gen/es/ids/history/v1/history_pb.ts";
import { labelOf } from "../../contract/labels.ts";
import { maxSearchLetters, sitePages } from "../../pages/frame/frame.ts";
import { type Html, html } from "../../pages/html.ts";
import { sentenceOf } from "../../pages/operation-sentence.ts";
import { pageOf, titleOf } from "../../pages/reference/contents.ts";
import {
  type Country,
  countriesLike,
  countriesWith,
  countryByName,
  countryOf,
} from "../../reference/countries/countries.ts";
import { chokepoints } from "../../reference/trade/chokepoints.ts";
import { commodities } from "../../reference/trade/commodities.ts";
import { readMessage } from "../metadata.ts";
import type { MakePage } from "../page-context.ts";
import type { Sections } from "../sections.ts";
import { sentence } from "./series/series-list.ts";
import { seriesName } from "./series/series-read.ts";

const about: Readonly<Record<string, readonly [text: string, words: string]>> = {
  "/countries": ["Ranking by risk and resilience; everything about one country.", "nation state map"],
  "/compare": ["Figures of up to four countries side by side.", "nation versus difference"],
  "/data": [
    "All datasets with files (XLSX for Excel, CSV, JSON, Parquet), licenses and what may be published.",
    "download export spreadsheet xlsx license publish reuse terms copyright attribution cite cited citation reference fields columns units coverage covered real live",
  ],
  "/series": ["Values over time, several in one chart.", "chart history time compare year graph"],
  "/chokepoints": [
    "Straits and canals that trade passes, who depends on them, and what a closure costs.",
    "shipping strait canal suez oil gas",
  ],
  "/tenders": ["Search in procurement notices.", "tender contract bid"],
  "/status": [
    "Status of datasets and sources, with 90 days.",
    "uptime outage health stale old age fresh missing unavailable",
  ],
  "/docs": [
    "Reference of the API.",
    "documentation curl python javascript go sdk reference program programming request rest rpc mcp",
  ],
  "/plans": ["What each plan allows and costs.", "price pricing cost quota limit subscription tier free"],
  "/alerts": [
    "Rules that report to a webhook, Slack, e-mail or a feed.",
    "alarm notification webhook email slack rule",
  ],
  "/account": [
    "Sign in with a key; keys, usage, limits, feed URLs for sheets.",
    "login log in sign-in signin register signup sign up api key password token excel sheets usage requests",
  ],
  "/about": [
    "Who runs this service, how to contact them, which data about visitors is stored, how to get a key.",
    "contact operator imprint legal privacy cookies gdpr support help delete erase end",
  ],
  "/methodology": ["What risk and resilience are made of, with weights.", "score weights index formula explanation"],
  "/places": ["Which country a point is counted for; disputed areas.", "borders disputed territory sea"],
  "/versions": ["What may change and how it is announced.", "deprecated deprecation compatibility"],
  "/changelog": ["What changed, release by release.", "news release"],
};

const pages = [...sitePages, ["/compare", "Compare countries"]] as const;

const pageHits = pages.flatMap(([path, title]) => {
  const [text = "", words = ""] = about[path] ?? [];
  return text === "" ? [] : [{ path, title, text, words }];
});

interface Hit {
  readonly path: string;
  readonly title: string;
  readonly text: string;
  readonly words?: string;
  /** Words that are found only together with words of the text. */
  readonly moreWords?: string;
}

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
    const meaningful = words.filter(isMeaningful);
    const exact = words.length === 0 ? [] : groupsOf(wanted, meaningful.length > 0 ? meaningful : words, lists);
    const isExact = exact.length > 0;
    const found = isExact || isTooLong ? exact : similarTo(words, lists);
    const nothing = html`<div class="nothing"><p><strong>Nothing found.</strong> No name or description has these words.</p></div>`;
    const tooLong = html`<div class="nothing"><p><strong>Too long.</strong> A search may have at most ${maxSearchLetters} characters. Search for less.</p></div>`;
    const markup = html`${isTooLong ? tooLong : words.length > 0 && found.length === 0 && nothing}${found.length > 0 && !isExact && html`<p class="soft">No name or description has all of these words. Similar:</p>`}
<div class="grid">${found.map(([title, hits]) => groupMarkup(title, hits))}</div>`;
    const body = html`<main id="content" tabindex="-1"><header class="top"><h1>Search</h1></header>
<form class="filters" role="search" aria-label="Page" action="/search"><span class="field wide-field"><label for="q">Countries, pages, datasets, series, chokepoints, operations</label><input id="q" name="q" type="search" value="${wanted}" maxlength="${maxSearchLetters}"></span><button>Search</button></form>
${markup}</main>`;
    const blocks = [{ id: "found", title: "Found", markup }];
    return { title: wanted === "" ? "Search" : `Search: ${wanted}`, description: "Search this service.", body, blocks };
  };
}

interface Lists {
  readonly datasets: readonly Dataset[] | undefined;
  readonly series: readonly Series[] | undefined;
  readonly sections: Sections;
}

type Group = readonly [title: string, hits: readonly Hit[]];

/** Returns the hits that have all words. */
function groupsOf(wanted: string, words: readonly string[], lists: Lists): readonly Group[] {
  const named = countryIn(words);
  const groups: readonly Group[] = [
    ["Countries", hitsOfCountries(named?.country.name ?? wanted)],
    ...hitsIn(lists).map(([title, hits]): Group => [title, matching(hits, words)]),
  ];
  const ofSeries = named && ofCountry(lists.series, named);
  return groups
    .map(([title, hits]): Group => [title, title === "Series" ? (ofSeries ?? hits) : hits])
    .filter(([, hits]) => hits.length > 0);
}

function hitsIn({ datasets, series, sections }: Lists): readonly Group[] {
  return [
    ["Pages", pageHits],
    ["Datasets", hitsOfDatasets(datasets)],
    ["Series", hitsOfSeries(series)],
    ["Chokepoints", chokepointHits],
    ["Operations", operationHits(sections)],
  ];
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
const fillers = new Set("a an and by for from how i in is my of on or the to what which who with".split(" "));

function isMeaningful(word: string): boolean {
  return !fillers.has(word);
}

/** Returns the part of a word that its other forms share: `clos` for `closing` and `closure`. */
function stemOf(word: string): string {
  return word.replace(/(?<=.{4})(?:ing|ures?|ies|es|ed|s|y)$/, "");
}

function hasWord({ title, text, words = "", moreWords = "" }: Hit, word: string): boolean {
  return `${title} ${text} ${words} ${moreWords}`.toLowerCase().includes(stemOf(word));
}

function groupMarkup(title: string, hits: readonly Hit[]): Html {
  const id = title.toLowerCase();
  return html`<section class="block half" aria-labelledby="${id}"><h2 id="${id}">${title}</h2><ul class="rows">${hits
    .slice(0, maxHits)
    .map(
      (hit) => html`<li><p><a href="${hit.path}">${hit.title}</a></p><p class="soft small">${hit.text}</p></li>`,
    )}</ul>
${hits.length > maxHits && html`<p class="small soft">${hits.length - maxHits} more: add a word.</p>`}</section>`;
}

function matching(hits: readonly Hit[], words: readonly string[]): readonly Hit[] {
  const rank = ({ title }: Hit) => Number(!words.some((word) => title.toLowerCase().includes(word)));
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

function countryHit({ alpha2, alpha3, numeric, name }: Country): Hit {
  const codes = [alpha2, alpha3, numeric].filter((code) => code !== "");
  return { path: `/countries/${alpha2}`, title: name, text: codes.join(" · ") };
}

interface NamedCountry {
  readonly country: Country;
  /** Words that do not belong to its name. */
  readonly others: readonly string[];
}

/** Finds the name of a country among other words, such as in `gas germany`. */
function countryIn(words: readonly string[]): NamedCountry | undefined {
  for (let length = words.length - 1; length > 0; length--)
    for (let start = 0; start + length <= words.length; start++) {
      const country = countryByName(words.slice(start, start + length).join(" "));
      if (country) return { country, others: words.toSpliced(start, length) };
    }
  return undefined;
}

/** Returns the matching series whose keys begin with a country, for this country. */
function ofCountry(series: readonly Series[] = [], { country, others }: NamedCountry): readonly Hit[] {
  const byCountry = series.filter(({ keyParts: [first] }) => first === "country");
  return matching(hitsOfSeries(byCountry), others).map((hit) => ({
    ...hit,
    path: `${hit.path}?keys=${country.alpha2}`,
    title: `${hit.title}: ${country.name}`,
  }));
}

function hitsOfDatasets(datasets: readonly Dataset[] = []): readonly Hit[] {
  return datasets.map(({ name, subject }) => ({
    path: `/data/${name}`,
    title: labelOf(name),
    text: subject,
    moreWords: "download export spreadsheet excel xlsx csv json parquet",
  }));
}

function hitsOfSeries(series: readonly Series[] = []): readonly Hit[] {
  return series.map(({ id, title, dataset }) => ({
    path: `/series/${id}`,
    title: seriesName(id),
    text: sentence(title).replaceAll("`", ""),
    words: `${id} ${labelOf(dataset)}`,
  }));
}

const chokepointHits: readonly Hit[] = chokepoints.map(({ id, name }) => ({
  path: `/chokepoints/${id}`,
  title: name,
  text: "Disruption, who depends on it, and the cost of a closure.",
  words: commodities.map((each) => each.name).join(" "),
}));

function operationHits({ operations }: Sections): readonly Hit[] {
  return operations.map((operation) => ({
    path: pageOf(operation),
    title: titleOf(operation),
    text: sentenceOf(operation).replaceAll("`", ""),
  }));
}
