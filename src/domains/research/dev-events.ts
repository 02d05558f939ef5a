import { z } from "zod";
import { UpstreamError } from "../../egress/upstream-error.ts";
import { text } from "../../ingest/row-fields.ts";
import { type Parsed, type Rejection, rejection, type Source } from "../../ingest/source.ts";
import { readRssItems } from "../../ingest/xml.ts";
import { months } from "../../reference/calendar.ts";
import { findPlaces } from "../../reference/places/place-finder.ts";
import { sourceDay } from "../../reference/source-time.ts";
import { coordinates, hashId, locatedFeedSchema, type Places, pageAddress, type TechEvent } from "./event-fields.ts";

/** The pattern of a month's name in the text of an event's days. */
const month = "([A-Z][a-z]{2})[a-z]*\\.?";
const written = new RegExp(`^${month} (\\d{1,2})(?:, (\\d{4}))?(?:\\s*[-–—]\\s*(?:${month} )?(\\d{1,2}))?, (\\d{4})`);

/** Finds the days of an event in prose: `June 4, 2026`, `Apr 29–30, 2025`, `Apr 29 – May 1, 2026`. */
export function eventDays(text: string) {
  const [whole = "", fromMonth, fromDay, ownYear, toMonth, toDay, year = ""] = written.exec(text) ?? [];
  const lastMonth = toMonth ?? fromMonth;
  const startYear = firstYear(ownYear ?? year, fromMonth, ownYear ? fromMonth : lastMonth);
  const startDate = sourceDay(`${fromDay} ${fromMonth} ${startYear}`);
  const endDate = sourceDay(`${toDay ?? fromDay} ${lastMonth} ${year}`);
  if (startDate === undefined || endDate === undefined || endDate < startDate) return undefined;
  return { startDate, endDate, length: whole.length };
}

/** Returns the year of an event's first day. In `Dec 30 – Jan 2, 2027`, it is the year before that of the last day. */
function firstYear(year: string, from: string | undefined, to: string | undefined): string {
  const crosses = months.indexOf(from ?? "") > months.indexOf(to ?? "");
  return crosses ? String(Number(year) - 1) : year;
}

const address = "https://dev.events/rss.xml";

/** About a hundred conferences from the feed of dev.events, which gives days and places only in prose. */
export const devEvents: Source<TechEvent> = {
  name: "dev-events",
  license: { kind: "attribution", publisher: "dev.events", terms: "dev.events feed; link to dev.events" },
  rows: { atLeast: 5, mayBeEmpty: false },
  async fetch(upstream) {
    const feed = await upstream.text({ url: address });
    const places = await findPlaces(feedItems(feed).flatMap((item) => announcementOf(item)?.place ?? []));
    return { feed, places: Object.fromEntries(places) };
  },
  parse: parseFeed,
};

function parseFeed(response: unknown): Parsed<TechEvent> {
  const { feed, places } = locatedFeedSchema.parse(response);
  const rows = new Map<string, TechEvent>();
  const rejected: Rejection[] = [];
  for (const [index, item] of feedItems(feed).entries()) {
    const read = itemSchema.safeParse(item);
    const event = read.success ? eventOf(read.data, places) : rejection("", read.error).reason;
    if (typeof event === "string") rejected.push({ row: read.data?.guid || `#${index}`, reason: event });
    else rows.set(event.id ?? "", event);
  }
  return { rows: [...rows.values()], rejected };
}

function feedItems(feed: string): readonly unknown[] {
  if (/^\s*(<!doctype html|<html)/i.test(feed)) throw new UpstreamError("dev.events sent HTML instead of a feed");
  return readRssItems("dev.events", feed, { isArray: (name) => name === "item" });
}

const itemSchema = z.object({
  title: text.pipe(z.string().min(1)),
  link: text,
  guid: text,
  description: text.pipe(z.string().min(1)),
});

type Item = z.output<typeof itemSchema>;

function eventOf(item: Item, places: Places): TechEvent | string {
  const announced = announcementOf(item);
  if (!announced) return "has no day";
  const { startDate, endDate, place } = announced;
  return {
    id: item.guid || hashId(item.title, startDate),
    title: item.title,
    type: "conference",
    location: place,
    ...coordinates(place, places),
    startDate,
    endDate,
    url: pageAddress(item.link),
    source: "dev.events",
  };
}

/**
 * Reads the days and the place: `… is happening on Apr 29–30, 2025 in Munich, Germany. …`. An online event has `Online`
 * instead of the place, or its description begins with it.
 */
function announcementOf(item: unknown) {
  const { data } = z.object({ description: z.string() }).safeParse(item);
  const [, before = "", when = ""] = /^(.*?)\bis happening on\s+(.+)$/s.exec(data?.description ?? "") ?? [];
  const days = eventDays(when);
  if (!days) return undefined;
  const [, named = ""] = /^\s*in\s+(.+?)\.?\s*(?:More information\b.*)?$/is.exec(when.slice(days.length)) ?? [];
  const isOnline = named === "" && /^\s*online\b/i.test(before);
  return { startDate: days.startDate, endDate: days.endDate, place: isOnline ? "Online" : named };
}
