import type { Dataset } from "../../../gen/es/ids/catalog/v1/dataset_pb.ts";
import type { Series } from "../../../gen/es/ids/history/v1/history_pb.ts";
import { field as fieldOption, Role } from "../../../gen/es/ids/options/v1/options_pb.ts";
import type { Operation } from "../../contract/catalog.ts";
import { labelOf, lowerFirst } from "../../contract/labels.ts";
import { getOption } from "../../contract/option.ts";
import { commentOf } from "../../contract/schema.ts";
import { tablesOf } from "../../contract/tables.ts";
import { sitePages } from "../../pages/frame/frame.ts";
import { sentenceOf } from "../../pages/operation-sentence.ts";
import { pageOf, titleOf } from "../../pages/reference/contents.ts";
import type { Country } from "../../reference/countries/countries.ts";
import type { Region } from "../../reference/places/regions.ts";
import { type Chokepoint, chokepoints } from "../../reference/trade/chokepoints.ts";
import { commodities } from "../../reference/trade/commodities.ts";
import { operationNamed } from "../metadata.ts";
import type { PageContext } from "../page-context.ts";
import { choicesOf } from "../view/request-form.ts";
import type { Bounds } from "./search-bounds.ts";
import { sentence } from "./series/series-list.ts";
import { seriesName } from "./series/series-read.ts";

const about: Readonly<Record<string, readonly [text: string, words: string]>> = {
  "/countries": [
    "Ranking by risk and resilience; everything about one country.",
    "nation state map worst highest riskiest lowest safest rank top largest change mover",
  ],
  "/compare": ["Figures of up to four countries side by side.", "nation versus difference"],
  "/data": [
    "All datasets with files (XLSX for Excel, CSV, JSON, Parquet), licenses and what may be published.",
    "geojson geoparquet atom icalendar format download export spreadsheet xlsx license publish reuse terms copyright attribution cite cited citation reference fields columns units coverage covered real live",
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

export interface Hit {
  readonly path: string;
  readonly title: string;
  readonly text: string;
  /** Path of the brief of a country. */
  readonly brief?: string;
  /** A limit in the search that the page applies although its address does not contain it. */
  readonly applies?: string | undefined;
  /** Latest value of what the page shows, with its unit and time. */
  readonly value?: string;
  readonly words?: string;
  /** Words by which the page is found only if other words of the search are in its text. */
  readonly moreWords?: string;
}

export interface Lists {
  readonly datasets: readonly Dataset[];
  readonly series: readonly Series[];
  readonly page: PageContext;
}

export type Group = readonly [title: string, hits: readonly Hit[]];

/** The countries and the chokepoint that a search names. */
export interface Place {
  readonly countries: readonly Country[];
  readonly chokepoint?: Chokepoint | undefined;
  /** An area within the only country that the search names. */
  readonly area?: Region;
}

/** The words of a search and its hits. Words are in lower case. */
export interface Asked extends Place, Bounds {
  /** The words without fillers and without the names of places. */
  readonly topic: readonly string[];
  /** The words of the topic that all hits have. */
  readonly matched: readonly string[];
  /** All words but the names of places. */
  readonly rest: readonly string[];
  /** Words of the topic that no hit has. */
  readonly ignored: readonly string[];
  /** Hits that have all matched words, by the title of their group. */
  readonly found: readonly Group[];
}

/** Returns all pages that a search can find. If it names a place, series are those of the place. */
export function hitsIn({ datasets, series, page }: Lists, place: Place = { countries: [] }): readonly Group[] {
  return [
    ["Pages", pageHits],
    ["Datasets", hitsOfDatasets(datasets, page)],
    ["Series", hitsOfSeries(series, place)],
    ["Chokepoints", chokepoints.map(chokepointHit)],
    ["Inputs of scores", hitsOfInputs(page, place)],
    ["Operations", operationHits(page)],
  ];
}

export function countryHit({ alpha2, alpha3, numeric, name }: Country): Hit {
  const codes = [alpha2, alpha3, numeric].filter((code) => code !== "");
  return { path: `/countries/${alpha2}`, title: name, text: codes.join(" · "), brief: `/countries/${alpha2}/brief` };
}

function hitsOfDatasets(datasets: readonly Dataset[], { operations }: PageContext): readonly Hit[] {
  return datasets.map(({ name, subject, operations: own, sources }) => {
    const reads = operations.filter((each) => own.some((one) => one.name === each.name));
    return {
      path: `/data/${name}`,
      title: labelOf(name),
      text: subject,
      words: [...new Set([...reads.flatMap(wordsOfRead), ...sources.map((source) => source.name)])].join(" "),
      moreWords: "download export spreadsheet excel xlsx csv json parquet",
    };
  });
}

/** Returns words of a read: labels of its columns, examples of names in rows, and values that parameters accept. */
function wordsOfRead(operation: Operation): readonly string[] {
  const columns = tablesOf(operation).flatMap((table) => table.columns.map(({ name }) => labelOf(name)));
  return [...columns, ...examplesOfRead(operation)];
}

export function examplesOfRead(operation: Operation): readonly string[] {
  const columns = tablesOf(operation).flatMap((table) => table.columns);
  const examples = columns.flatMap(({ field, role }) => (field && role === Role.LABEL ? commentOf(field) : []));
  return [...examples, ...valuesOf(operation).map(({ text }) => text)];
}

/** Returns the values that parameters accept if the contract lists them. */
export function valuesOf({ method }: Operation) {
  return method.input.fields.flatMap((field) => {
    const isSubject = field.name !== "sort" && getOption(field, fieldOption).role !== Role.COUNTRY;
    const choices = isSubject && field.fieldKind !== "list" ? choicesOf(field) : undefined;
    return (choices ?? []).map(([value, text]) => ({ name: field.name, value, text: text.toLowerCase() }));
  });
}

/** Returns the series. With a place, only those with keys of it. */
function hitsOfSeries(series: readonly Series[], { countries, chokepoint }: Place): readonly Hit[] {
  const keys = {
    country: countries.map(({ alpha2 }) => alpha2).join(","),
    reporter: countries.flatMap(({ numeric }) => numeric || []).join(","),
    chokepoint: chokepoint?.id,
  };
  return series.flatMap(({ id, title, dataset, operation, keyParts: [first = ""] }): Hit[] => {
    const key = new Map(Object.entries(keys)).get(first);
    if ((countries.length > 0 || chokepoint) && !key) return [];
    const of = first === "chokepoint" ? chokepoint?.name : namesOf(countries);
    const path = key ? `/series/${id}?keys=${key}` : `/series/${id}`;
    const name = key ? `${seriesName(id)}: ${of}` : seriesName(id);
    const read = operationNamed(operation);
    const values = read ? valuesOf(read).flatMap((each) => (each.name === first ? each.text : [])) : [];
    const limits = read?.method.input.fields.flatMap((field) => getOption(field, fieldOption).only?.reason ?? []) ?? [];
    const text = `${sentence(title).replaceAll("`", "")}${limits.map((limit) => ` Note: ${limit}.`).join("")}`;
    return [{ path, title: name, text, words: [id, labelOf(dataset), ...values].join(" ") }];
  });
}

/** Returns the inputs of scores as hits. Each links to the read that lists it, for the only country if one is named. */
function hitsOfInputs({ scores, metadata }: PageContext, place: Place): readonly Hit[] {
  const countries = place.countries.length === 1 ? place.countries : [];
  return scores.flatMap(({ title: score, explainedBy, inputs = [] }) => {
    const operation = operationNamed(explainedBy);
    const field = operation?.method.input.fields.find((each) => getOption(each, fieldOption).role === Role.COUNTRY);
    const page = operation && metadata.pageOf(operation);
    const query = new URLSearchParams({ op: explainedBy });
    for (const { alpha2 } of countries) query.set(field?.name ?? "", alpha2);
    const unique = page === undefined ? [] : new Map(inputs.map((row) => [row[0], row])).values();
    return Array.from(unique, ([name, what = "", unit, source]) => {
      const text = `${unit}; an input of the ${lowerFirst(score)}`;
      return {
        path: `${page}?${query}`,
        title: nameOf({ countries }, what.replace(/: .*/, "")),
        text,
        moreWords: `${name} ${source}`,
      };
    });
  });
}

export function namesOf(countries: readonly Country[]): string {
  return countries.map(({ name }) => name).join(", ");
}

export function nameOf({ countries, chokepoint, area }: Place, ...more: readonly string[]): string {
  return [...more, area?.name, namesOf(countries), chokepoint?.name].filter(Boolean).join(", ");
}

export function hitsOf(found: readonly Group[], group: string): readonly Hit[] {
  return found.find(([title]) => title === group)?.[1] ?? [];
}

export const chokepointHit = ({ id, name }: Chokepoint): Hit => ({
  path: `/chokepoints/${id}`,
  title: name,
  text: "Disruption, who depends on it, and the cost of a closure.",
  moreWords: commodities.map((each) => each.name).join(" "),
});

function operationHits({ operations }: PageContext): readonly Hit[] {
  return operations.map((operation) => ({
    path: pageOf(operation),
    title: titleOf(operation),
    text: sentenceOf(operation).replaceAll("`", ""),
  }));
}

/** Returns the part of a word that its other forms share: `clos` for `closing` and `closure`. */
export function stemOf(word: string): string {
  return word.replace(/(?<=.{4})(?:ing|ures?|ies|es|ed|s|y)$/, "");
}

export function hasWord({ title, text = "", words = "", moreWords = "" }: Partial<Hit>, word: string): boolean {
  const all = `${title} ${text} ${words} ${moreWords}`.toLowerCase();
  // Words of three or more letters also match within a word. Shorter ones do not, as `hs` in `deaths`.
  return word.length > 2 ? all.includes(stemOf(word)) : all.split(/[^\p{L}\p{N}]+/u).includes(word);
}
