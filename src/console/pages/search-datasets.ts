import { field as fieldOption, Role } from "../../../gen/es/ids/options/v1/options_pb.ts";
import type { Operation } from "../../contract/catalog.ts";
import { labelOf } from "../../contract/labels.ts";
import { getOption } from "../../contract/option.ts";
import { requestedCircle } from "../../contract/request/near-parameter.ts";
import { fieldRules } from "../../contract/rules/field-rules.ts";
import { valueBounds } from "../../contract/rules/value-bounds.ts";
import { sentenceOf } from "../../pages/operation-sentence.ts";
import { pageOf, titleOf } from "../../pages/reference/contents.ts";
import { type Country, countryOf } from "../../reference/countries/countries.ts";
import { operationFor } from "../metadata.ts";
import {
  type Asked,
  examplesOfRead,
  type Hit,
  hasWord,
  hitsIn,
  hitsOf,
  type Lists,
  nameOf,
  namesOf,
  stemOf,
} from "./search-hits.ts";
import { datasetMeant, isMeaningful, meaningOf, wordsIn } from "./search-words.ts";

interface DatasetHit {
  readonly hit: Hit;
  readonly operations: readonly Operation[];
}

const now = /^(?:now|down|currently|ongoing|today)$/;
const maxAnswers = 4;

/** Returns links to the best dataset, filtered by each named country if a read has a parameter for it. */
export function datasetAnswers(asked: Asked, lists: Lists): readonly Hit[] {
  const best = bestOf(asked, lists);
  return best ? rowsOf(best, asked) : [];
}

function rowsOf({ hit: { path, title, ...hit }, operations }: DatasetHit, asked: Asked): readonly Hit[] {
  const operation = operations.find(countryFieldOf);
  const field = operation && countryFieldOf(operation);
  if (!operation || !field) return [];
  const start = startOf(operation, asked);
  const hosts = hostsOf(asked.countries, operation);
  const answer = (name: string, codes: readonly string[], names: string) => {
    const query = new URLSearchParams({ op: operation.name, [name]: codes.join(","), ...start });
    return { ...hit, path: `${path}?${query}#rows`, title: `${title}: ${names}` };
  };
  if (parameterOf(operation, "countries") && hosts.length > maxAnswers)
    return [answer("countries", codesOf(hosts), namesOf(hosts))];
  return hosts.slice(0, maxAnswers).map((host) => answer(field.name, codesOf([host]), host.name));
}

/** Answers `battles in north darfur`: the rows of the area. Undefined if the dataset that is meant has no areas. */
export function areaAnswer(asked: Asked, lists: Lists): Hit | undefined {
  const { area, topic } = asked;
  const best = bestOf(asked, lists)?.hit.path ?? `/data/${datasetMeant(topic)}`;
  const hasAreas = (each: Operation) => parameterOf(each, "admin1") !== undefined;
  const meant = hitsOf(hitsIn(lists), "Datasets")
    .map((hit) => withReads(hit, lists))
    .find(({ hit, operations }) => operations.some(hasAreas) && (topic.length === 0 || hit.path === best));
  const [country] = asked.countries;
  const operation = meant?.operations.find(hasAreas);
  if (!meant || !operation || !area || !country) return undefined;
  const query = new URLSearchParams({ country: country.alpha2, admin1: area.code, ...startOf(operation, asked) });
  return { ...meant.hit, path: `${meant.hit.path}?${query}#rows`, title: nameOf(asked, meant.hit.title) };
}

/** Answers `military bases within 200 km of bab el-mandeb` with the rows of datasets that filter by distance. */
export async function nearAnswers(asked: Asked, lists: Lists): Promise<readonly Hit[]> {
  const { place: named = "", value: within_km = "" } = asked.distance ?? {};
  // Words after a comma are a country or no part of the name, as in `bab el-mandeb, QGIS layer`.
  const [first = ""] = named.split(",");
  const isKnown = async (near: string) =>
    near !== "" && (await requestedCircle({ near }).catch(() => undefined)) !== undefined;
  const place = (await isKnown(named)) ? named : (await isKnown(first)) ? first : undefined;
  if (place === undefined) return [];
  const all = hitsOf(hitsIn(lists), "Datasets").map((hit) => withReads(hit, lists));
  return all.flatMap(({ hit, operations }) => {
    const operation = operations.find((each) => parameterOf(each, "near"));
    const distance = operation && parameterOf(operation, "within_km");
    const { maximum = 0 } = distance ? valueBounds(fieldRules(distance)) : {};
    if (!operation || !(Number(within_km) > 0) || Number(within_km) > Number(maximum)) return [];
    if (!asked.topic.some((word) => hasWord({ title: hit.title }, word))) return [];
    const query = new URLSearchParams({ near: place, within_km, ...startOf(operation, asked) });
    const title = `${hit.title} within ${within_km} km of ${place}`;
    const text = "All rows within the distance. Set further conditions in the form.";
    return { ...hit, path: `${hit.path}?op=${operation.name}&${query}#rows`, title, text };
  });
}

/** Returns the parameter with which an operation begins at the first day of a past period. */
export function startOf(operation: Operation, { period }: Asked): Readonly<Record<string, string>> {
  const field = parameterOf(operation, "start", "published_from");
  return field && period?.isPast ? { [field.name]: period.value } : {};
}

/** Answers `oil prices` with the datasets that say they lack them, and what they have instead. */
export function missingAnswers(asked: Asked, lists: Lists): readonly Hit[] {
  const { countries, rest } = asked;
  const words = [...rest.map(meaningOf), ...(countries.length === 1 ? ["country"] : [])];
  const isAsked = (thing: string) => {
    const named = wordsIn(thing.replace(/\(.*\)/, ""))
      .filter((word) => word === "country" || isMeaningful(word))
      .map(meaningOf);
    return named.every((word) => words.some((each) => each.startsWith(stemOf(word))));
  };
  return lists.datasets.flatMap(({ name, subject, notIncluded }) =>
    notIncluded.flatMap((entry) => {
      const [things = "", instead] = entry.split(": ");
      const thing = things.split(", ").find(isAsked);
      if (thing === undefined) return [];
      const text = `Instead: ${instead}. Dataset: ${labelOf(name)}.`;
      const dataset = withReads({ path: `/data/${name}`, title: labelOf(name), text: subject }, lists);
      const ofDataset = ({ words = "" }: Hit) => words.includes(labelOf(name));
      const series = countries.length > 0 ? hitsOf(hitsIn(lists, asked), "Series").find(ofDataset) : undefined;
      const rows = [...rowsOf(dataset, asked), ...(series ? [series] : [])].slice(0, 1);
      return [{ path: `/data/${name}#not-included`, title: `No data: ${thing}`, text }, ...rows];
    }),
  );
}

/**
 * Returns operations that look up one thing per request, if nothing else has a word of the topic. A word in the name of
 * a column does not suffice.
 */
export function lookupAnswers({ topic }: Asked, lists: Lists): readonly Hit[] {
  const all = hitsIn(lists).flatMap(([, hits]) => hits);
  return lists.page.inputs.flatMap(({ method, datasets, lookups }): Hit[] => {
    const operation = operationFor(method);
    const own = { path: pageOf(operation), title: titleOf(operation), words: examplesOfRead(operation).join(" ") };
    const paths = [own.path, ...datasets.map(({ name }) => `/data/${name}`)];
    const fields = method.input.fields.flatMap(({ name, deprecated }) =>
      deprecated ? [] : labelOf(name).toLowerCase(),
    );
    const text = `${sentenceOf(operation)} There is no list: each request is for one ${fields.join(" or ")}.`;
    const isOnly = (word: string) =>
      hasWord({ ...own, text }, word) && all.every((each) => paths.includes(each.path) || !hasWord(each, word));
    if (lookups.length === 0 || !topic.some(isOnly)) return [];
    const page = lists.page.metadata.pageOf(operation);
    return [{ ...own, text, ...(page && { path: `${page}?op=${operation.name}#rows` }) }];
  });
}

/** Answers `where is the internet down now`: the rows of a dataset that have not ended. */
export function ongoingAnswer(asked: Asked, lists: Lists): Hit | undefined {
  if (!asked.rest.some((word) => now.test(word))) return undefined;
  const best = bestOf(asked, lists);
  const operation = best?.operations.find((each) => parameterOf(each, "ongoing"));
  if (!best || !operation) return undefined;
  const { countries } = asked;
  const field = countries.length > 1 ? parameterOf(operation, "countries") : countryFieldOf(operation);
  const isOfPlace = field !== undefined && countries.length > 0;
  const query = new URLSearchParams({
    ongoing: "true",
    ...(isOfPlace && { [field.name]: codesOf(countries).join(",") }),
  });
  const title = [`${best.hit.title}, ongoing`, ...(isOfPlace ? [namesOf(countries)] : [])].join(": ");
  return { ...best.hit, path: `${best.hit.path}?${query}`, title };
}

/** Answers `alert total outages in iran`: the form of a rule with the outages that begin. */
export function outageAlert({ rest, topic, amount, countries }: Asked): Hit | undefined {
  if (amount || datasetMeant(topic) !== "internet-outages") return undefined;
  const isTotal = rest.includes("total");
  const name = `${isTotal ? "Total internet outages" : "Internet outages"}${countries.length > 0 ? `: ${namesOf(countries)}` : ""}`;
  const rule = new URLSearchParams({
    ...{ watch: "changes", datasets: "internet-outages", kinds: "appeared", name: name.slice(0, 100) },
    countries: countries.map(({ alpha2 }) => alpha2).join(","),
    ...(isTotal && { condition: "after.severity == 'OUTAGE_SEVERITY_TOTAL'" }),
  });
  const text = "The form of the rule is filled in. It reports each new outage; its end is another rule.";
  return { path: `/alerts?${rule}#rule`, title: `Create alert: ${name}`, text };
}

/** Returns the first dataset that has all words of the search that match anything, with its reads. */
function bestOf({ found, matched }: Asked, lists: Lists): DatasetHit | undefined {
  const hit = hitsOf(found, "Datasets").find(({ path, title, text }) =>
    matched.every((word) => hasWord({ path, title, text }, word)),
  );
  return hit && withReads(hit, lists);
}

function withReads(hit: Hit, { datasets, page }: Lists): DatasetHit {
  const own = datasets.find(({ name }) => hit.path === `/data/${name}`)?.operations ?? [];
  return { hit, operations: page.operations.filter(({ name }) => own.some((each) => each.name === name)) };
}

function countryFieldOf({ method }: Operation) {
  return method.input.fields.find((each) => {
    const { role, known } = getOption(each, fieldOption);
    return each.fieldKind === "scalar" && known === 0 && (each.name === "country" || role === Role.COUNTRY);
  });
}

/** Returns the first parameter of an operation with one of these names. */
export function parameterOf({ method }: Operation, ...names: readonly string[]) {
  return method.input.fields.find(({ name }) => names.includes(name));
}

function codesOf(countries: readonly Country[]): readonly string[] {
  return countries.map(({ alpha2 }) => alpha2);
}

/** Removes the country that operates things abroad, such as the United States in `US military bases Qatar`. */
function hostsOf(countries: readonly Country[], { method }: Operation): readonly Country[] {
  const values = method.input.fields.flatMap((field) => valueBounds(fieldRules(field)).enum ?? []);
  const named = new Set(values.flatMap((value) => String(value).split("-").map(countryOf)));
  const operator = countries.length > 1 ? countries.find((country) => named.has(country)) : undefined;
  return countries.filter((country) => country !== operator);
}
