import { HistoryService, type Series } from "../../../gen/es/ids/history/v1/history_pb.ts";
import { addressOf } from "../address.ts";
import { operationNamed, readMessage } from "../metadata.ts";
import type { PageContext } from "../page-context.ts";
import { hasPeriods } from "../view/times.ts";
import { type Asked, type Hit, hasWord, hitsOf, type Lists, nameOf, valuesOf } from "./search-hits.ts";
import { band } from "./search-words.ts";
import { readSeries, type SeriesRead, seriesName } from "./series/series-read.ts";
import { firstKeys, seriesRequest } from "./series/series-request.ts";
import { readKeys } from "./series/series-shown.ts";

const maxFirstKeys = 4;

/** Returns the best series. If it has no value of the place, the answer says so and leads to the whole series. */
export async function seriesAnswer(asked: Asked, lists: Lists): Promise<Hit | undefined> {
  const { page } = lists;
  const hits = hitsOf(asked.found, "Series");
  // A score with components comes before the series of its parts.
  const whole = lists.series.filter(({ components }) => components !== "").map(({ id }) => `/series/${id}`);
  const best = hits.find(({ path }) => whole.includes(path.split("?")[0] ?? "")) ?? hits[0];
  const [path = "", keys] = best?.path.split("?keys=") ?? [];
  const series = lists.series.find(({ id }) => path === `/series/${id}`);
  if (!best || !series) return undefined;
  if (keys === undefined) return viewed(await withKeys(best, series, asked.topic, page), series, asked);
  const { response, unknownKeys } = await readSeries(page, { series: series.id, keys });
  if (response.kind === "refused" || unknownKeys.length < keys.split(",").length) return viewed(best, series, asked);
  const title = `No data: ${seriesName(series.id)} of ${nameOf(asked)}`;
  return { path, title, text: "The series does not cover it. This page has those that it covers." };
}

/** Adds the view and the first day that the search names. */
function viewed(hit: Hit, { step }: Series, { rest, period }: Asked): Hit {
  // In `mean tone`, the word is part of the metric.
  const isBand = rest.some((word) => band.test(word) && !hasWord(hit, word));
  const isDaily = period?.isPast && !hasPeriods(step);
  const view = isBand ? "&view=band" : rest.includes("ago") ? "&view=change" : "";
  const parameters = `${isDaily ? `&from=${period.value}` : ""}${view}`;
  const path = hit.path.includes("?") ? hit.path + parameters : addressOf(hit.path, parameters.slice(1));
  return { ...hit, path, title: isBand ? `${hit.title}, seasonal band` : hit.title };
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
