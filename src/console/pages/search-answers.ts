import { CatalogService } from "../../../gen/es/ids/catalog/v1/catalog_pb.ts";
import { HistoryService, type Series } from "../../../gen/es/ids/history/v1/history_pb.ts";
import { addressOf } from "../address.ts";
import { operationNamed, readMessage } from "../metadata.ts";
import type { PageContext } from "../page-context.ts";
import { dayText, hasPeriods } from "../view/times.ts";
import {
  areaAnswer,
  datasetAnswers,
  lookupAnswers,
  missingAnswers,
  nearAnswers,
  ongoingAnswer,
  outageAlert,
  parameterOf,
  startOf,
} from "./search-datasets.ts";
import { type Asked, type Hit, hasWord, hitsOf, type Lists, nameOf, namesOf, valuesOf } from "./search-hits.ts";
import { changesAnswer, changesOf, isMoving, rankingAnswer } from "./search-rankings.ts";
import { commandsOf, tenderAnswers } from "./search-tenders.ts";
import { closureAnswer, dependenceAnswers, headingAnswer } from "./search-trade.ts";
import { alert, band, comparison, datasetMeant } from "./search-words.ts";
import { hasChanges } from "./series/latest-values.ts";
import { readSeries, type SeriesRead, seriesName } from "./series/series-read.ts";
import { firstKeys, seriesRequest } from "./series/series-request.ts";
import { readKeys } from "./series/series-shown.ts";
import { yearBefore } from "./series/series-views.ts";

const dimensions: Readonly<Record<string, string>> = { region: "admin1", area: "admin1", kind: "type", party: "actor" };
const dimension = /^(?:day|week|month|quarter|year|country|admin1|region|area|type|kind|actor|party|source)$/;
const maxCompared = 4;

/** Returns the pages that answer a search, the best one first. */
export async function answersOf(asked: Asked, lists: Lists): Promise<readonly Hit[]> {
  const { countries, topic } = asked;
  const near = await nearAnswers(asked, lists);
  if (near.length > 0) return near;
  if (asked.area) {
    const ofArea = [await countAnswer(asked, lists), areaAnswer(asked, lists)].filter((each) => each !== undefined);
    return ofArea.length > 0 ? [...missingAnswers(asked, lists), ...ofArea] : [];
  }
  // If a search names several countries, pages on one country are answers for each of them.
  const each =
    countries.length > 1 ? countries.slice(0, maxCompared).map((one) => ({ ...asked, countries: [one] })) : [asked];
  // A search such as `how do I close my account` does not mean a strait, because it names none and no cost.
  const isOfTrade =
    asked.chokepoint !== undefined || asked.rest.some((word) => /^(?:costs?|straits?|canals?)$/.test(word));
  const isClosure = isOfTrade && asked.rest.some((word) => /^(?:clos(?:e|ing|ure)|blockade|shut)/.test(word));
  const [series, rows] = [await seriesAnswer(asked, lists), datasetAnswers(asked, lists)];
  const [tenders, ...otherTenders] = tenderAnswers(asked, lists);
  const others = [
    alertAnswer(asked, tenders ?? series, lists.series),
    changesAnswer(asked, lists) ?? rankingAnswer(asked),
    headingAnswer(asked),
    (await countAnswer(asked, lists)) ?? tenders,
    ...otherTenders,
    ...(isClosure && !tenders ? each.map(closureAnswer) : []),
    ...each.flatMap(dependenceAnswers),
    ...(asked.rest.some((word) => brief.test(word)) ? each.map(briefAnswer) : []),
    ongoingAnswer(asked, lists),
  ];
  // A dataset or series that lacks some words of the search is an answer only if there is no other answer.
  const isPartial = asked.matched.length < topic.length;
  const isAnswered = isPartial && others.some((answer) => answer !== undefined);
  const isNamed = isNamedBy(topic, series);
  const named = isAnswered ? [] : isNamed ? [series, ...rows] : [...rows, ...(isPartial ? [] : [series])];
  const answers = [...others, ...named, ...lookupAnswers(asked, lists)];
  const [input, ...inputs] = hitsOf(asked.found, "Inputs of scores");
  const text = [input?.text, ...inputs.map(({ title }) => title)].join("; ");
  const found = answers.filter((answer) => answer !== undefined);
  const best = found.length > 0 || !input ? found : [{ ...input, path: `${input.path}#rows`, text }];
  const known = [...missingAnswers(asked, lists), ...best, ...compareAnswers(asked)];
  return [...new Map(known.map((answer) => [answer.path, answer])).values()];
}

/** Returns whether the title has a word of the topic. Other hits only mention it. */
function isNamedBy(topic: readonly string[], hit: Hit | undefined): boolean {
  return hit !== undefined && topic.some((word) => hasWord({ title: hit.title }, word));
}

/** Answers `compare poland and romania`: the first countries side by side. */
function compareAnswers({ countries }: Asked): readonly Hit[] {
  if (countries.length < 2) return [];
  const compared = countries.slice(0, maxCompared);
  const query = new URLSearchParams(compared.map(({ alpha2 }): [string, string] => ["country", alpha2]));
  const isAll = compared.length === countries.length;
  const text = isAll ? "Figures side by side." : `Figures of the first ${maxCompared} countries side by side.`;
  return [{ path: `/compare?${query}`, title: `Compare ${namesOf(compared)}`, text }];
}

/** Answers `conflict sudan fatalities by month`. */
async function countAnswer(asked: Asked, { datasets, page }: Lists): Promise<Hit | undefined> {
  const { countries, topic, rest } = asked;
  const follows = (at: number) => /^(?:by|and)$/.test(rest[at - 1] ?? "");
  const named = rest.filter((word, at) => rest.includes("by") && follows(at) && dimension.test(word)).slice(0, 2);
  const data = datasetMeant(topic);
  const own = datasets.find(({ name }) => name === data)?.operations[0]?.name;
  const operation = page.operations.find(({ name }) => name === own);
  const isMoved = isMoving(asked);
  // If the search names no dimension, deaths in a period are counted by area, and so are two compared periods.
  const isDeaths = data === "conflict-events" && topic.some((word) => /^fatalit/.test(word)) && !isMoved;
  const isPast = data === "conflict-events" && asked.period?.isPast === true;
  const isCompared = isPast && !isMoved && rest.some((word) => comparison.test(word));
  // If the search names an unknown place, counts of the whole world do not answer it.
  const isOfPlace = countries.length > 0 || asked.ignored.length === 0;
  const isAsked = named.length > 0 || isCompared || (isPast && isDeaths);
  if (!isAsked || !isOfPlace || !operation) return undefined;
  const [country] = countries.length === 1 ? countries : [];
  const first = named[0] ?? (asked.area ? "month" : country ? "region" : "country");
  const by = countries.length > 1 ? [...new Set([first, "country"])] : named.length > 0 ? named : [first];
  const start = startOf(operation, asked);
  const isOfSeveral = countries.length > 1 && parameterOf(operation, "countries") !== undefined;
  const counted = isOfSeveral ? countries : country ? [country] : [];
  const place = {
    ...(counted.length > 0 && {
      [isOfSeveral ? "countries" : "country"]: counted.map(({ alpha2 }) => alpha2).join(","),
    }),
    ...(asked.area && { admin1: asked.area.code }),
  };
  const query = new URLSearchParams({ ...place, ...start });
  for (const word of by) query.append("by", dimensions[word] ?? word);
  if (isDeaths) query.set("sum", "fatalities");
  if (isCompared) query.set("compare", "before");
  const what = `${isDeaths ? "Deaths" : "Rows"} by ${by.join(" and ")}`;
  const title = nameOf({ ...asked, countries: counted, chokepoint: undefined }, what);
  const earliest = { path: operation.path, by: "year", limit: 1 };
  const { message } = await readMessage(page.read, CatalogService.method.countRows, earliest);
  const heldFrom = Number(message?.heldFrom ?? 0);
  const [day] = Object.values(start).map(Date.parse);
  const from = Math.max(day ?? yearBefore(page.now), heldFrom);
  const text = `Totals and shares since ${dayText(from)}.${from === heldFrom ? " Earlier rows are not held." : ""}`;
  return { path: `/data/${data}?${query}#counts`, title, text };
}

/** Parameters of a series page that a rule does not have. */
const ofChart = new Set(["view", "from"]);
/** Words of changes, spans, and exceptions, which a rule with one fixed threshold does not watch. */
const notALevel = /^(?:by|between|both|chang\w*|doubles?|every|halves|longer|not|or|points?|than|twice|up)$/;
export const falling = /^(?:below|under|falls?|drops?|lower)$/;

/** Answers `alert ukraine risk above 70`: the form of a rule with the tenders or the series. */
function alertAnswer(asked: Asked, watched: Hit | undefined, series: readonly Series[]): Hit | undefined {
  const { rest, amount, countries } = asked;
  if (!commandsOf(asked).some((word) => alert.test(word))) return;
  const ofOutages = outageAlert(asked);
  if (ofOutages) return ofOutages;
  if (!watched || watched.title.startsWith("No data")) return;
  const [address = "", query] = watched.path.split("?");
  const id = address.split("/series/")[1];
  const title = watched.title.replace(/, seasonal band$/, "");
  const rule = new URLSearchParams({ watch: id ? "series" : "tenders", ...(id && { series: id }) });
  for (const [field, value] of new URLSearchParams(query)) if (!ofChart.has(field)) rule.append(field, value);
  const answer = (name: string, text: string) => {
    rule.set("name", name.slice(0, 100));
    return { path: `/alerts?${rule}#rule`, title: `Create alert: ${name}`, text };
  };
  if (!id) {
    const name = asked.period ? title.replace(`, ${asked.period.text}`, "") : title;
    for (const field of ["deadline_from", "deadline_to", "published_from"]) rule.delete(field);
    return answer(name, "The form of the rule is filled in. It reports each new notice, whatever its deadline.");
  }
  // Keys of some series are numeric country codes, but rules need alpha-2 codes.
  if (/^\d{3}(?:,|$)/.test(rule.get("keys") ?? "")) rule.set("keys", countries.map(({ alpha2 }) => alpha2).join(","));
  const isLevel = !rest.some((word) => notALevel.test(word));
  const isBelow = amount?.isBelow ?? rest.some((word) => falling.test(word));
  if (isLevel) rule.set("direction", isBelow ? "below" : "above");
  const given = amount?.value ?? rest.find((word) => /^\d+(?:\.\d+)?$/.test(word));
  // A number that describes a change or a mean is not a threshold, so the form is left without one.
  if (!isLevel || given === undefined || rest.some((word) => band.test(word)))
    return answer(title, "A rule compares with a fixed value, not with a mean. Set the value in the form.");
  const scale = series.find((each) => each.id === id)?.scale ?? 1;
  rule.set("threshold", String(Number(given) / (amount && scale > 0 ? scale : 1)));
  return answer(`${title} at or ${isBelow ? "below" : "above"} ${given}`, "The form of the rule is filled in.");
}

const brief = /^(?:briefs?|everything|overview|pdf|print(?:able|ed)?|profile)$/;

function briefAnswer({ countries: [country] }: Asked): Hit | undefined {
  if (!country) return undefined;
  return { path: `/countries/${country.alpha2}/brief`, title: `Brief: ${country.name}`, text: "One printed page." };
}

const maxFirstKeys = 4;

/** Returns the best series. If it has no value of the named place, the answer says so and links to the whole series. */
async function seriesAnswer(asked: Asked, lists: Lists): Promise<Hit | undefined> {
  const { page } = lists;
  const hits = hitsOf(asked.found, "Series");
  // A score is a better answer than the series of its components.
  const whole = lists.series.filter(({ components }) => components !== "").map(({ id }) => `/series/${id}`);
  const changing = lists.series.filter(hasChanges).map(({ id }) => `/series/${id}`);
  const isWhole = ({ path }: Hit) => whole.includes(path.split("?")[0] ?? "");
  const isNamed = (hit: Hit) => isNamedBy(asked.topic, hit);
  const isMoved = isMoving(asked);
  // The series whose title has all words, such as `chokepoint transits`, comes before a score made from it.
  const byTitle = (hit: Hit) => asked.topic.filter((word) => hasWord({ title: hit.title }, word)).length;
  const ranked = hits.toSorted((a, b) => byTitle(b) - byTitle(a) || Number(isWhole(b)) - Number(isWhole(a)));
  const [first] = isMoved ? ranked.filter(({ path }) => changing.includes(path.split("?")[0] ?? "")) : hits;
  const best = (isMoved ? undefined : hits.find((hit) => isWhole(hit) && isNamed(hit))) ?? first;
  const [path = "", keys] = best?.path.split("?keys=") ?? [];
  const series = lists.series.find(({ id }) => path === `/series/${id}`);
  if (!best || !series) return undefined;
  if (isMoved && asked.chokepoint === undefined) return changesOf(best, series, asked, page);
  if (keys === undefined) return viewed(await withKeys(best, series, asked.topic, page), series, asked);
  const { response, unknownKeys } = await readSeries(page, { series: series.id, keys });
  if (response.kind === "refused" || unknownKeys.length < keys.split(",").length) return viewed(best, series, asked);
  const title = `No data: ${seriesName(series.id)} of ${nameOf(asked)}`;
  return { path, title, text: "The series does not cover it. This page has those that it covers." };
}

const against = /^(?:same|than|against|versus|vs|compar(?:e|es|ed|ing|isons?))$/;

/** Adds the view and the first day that the search names. */
function viewed(hit: Hit, { step }: Series, { rest, period }: Asked): Hit {
  // In `mean tone`, `mean` is part of the metric and does not ask for the seasonal band.
  const isBand = rest.some((word) => band.test(word) && !hasWord(hit, word));
  const isDaily = period?.isPast && !isBand && !hasPeriods(step);
  // The chart of a series of years always shows all years, so a named year is applied.
  const isWhole = hasPeriods(step) && /\d{4}/.test(period?.text ?? "");
  const isAgo = /^years?$/.test(rest[rest.indexOf("ago") - 1] ?? "");
  const isYearly = isAgo || (rest.some((word) => against.test(word)) && /last year$/i.test(period?.text ?? ""));
  const view = isBand ? "&view=band" : isYearly ? "&view=change" : "";
  const parameters = `${isDaily && !isYearly ? `&from=${period.value}` : ""}${view}`;
  const path = hit.path.includes("?") ? hit.path + parameters : addressOf(hit.path, parameters.slice(1));
  // The seasonal band compares with the last five years, so a named period is applied.
  const applies = isBand || isYearly || isWhole ? period?.value : undefined;
  return { ...hit, path, title: isBand ? `${hit.title}, seasonal band` : hit.title, applies };
}

/** Adds the keys that the search names, or some with points if the page would begin with keys that have none. */
async function withKeys(hit: Hit, series: Series, topic: readonly string[], page: PageContext): Promise<Hit> {
  const [part = "", ...others] = series.keyParts;
  const read = operationNamed(series.operation);
  const key = read && valuesOf(read).find(({ name, text }) => name === part && topic.includes(text));
  if (key) return { ...hit, path: `${hit.path}?keys=${key.value}`, title: `${hit.title}: ${key.text}` };
  if (others.length > 0 || series.keys === 0) return hit;
  const proposals = firstKeys[part] ?? [];
  for (const proposal of [...proposals.keys()]) {
    const read = await readKeys(series, page, seriesRequest(series, page, proposal));
    const measured = measuredIn(read);
    if (proposal === 0 && measured.length > 0) return hit;
    if (measured.length > 0) return { ...hit, path: `${hit.path}?keys=${measured.join(",")}` };
  }
  const keys = await moversOf(series, page);
  return keys.length > 0 ? { ...hit, path: `${hit.path}?keys=${keys.join(",")}` } : hit;
}

function measuredIn({ lines }: SeriesRead): readonly string[] {
  return lines.filter(({ points }) => points.some(({ value }) => value !== undefined)).map(({ key }) => key);
}

async function moversOf({ id }: Series, { read }: PageContext): Promise<readonly string[]> {
  const { message } = await readMessage(read, HistoryService.method.listMovers, { series: id, limit: maxFirstKeys });
  return message?.movers.map(({ key }) => key) ?? [];
}
