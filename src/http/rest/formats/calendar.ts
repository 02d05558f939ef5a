import type { JsonValue } from "@bufbuild/protobuf";
import type ICAL from "ical.js";
import { TimeEncoding } from "../../../../gen/es/ids/options/v1/options_pb.ts";
import { instantOf } from "../../../contract/cell-text.ts";
import type { Column, Place } from "../../../contract/columns.ts";
import { type Span, spanOf } from "../../../contract/file-format.ts";
import { dayMs } from "../../../reference/duration.ts";
import { libraries } from "../../../reference/libraries.ts";
import type { Feed, FeedWriter } from "../../feeds/atom.ts";
import type { RowEntry } from "./feed-entry.ts";
import { coordinatesOf } from "./geojson.ts";
import type { RowPlan } from "./row-plan.ts";

type Component = ICAL.Component;

/** Maximum number of bytes in a line. */
const maxLine = 75;

/** Writes a feed as a calendar (RFC 5545). Rows without a time are left out. */
export function calendarWriter({ title, subtitle = "", rights, page }: Feed, { table }: RowPlan): FeedWriter<RowEntry> {
  const library = libraries.calendar();
  // The library does not count the space before a continued line.
  library.foldLength = maxLine - 1;
  const calendar = new library.Component("vcalendar");
  const terms = rights ? ` Sources: ${rights}` : "";
  addTexts(calendar, {
    version: "2.0",
    prodid: "-//Intelligence Data Service//Lists//EN",
    name: title,
    description: subtitle + terms,
  });
  calendar.addPropertyWithValue("url", page);
  // Most programs read this name instead of the standard one. The library does not escape it.
  const escaped = plain(title).replace(/[\\;,]/g, "\\$&");
  calendar.addPropertyWithValue("x-wr-calname", escaped.replaceAll("\n", "\\n"));
  const end = "END:VCALENDAR";
  const span = spanOf(table);
  return {
    begin: calendar.toString().slice(0, -end.length),
    entry(entry) {
      const times = span && timesOf(span, entry.place);
      return times ? `${eventOf(entry, times, coordinatesOf(table, entry.place))}\r\n` : "";
    },
    separator: "",
    end: `${end}\r\n`,
  };
}

interface Times {
  readonly start: ICAL.Time;
  /** End of the event. It is exclusive: the first day or time after the event. */
  readonly end?: ICAL.Time;
}

function eventOf(entry: RowEntry, { start, end }: Times, coordinates: JsonValue[] | null): Component {
  const { Component, Time } = libraries.calendar();
  const { id, title, text, link, updatedAt, categories = [] } = entry;
  const event = new Component("vevent");
  addTexts(event, { uid: id, summary: title, description: text, transp: "TRANSPARENT" });
  event.addPropertyWithValue("dtstamp", Time.fromJSDate(updatedAt, true));
  event.addPropertyWithValue("dtstart", start);
  if (end) event.addPropertyWithValue("dtend", end);
  if (link !== undefined) event.addPropertyWithValue("url", link);
  if (categories.length > 0) event.addPropertyWithValue("categories", "").setValues(categories.map(plain));
  if (coordinates) event.addPropertyWithValue("geo", coordinates.toReversed());
  return event;
}

function addTexts(component: Component, texts: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(texts)) if (text !== "") component.addPropertyWithValue(name, plain(text));
}

/** RFC 5545 does not allow control characters in texts. */
function plain(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, "\n")
    .replace(/(?![\t\n])\p{Cc}/gu, "\u{fffd}");
}

function timesOf({ start: from, end: to }: Span, place: Place): Times | undefined {
  const start = timeOf(from, place);
  const end = to && timeOf(to, place, true);
  if (!start) return undefined;
  // If the end of an event is not after its start, the end is left out.
  return end && end.isDate === start.isDate && end.compare(start) > 0 ? { start, end } : { start };
}

/** Returns a time in UTC. */
function timeOf(column: Column, place: Place, isEnd = false): ICAL.Time | undefined {
  const at = instantOf(column, column.read(place));
  if (at === undefined) return undefined;
  const isDay = column.time === TimeEncoding.DAY;
  const time = libraries.calendar().Time.fromJSDate(new Date(isDay && isEnd ? at + dayMs : at), true);
  time.isDate = isDay;
  return time;
}
