import type { Country } from "../../reference/countries/countries.ts";
import { chokepointById, chokepoints } from "../../reference/trade/chokepoints.ts";
import { commodities } from "../../reference/trade/commodities.ts";
import { addressOf } from "../address.ts";
import type { PageContext } from "../page-context.ts";
import { datasetAnswers, ongoingAnswer } from "./search-datasets.ts";
import { type Asked, chokepointHit, type Hit, hasWord, type Lists, nameOf, namesOf } from "./search-hits.ts";
import { seriesAnswer } from "./search-series.ts";

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
const maxCompared = 4;

/** Returns the pages that answer a search, the best one first. */
export async function answersOf(asked: Asked, page: PageContext, lists: Lists): Promise<readonly Hit[]> {
  const { countries, topic } = asked;
  // Pages of one country are answers for each of the countries.
  const each = countries.length > 1 ? countries.slice(0, maxCompared).map((country) => ofOne(asked, country)) : [asked];
  const isClosure = topic.some((word) => /^(?:clos(?:e|ing|ure)|blockade)/.test(word));
  const [series, rows] = [await seriesAnswer(asked, page, lists), datasetAnswers(asked, lists)];
  const answers = [
    countAnswer(asked) ?? tenderAnswer(asked),
    ...(isClosure ? each.map(closureAnswer) : []),
    ...each.map(dependenceAnswer),
    ...(topic.includes("brief") ? each.map(briefAnswer) : []),
    nameAnswer(asked),
    ongoingAnswer(asked, lists),
    ...(isNamedBy(topic, series) ? [series, ...rows] : [...rows, series]),
    compareAnswer(asked),
  ];
  const known = answers.filter((answer) => answer !== undefined);
  return [...new Map(known.map((answer) => [answer.path, answer])).values()];
}

/** Returns whether the title has a word of the topic. Other hits only mention it. */
function isNamedBy(topic: readonly string[], hit: Hit | undefined): boolean {
  return hit !== undefined && topic.some((word) => hasWord({ path: "", title: hit.title, text: "" }, word));
}

function ofOne(asked: Asked, country: Country): Asked {
  return { ...asked, country, countries: [country] };
}

/** Answers `compare poland and romania`: the first countries side by side. */
function compareAnswer({ countries }: Asked): Hit | undefined {
  if (countries.length < 2) return undefined;
  const compared = countries.slice(0, maxCompared);
  const query = new URLSearchParams(compared.map(({ alpha2 }): [string, string] => ["country", alpha2]));
  const isAll = compared.length === countries.length;
  const text = isAll ? "Figures side by side." : `Figures of the first ${maxCompared} countries side by side.`;
  return { path: `/compare?${query}`, title: `Compare ${namesOf(compared)}`, text };
}

/** Answers `conflict sudan fatalities by month`. */
function countAnswer({ countries, topic, rest }: Asked): Hit | undefined {
  const follows = (at: number) => /^(?:by|and)$/.test(rest[at - 1] ?? "");
  const named = rest.filter((word, at) => rest.includes("by") && follows(at) && dimension.test(word)).slice(0, 2);
  const data = dataByTopic.find(([pattern]) => topic.some((word) => pattern.test(word)))?.[1];
  if (named.length === 0 || data === undefined) return undefined;
  // Rows can be counted for one country or for all.
  const [country] = countries.length === 1 ? countries : [];
  const by = countries.length > 1 ? [...new Set([named[0] ?? "", "country"])] : named;
  const isDeaths = data === "conflict-events" && topic.some((word) => /^fatalit/.test(word));
  const query = new URLSearchParams(country && { country: country.alpha2 });
  for (const word of by) query.append("by", dimensions[word] ?? word);
  if (isDeaths) query.set("sum", "fatalities");
  const counted = `${isDeaths ? "Deaths" : "Rows"} by ${by.join(" and ")}`;
  const title = nameOf({ countries: country ? [country] : [] }, counted);
  return { path: `/data/${data}?${query}#counts`, title, text: "The last 12 months, with totals and shares." };
}

/** Answers `tender it services poland`: the other words are searched in notices. */
function tenderAnswer({ countries, rest, topic }: Asked): Hit | undefined {
  if (!topic.some((word) => tender.test(word))) return undefined;
  const linking = countries.length > 1 ? /^(?:in|for|of|from|by|the|and|or)$/ : /^(?:in|for|of|from|by|the)$/;
  const wanted = rest.filter((word) => !tender.test(word) && !linking.test(word)).join(" ");
  const query = new URLSearchParams({
    ...(wanted && { query: wanted }),
    ...(countries.length > 0 && { countries: countries.map(({ alpha2 }) => alpha2).join(",") }),
  });
  const title = nameOf({ countries }, wanted === "" ? "Tenders" : `Tenders with “${wanted}”`);
  return { path: `/tenders?${query}`, title, text: "Procurement notices, which you can filter and save as an alert." };
}

/** Answers a search for nothing but a chokepoint. */
function nameAnswer({ country, topic: [word = "", ...more] }: Asked): Hit | undefined {
  const named = chokepoints.find(({ id }) => id.split("_")[0] === word);
  return named && !country && more.length === 0 ? chokepointHit(named) : undefined;
}

function closureAnswer({ country, countries, chokepoint, rest }: Asked): Hit {
  const of = chokepoint ?? chokepointById(usualChokepoint);
  const days = rest.find((word, at) => /^\d{1,3}$/.test(word) && /^days?$/.test(rest[at + 1] ?? ""));
  const query = new URLSearchParams({ ...(country && { iso2: country.alpha2 }), ...(days && { closure_days: days }) });
  return {
    path: `${addressOf(`/chokepoints/${of?.id}`, query)}#closure`,
    title: `Cost of a closure: ${nameOf({ countries, chokepoint: of })}`,
    text: "Modeled cost of imports while it is closed. Choose country and days there.",
  };
}

/** Answers `hormuz oil`, `who exports oil through hormuz`, `wheat egypt`, and `wheat stocks egypt`. */
function dependenceAnswer({ country, countries, chokepoint, topic }: Asked): Hit | undefined {
  const has = (pattern: RegExp) => topic.some((word) => pattern.test(word));
  const commodity = commodities.find(({ name }) =>
    topic.some((word) => word.length > 2 && name.toLowerCase().split(" ").includes(word)),
  );
  const query = new URLSearchParams({
    ...(commodity && { commodity_id: commodity.id }),
    ...(country && { country_code: country.alpha2 }),
  });
  const place = nameOf({ countries, chokepoint }, ...(commodity ? [commodity.name] : []));
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

function briefAnswer({ country }: Asked): Hit | undefined {
  if (!country) return undefined;
  return { path: `/countries/${country.alpha2}/brief`, title: `Brief: ${country.name}`, text: "One printed page." };
}
