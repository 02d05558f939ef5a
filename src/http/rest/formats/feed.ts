import { setImmediate as turn } from "node:timers/promises";
import type { Place } from "../../../contract/columns.ts";
import type { FeedFormat } from "../../../contract/file-format.ts";
import { labelOf } from "../../../contract/labels.ts";
import { atomWriter, type Feed, type FeedWriter } from "../../feeds/atom.ts";
import { calendarWriter } from "./calendar.ts";
import { entryMaker, newestFirst, type RowEntry, urn } from "./feed-entry.ts";
import type { FileMetadata } from "./file-metadata.ts";
import type { FeedAddress } from "./file-request.ts";
import { jsonFeedWriter } from "./json-feed.ts";
import type { RowPlan } from "./row-plan.ts";

/** Number of entries that are written before other requests run. */
const entriesAtOnce = 50;

const writers: Readonly<Record<FeedFormat, (feed: Feed, plan: RowPlan) => FeedWriter<RowEntry>>> = {
  atom: atomWriter,
  jsonfeed: jsonFeedWriter,
  ics: calendarWriter,
};

/** Writes rows as the entries of a feed. */
export async function feedFile(
  plan: RowPlan,
  format: FeedFormat,
  { origin, isOwn }: FeedAddress,
  places: readonly Place[],
): Promise<Buffer> {
  const { metadata, subject, urlOf } = plan;
  const dated = newestFirst(plan, places);
  const times = dated.length > 0 ? dated.map(({ updatedAt }) => updatedAt) : [Date.parse(metadata.readAt ?? "") || 0];
  const selection = String(new URLSearchParams(subject.selection));
  const chosen = subject.selection.map(([name, value]) => `${labelOf(name).toLowerCase()} ${value}`).join(", ");
  const feed: Feed = {
    id: urn(subject.id, ...(selection === "" ? [] : [selection])),
    title: chosen === "" ? subject.things : `${subject.things}: ${chosen}`,
    subtitle: [metadata.title, ...remarksOf(metadata)].join(" "),
    rights: metadata.attribution.join("; "),
    self: isOwn ? origin + urlOf(format) : undefined,
    page: origin + subject.page,
    updatedAt: new Date(times.reduce((latest, each) => Math.max(latest, each))),
  };
  const { begin, entry, separator, end } = writers[format](feed, plan);
  const entryOf = entryMaker(plan, origin);
  const written: string[] = [];
  for (const [index, each] of dated.entries()) {
    if (index % entriesAtOnce === 0) await turn();
    written.push(entry(entryOf(each)));
  }
  return Buffer.from(begin + written.join(separator) + end);
}

function remarksOf({ origin, isStale, missing, withheld }: FileMetadata): string[] {
  return [
    ...(origin === "sample" ? ["This is sample data: the values are invented."] : []),
    ...(isStale ? ["The data is stale."] : []),
    ...(missing.length > 0 ? [`Missing: ${missing.join(", ")}.`] : []),
    ...(withheld.length > 0 ? [`Withheld, because the terms forbid redistribution: ${withheld.join(", ")}.`] : []),
  ];
}
