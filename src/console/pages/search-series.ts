import { HistoryService, type Series } from "../../../gen/es/ids/history/v1/history_pb.ts";
import { readMessage } from "../metadata.ts";
import type { PageContext } from "../page-context.ts";
import { type Asked, type Hit, hitsOf, type Lists, nameOf } from "./search-hits.ts";
import { readSeries, type SeriesRead, seriesName } from "./series/series-read.ts";
import { firstKeys, seriesRequest } from "./series/series-request.ts";
import { readKeys } from "./series/series-shown.ts";

const maxFirstKeys = 4;

/** Returns the best series. If it has no value of the place, the answer says so and leads to the whole series. */
export async function seriesAnswer(asked: Asked, page: PageContext, lists: Lists): Promise<Hit | undefined> {
  const { found, rest } = asked;
  const hits = hitsOf(found, "Series");
  // A score with components comes before the series of its parts.
  const whole = lists.series?.filter(({ components }) => components !== "").map(({ id }) => `/series/${id}`) ?? [];
  const best = hits.find(({ path }) => whole.includes(path.split("?")[0] ?? "")) ?? hits[0];
  const [series = "", query] = best?.path.replace("/series/", "").split("?keys=") ?? [];
  if (!best) return undefined;
  if (query === undefined) return withPoints(best, page, lists);
  const { response, unknownKeys } = await readSeries(page, { series, keys: query });
  const view = rest.some((word) => /^(?:seasonal|usual|normal)$/.test(word))
    ? "band"
    : rest.includes("ago")
      ? "change"
      : "";
  const viewed = view === "" ? best : { ...best, path: `${best.path}&view=${view}` };
  if (response.kind === "refused" || unknownKeys.length < query.split(",").length) return viewed;
  const title = `No data: ${seriesName(series)} of ${nameOf(asked)}`;
  return {
    path: `/series/${series}`,
    title,
    text: "The series does not cover it. This page has those that it covers.",
  };
}

/** Adds keys with points to the URL of a series if its page would begin with keys that have none. */
async function withPoints(hit: Hit, page: PageContext, lists: Lists): Promise<Hit> {
  const series = lists.series?.find(({ id }) => hit.path === `/series/${id}`);
  if (series?.keyParts.length !== 1 || series.keys === 0) return hit;
  const proposals = firstKeys[series.keyParts[0] ?? ""] ?? [];
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
