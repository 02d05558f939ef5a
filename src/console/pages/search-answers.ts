import { field as fieldOption, Role } from "../../../gen/es/ids/options/v1/options_pb.ts";
import { getOption } from "../../contract/option.ts";
import { chokepointById, chokepoints } from "../../reference/trade/chokepoints.ts";
import { commodities } from "../../reference/trade/commodities.ts";
import { addressOf } from "../address.ts";
import type { PageContext } from "../page-context.ts";
import { chokepointHit, type Group, type Hit, hasWord, type Lists, type Place } from "./search-hits.ts";
import { readSeries, seriesName } from "./series/series-read.ts";

/** The words of a search and its hits. Words are in lower case. */
export interface Asked extends Place {
  /** The words without fillers and without the names of places. */
  readonly topic: readonly string[];
  /** All words but the names of places. */
  readonly rest: readonly string[];
  /** Hits that have all words of the topic, by the title of their group. */
  readonly found: readonly Group[];
}

const tender = /^(?:tenders?|procurements?|bids?)$/;
const dataByTopic = [
  [/^(?:conflict|fatalit|death|killed|battle|attack|violence)/, "conflict-events"],
  [tender, "global-tenders"],
  [/^outage/, "internet-outages"],
] as const;
const dimensions: Readonly<Record<string, string>> = { region: "admin1", area: "admin1", kind: "type", party: "actor" };
const dimension = /^(?:day|week|month|quarter|year|country|admin1|region|area|type|kind|actor|party|source)$/;
/** The chokepoint of a question about closures that names none: most oil passes it. */
const usualChokepoint = "hormuz_strait";

/** Returns the pages that answer a search, the best one first. */
export async function answersOf(asked: Asked, page: PageContext, lists: Lists): Promise<readonly Hit[]> {
  const answers = [
    countAnswer(asked) ?? tenderAnswer(asked),
    asked.topic.some((word) => /^(?:clos(?:e|ing|ure)|blockade)/.test(word)) ? closureAnswer(asked) : undefined,
    dependenceAnswer(asked),
    asked.country && asked.topic.includes("brief") ? briefAnswer(asked) : undefined,
    nameAnswer(asked),
    await seriesAnswer(asked, page, lists),
    datasetAnswer(asked, lists),
  ];
  return answers.filter((answer) => answer !== undefined);
}

function hitsOf(found: readonly Group[], group: string): readonly Hit[] {
  return found.find(([title]) => title === group)?.[1] ?? [];
}

const nameOf = ({ country, chokepoint }: Place, ...more: readonly string[]) =>
  [...more, country?.name, chokepoint?.name].filter(Boolean).join(", ");

/** Answers `conflict sudan fatalities by month`. */
function countAnswer({ country, topic, rest }: Asked): Hit | undefined {
  const follows = (at: number) => /^(?:by|and)$/.test(rest[at - 1] ?? "");
  const by = rest.filter((word, at) => rest.includes("by") && follows(at) && dimension.test(word)).slice(0, 2);
  const data = dataByTopic.find(([pattern]) => topic.some((word) => pattern.test(word)))?.[1];
  if (by.length === 0 || data === undefined) return undefined;
  const isDeaths = data === "conflict-events" && topic.some((word) => /^(?:fatalit|death|killed)/.test(word));
  const query = new URLSearchParams(country && { country: country.alpha2 });
  for (const word of by) query.append("by", dimensions[word] ?? word);
  if (isDeaths) query.set("sum", "fatalities");
  const title = nameOf({ country }, `${isDeaths ? "Deaths" : "Rows"} by ${by.join(" and ")}`);
  return { path: `/data/${data}?${query}#counts`, title, text: "The last 12 months, with totals and shares." };
}

/** Answers `tender it services poland`: the other words are searched in notices. */
function tenderAnswer({ country, rest, topic }: Asked): Hit | undefined {
  if (!topic.some((word) => tender.test(word))) return undefined;
  const wanted = rest.filter((word) => !tender.test(word) && !/^(?:in|for|of|from|by|the)$/.test(word)).join(" ");
  const query = new URLSearchParams({
    ...(wanted && { query: wanted }),
    ...(country && { countries: country.alpha2 }),
  });
  const title = nameOf({ country }, wanted === "" ? "Tenders" : `Tenders with “${wanted}”`);
  return { path: `/tenders?${query}`, title, text: "Procurement notices, which you can filter and save as an alert." };
}

/** Answers a search for nothing but a chokepoint. */
function nameAnswer({ country, topic: [word = "", ...more] }: Asked): Hit | undefined {
  const named = chokepoints.find(({ id }) => id.split("_")[0] === word);
  return named && !country && more.length === 0 ? chokepointHit(named) : undefined;
}

function closureAnswer({ country, chokepoint, rest }: Asked): Hit {
  const of = chokepoint ?? chokepointById(usualChokepoint);
  const days = rest.find((word, at) => /^\d{1,3}$/.test(word) && /^days?$/.test(rest[at + 1] ?? ""));
  const query = new URLSearchParams({ ...(country && { iso2: country.alpha2 }), ...(days && { closure_days: days }) });
  return {
    path: `${addressOf(`/chokepoints/${of?.id}`, query)}#closure`,
    title: `Cost of a closure: ${nameOf({ country, chokepoint: of })}`,
    text: "Modeled cost of imports while it is closed. Choose country and days there.",
  };
}

/** Answers `hormuz oil`, `who exports oil through hormuz`, `wheat egypt`, and `wheat stocks egypt`. */
function dependenceAnswer({ country, chokepoint, topic }: Asked): Hit | undefined {
  const has = (pattern: RegExp) => topic.some((word) => pattern.test(word));
  const commodity = commodities.find(({ name }) =>
    topic.some((word) => word.length > 2 && name.toLowerCase().split(" ").includes(word)),
  );
  const query = new URLSearchParams({
    ...(commodity && { commodity_id: commodity.id }),
    ...(country && { country_code: country.alpha2 }),
  });
  const place = nameOf({ country, chokepoint }, ...(commodity ? [commodity.name] : []));
  if (chokepoint) {
    if (!commodity && !has(/^(?:depend|rel(?:y|ies)|import|export)/)) return undefined;
    const [block, title] = has(/^export/)
      ? ["exporters", "Who exports through it"]
      : ["dependencies", "Who depends on it"];
    const path = `${addressOf(`/chokepoints/${chokepoint.id}`, query)}#${block}`;
    return { path, title: `${title}: ${place}`, text: "Modeled shares of imports that pass here, by country." };
  }
  if (!commodity || !country) return undefined;
  const isStock = has(/^(?:stock|reserve|buffer)/);
  const read = isStock ? "supply-buffers?op=ListSupplyBuffers" : "supply-vulnerability?op=ListVulnerabilityRankings";
  const [title, text] = isStock ? ["Stocks", "Stocks on record."] : ["Vulnerability", "Vulnerability of imports."];
  return { path: `/data/${read}&${query}#rows`, title: `${title}: ${place}`, text };
}

function briefAnswer({ country }: Asked): Hit {
  return { path: `/countries/${country?.alpha2}/brief`, title: `Brief: ${country?.name}`, text: "One printed page." };
}

/** Returns the best series. If it has no value of the place, the answer says so and leads to the whole series. */
async function seriesAnswer(
  { country, chokepoint, found, rest }: Asked,
  page: PageContext,
  lists: Lists,
): Promise<Hit | undefined> {
  const hits = hitsOf(found, "Series");
  // A score with components comes before the series of its parts.
  const whole = lists.series?.filter(({ components }) => components !== "").map(({ id }) => `/series/${id}`) ?? [];
  const best = hits.find(({ path }) => whole.includes(path.split("?")[0] ?? "")) ?? hits[0];
  const [series = "", query] = best?.path.replace("/series/", "").split("?keys=") ?? [];
  if (!best || query === undefined) return best;
  const { response, unknownKeys } = await readSeries(page, { series, keys: query });
  const view = rest.some((word) => /^(?:seasonal|usual|normal)$/.test(word))
    ? "band"
    : rest.includes("ago")
      ? "change"
      : "";
  const viewed = view === "" ? best : { ...best, path: `${best.path}&view=${view}` };
  if (response.kind === "refused" || unknownKeys.length === 0) return viewed;
  const title = `No data: ${seriesName(series)} of ${nameOf({ country, chokepoint })}`;
  return {
    path: `/series/${series}`,
    title,
    text: "The series does not cover it. This page has those that it covers.",
  };
}

/** Returns the best dataset, with the rows of the country if a read has a parameter for it. */
function datasetAnswer({ country, found, topic }: Asked, { datasets = [], sections }: Lists): Hit | undefined {
  const best = hitsOf(found, "Datasets").find(({ path, title, text }) =>
    topic.every((word) => hasWord({ path, title, text }, word)),
  );
  if (!best || !country) return undefined;
  const own = datasets.find(({ name }) => best.path === `/data/${name}`)?.operations ?? [];
  for (const operation of sections.operations.filter(({ name }) => own.some((each) => each.name === name))) {
    const field = operation.method.input.fields.find((each) => {
      const { role, known } = getOption(each, fieldOption);
      return each.fieldKind === "scalar" && known === 0 && (each.name === "country" || role === Role.COUNTRY);
    });
    if (!field) continue;
    const query = new URLSearchParams({ op: operation.name, [field.name]: country.alpha2 });
    return { ...best, path: `${best.path}?${query}#rows`, title: `${best.title}: ${country.name}` };
  }
  return undefined;
}
