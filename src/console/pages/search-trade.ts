import { chokepointById } from "../../reference/trade/chokepoints.ts";
import { commodities } from "../../reference/trade/commodities.ts";
import { hsHeadings } from "../../reference/trade/hs-headings.ts";
import { addressOf } from "../address.ts";
import { type Asked, type Hit, nameOf } from "./search-hits.ts";

/** The chokepoint of a question about closures that does not name one. More oil passes it than any other. */
const usualChokepoint = "hormuz_strait";

export function closureAnswer({ countries, chokepoint, rest }: Asked): Hit {
  const [country] = countries;
  const of = chokepoint ?? chokepointById(usualChokepoint);
  const days = rest.find((word, at) => /^\d{1,3}$/.test(word) && /^days?$/.test(rest[at + 1] ?? ""));
  const query = new URLSearchParams({ ...(country && { iso2: country.alpha2 }), ...(days && { closure_days: days }) });
  return {
    path: `${addressOf(`/chokepoints/${of?.id}`, query)}#closure`,
    title: `Cost of a closure: ${nameOf({ countries, chokepoint: of })}`,
    text: "Modeled cost of imports while it is closed. Choose country and days there.",
  };
}

const stock = /^(?:stock|reserve|buffer)/;
const produced = /^(?:produc|min(?:e|ing)|refin)/;

/** Answers `hormuz oil`, `who exports oil through hormuz`, `gallium`, `wheat egypt`, and `wheat stocks egypt`. */
export function dependenceAnswers({ countries, chokepoint, topic, rest }: Asked): readonly Hit[] {
  const [country] = countries;
  const has = (pattern: RegExp) => rest.some((word) => pattern.test(word));
  const wordsOf = ({ name }: { readonly name: string }) =>
    topic.filter((word) => word.length > 2 && name.toLowerCase().split(" ").includes(word)).length;
  // If several commodities match, the one with most of the words counts: `palm oil` is not crude oil.
  const most = commodities.toSorted((a, b) => wordsOf(b) - wordsOf(a))[0];
  const commodity = most && wordsOf(most) > 0 ? most : undefined;
  const query = new URLSearchParams({
    ...(commodity && { commodity_id: commodity.id }),
    ...(country && { country_code: country.alpha2 }),
  });
  const place = nameOf({ countries, chokepoint }, ...(commodity ? [commodity.name] : []));
  if (chokepoint) {
    if (!commodity && !has(/^(?:depend|rel(?:y|ies)|import|export)/)) return [];
    const [block, title] = has(/^export/)
      ? ["exporters", "Who exports through it"]
      : ["dependencies", "Who depends on it"];
    const path = `${addressOf(`/chokepoints/${chokepoint.id}`, query)}#${block}`;
    const text = "Modeled shares of imports that pass here, by country.";
    const stocks = commodity && has(stock) ? [stocksAnswer(query, nameOf({ countries }, commodity.name))] : [];
    return [{ path, title: `${title}: ${place}`, text }, ...stocks];
  }
  const named = (word: string) =>
    commodity?.name.toLowerCase().includes(word) || stock.test(word) || produced.test(word);
  if (!commodity || (!country && !topic.every(named))) return [];
  const path = `/data/supply-vulnerability?op=ListVulnerabilityRankings&${query}#rows`;
  const dependence = has(stock)
    ? stocksAnswer(query, place)
    : { path, title: `Vulnerability: ${place}`, text: "Vulnerability of imports." };
  if (!commodity.mineral) return [dependence];
  const of = new URLSearchParams({ commodity: commodity.id, ...(country && { iso2: country.alpha2 }) });
  const address = `/data/mineral-production?${of}#rows`;
  const production = { path: address, title: `Production: ${place}`, text: "Mining and refining by country." };
  return !country || has(produced) ? [production, dependence] : [dependence, production];
}

function stocksAnswer(query: URLSearchParams, place: string): Hit {
  const path = `/data/supply-buffers?op=ListSupplyBuffers&${query}#rows`;
  return { path, title: `Stocks: ${place}`, text: "Stocks on record." };
}

/** Answers `hs 8505` and `japan imports 271111` with imports of a four-digit heading, or says that none are held. */
export function headingAnswer({ countries: [country], rest }: Asked): Hit | undefined {
  const code = rest.find((word) => /^\d{4}(?:\d\d)?$/.test(word));
  if (code === undefined || !rest.some((word) => /^(?:hs|imports?|heading|product)$/.test(word))) return undefined;
  const name = hsHeadings.get(code.slice(0, 4));
  const path = `/data/country-imports${country ? `?op=GetCountryProducts&iso2=${country.alpha2}#rows` : ""}`;
  if (name === undefined)
    return {
      path,
      title: `No data: HS ${code}`,
      text: `It is not among the ${hsHeadings.size} headings that are held.`,
    };
  const title = nameOf({ countries: country ? [country] : [] }, `Imports: ${name}`);
  return {
    path,
    title,
    text: `The four-digit heading of HS ${code}, in US dollars by supplier, for the latest year only.`,
  };
}
