import type ICAL from "ical.js";
import { z } from "zod";
import { UpstreamError } from "../../egress/upstream-error.ts";
import type { Parsed, Rejection, Source } from "../../ingest/source.ts";
import { isoDay } from "../../reference/calendar.ts";
import { dayMs } from "../../reference/duration.ts";
import { libraries } from "../../reference/libraries.ts";
import { findPlaces } from "../../reference/places/place-finder.ts";
import { coordinates, hashId, locatedFeedSchema, type Places, pageAddress, type TechEvent } from "./event-fields.ts";

const address = "https://www.techmeme.com/newsy_events.ics";
/** The latest time that an event can have. Only invalid durations lead to later times. */
const latest = Date.UTC(10_000, 0);
/** An event that is further in the future than this has a wrong date. */
const furthestMs = 10 * 366 * dayMs;

export const techmeme: Source<TechEvent> = {
  name: "techmeme",
  license: { kind: "attribution", publisher: "Techmeme", terms: "Techmeme event calendar; link to Techmeme" },
  rows: { atLeast: 5, mayBeEmpty: false },
  async fetch(upstream) {
    const feed = await upstream.text({ url: address });
    const places = await findPlaces(calendarEvents(feed).map((event) => placeOf(event)));
    return { feed, places: Object.fromEntries(places) };
  },
  parse: parseCalendar,
};

function parseCalendar(response: unknown, now: Date): Parsed<TechEvent> {
  const { feed, places } = locatedFeedSchema.parse(response);
  const rows = new Map<string, TechEvent>();
  const rejected: Rejection[] = [];
  for (const [index, event] of calendarEvents(feed).entries()) {
    const read = eventOf(event, places, now.getTime() + furthestMs);
    if (typeof read === "string") rejected.push({ row: text(event, "uid") || `#${index}`, reason: read });
    else rows.set(read.id ?? "", read);
  }
  return { rows: [...rows.values()], rejected };
}

function calendarEvents(feed: string): readonly ICAL.Component[] {
  if (/^\s*</.test(feed)) throw new UpstreamError("Techmeme sent HTML instead of a calendar");
  // A truncated calendar would look like a complete calendar with fewer events.
  if (!/END:VCALENDAR\s*$/i.test(feed)) throw new UpstreamError("Techmeme sent an incomplete calendar");
  try {
    const { Component, parse } = libraries.calendar();
    return new Component(z.array(z.unknown()).parse(parse(feed))).getAllSubcomponents("vevent");
  } catch (cause) {
    throw new UpstreamError("Techmeme sent a calendar that cannot be read", { cause });
  }
}

function eventOf(event: ICAL.Component, places: Places, furthest: number): TechEvent | string {
  const title = text(event, "summary");
  const days = daysOf(event);
  if (title === "") return "has no summary";
  if (text(event, "status").toUpperCase() === "CANCELLED") return "is canceled";
  if (!days) return "has no first day";
  if (days.end < days.start) return "ends before it starts";
  if (Date.parse(days.start) > furthest) return "begins more than ten years from now";
  const place = placeOf(event);
  return {
    id: text(event, "uid") || hashId(title, days.start),
    title,
    type: typeOf(title, place),
    location: place,
    ...coordinates(place, places),
    startDate: days.start,
    endDate: days.end,
    url: pageAddress(text(event, "url")),
    source: "techmeme",
  };
}

/** Prefixes of an event's name, as in `HYBRID, NEW DATE: RSA Conference`. */
const markers = /^((VIRTUAL|HYBRID|ONLINE|NEW DATES?|NEW LOCATION|POSTPONED)(, *|: *))+/i;

function typeOf(title: string, place: string): string {
  if (/^earnings:/i.test(title)) return "earnings";
  if (/^IPO\b/.test(title)) return "ipo";
  return place === "" && !markers.test(title) ? "other" : "conference";
}

/** Returns the place of an event. Without a place, it is `Virtual` if a prefix of the name says so. */
function placeOf(event: ICAL.Component): string {
  const place = text(event, "location");
  const [marker = ""] = markers.exec(text(event, "summary")) ?? [];
  return place === "" && /virtual|online/i.test(marker) ? "Virtual" : place;
}

/** Returns the first and last day. The end is exclusive in iCalendar (RFC 5545), so midnight is the day before. */
function daysOf(event: ICAL.Component): { readonly start: string; readonly end: string } | undefined {
  const { Duration, Time } = libraries.calendar();
  const first = propertyOf(event, "dtstart", Time);
  if (!first) return undefined;
  const start = instant(first);
  const end = propertyOf(event, "dtend", Time);
  const after = end ? instant(end) : start + (propertyOf(event, "duration", Duration)?.toSeconds() ?? 0) * 1000;
  return { start: isoDay(start), end: isoDay(after === start || after > latest ? start : after - 1) };
}

/**
 * Returns a property of an event. Undefined if it is missing or has another type. The library parses a property when it
 * is read, so an invalid one throws here.
 */
function propertyOf<T>(event: ICAL.Component, name: string, type: new (...from: never[]) => T): T | undefined {
  try {
    const value = event.getFirstPropertyValue(name);
    return value instanceof type ? value : undefined;
  } catch {
    return undefined;
  }
}

function instant({ year, month, day, hour, minute, second }: ICAL.Time): number {
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

function text(event: ICAL.Component, name: string): string {
  const value = event.getFirstPropertyValue(name);
  return typeof value === "string" ? value.trim() : "";
}
