import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import {
  type ListTechEventsRequest,
  type ListTechEventsResponseSchema,
  ResearchService,
  type TechEvent,
  TechEventSchema,
} from "../../../gen/es/ids/research/v1/research_pb.ts";
import { type TechEvents, TechEventsSchema } from "../../../gen/es/ids/stored/v1/tech_events_pb.ts";
import type { Refresh } from "../../ingest/dataset.ts";
import { scheduled } from "../../ingest/schedule/scheduled.ts";
import { snapshot } from "../../ingest/snapshot.ts";
import { isoDay } from "../../reference/calendar.ts";
import { dayMs } from "../../reference/duration.ts";
import type { ServedParts } from "../../store/served/served.ts";
import { curatedEvents } from "./curated-events.ts";
import { devEvents } from "./dev-events.ts";
import { techmeme } from "./techmeme.ts";

const feeds = [techmeme, devEvents];
/** The sources in order of preference. If several list the same event, the first one's text is used. */
const sources = [...feeds, curatedEvents];

const techEvents = snapshot({
  name: "tech-events",
  subject: "Technology conferences and other events of the technology industry.",
  row: TechEventSchema,
  message: TechEventsSchema,
  schedule: "10 */6 * * *",
  freshForMinutes: 8 * 60,
  serves: [ResearchService.method.listTechEvents],
  sources,
  combine: techEventsOf,
  count: ({ events }) => events.length,
});

/** Returns the events. They are as old as the last feed response, because the project's own list does not age. */
function techEventsOf({
  bySource,
  responses,
}: Refresh<typeof TechEventSchema>): MessageInitShape<typeof TechEventsSchema> {
  const events: TechEvent[] = [];
  const listed = new Set<string>();
  for (const { name } of sources) {
    const unlisted = (bySource.get(name) ?? []).filter((event) => !listed.has(sameness(event)));
    events.push(...unlisted);
    // An event is compared only with events of other sources. Two events of one source with the same name differ.
    for (const event of unlisted) listed.add(sameness(event));
  }
  const read = feeds.flatMap(({ name }) => responses.get(name)?.fetchedAt.getTime() ?? []);
  return {
    events: events.sort(bySoonest),
    feedsReadAt: read.length === 0 ? "" : new Date(Math.max(...read)).toISOString(),
  };
}

/** Prefixes that some sources write before the name of an event. */
const markers = /^((virtual|hybrid|online|new dates?|new location)(, *|: *))+/i;

/**
 * Returns a key that equal events have in common: the start of the name without the year, and the year. The key of an
 * earnings report or a listing also has the day.
 */
function sameness({ title, type, startDate }: TechEvent): string {
  const name = title
    .replace(markers, "")
    .replace(/(?<!\d)20\d\d(?!\d)/g, "")
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}]/gu, "");
  return type === "conference"
    ? `${[...name].slice(0, 30).join("")} ${startDate.slice(0, 4)}`
    : `${type} ${name} ${startDate}`;
}

function bySoonest(a: TechEvent, b: TechEvent): number {
  const keys = (event: TechEvent) => [event.startDate, event.endDate, event.title, event.id];
  const [left, right] = [keys(a), keys(b)];
  const at = left.findIndex((key, index) => key !== right[index]);
  const [one = "", other = ""] = [left[at], right[at]];
  return one === other ? 0 : one < other ? -1 : 1;
}

type Response = MessageInitShape<typeof ListTechEventsResponseSchema>;

function withoutEvents(last: TechEvents | undefined): Response {
  if (!last?.feedsReadAt) return { error: "No event feed has been read yet" };
  return { lastUpdated: last.feedsReadAt, error: "The event feeds were not read recently" };
}

function techEventsAt(stored: TechEvents, request: ListTechEventsRequest, now: Date): Response {
  const today = isoDay(now);
  const { type, mappable, limit, days = 0, countryCode } = request;
  const lastUpdated = stored.feedsReadAt;
  const coming = stored.events.filter(({ endDate }) => endDate >= today);
  if (coming.length === 0) return { lastUpdated, error: "The event feeds list no upcoming event" };
  const horizon = isoDay(Date.parse(today) + days * dayMs);
  const events = coming
    .filter((event) => type === "" || type === "all" || event.type === type)
    .filter((event) => !mappable || isMappable(event))
    .filter(({ coords }) => countryCode === "" || coords?.country === countryCode)
    .filter(({ startDate }) => startDate <= horizon)
    .slice(0, limit);
  return {
    success: true,
    count: events.length,
    conferenceCount: events.filter((event) => event.type === "conference").length,
    mappableCount: events.filter(isMappable).length,
    lastUpdated,
    events,
  };
}

function isMappable({ coords }: TechEvent): boolean {
  return coords !== undefined && !coords.virtual;
}

export const research = {
  datasets: [scheduled(techEvents)],
  implement,
};

function implement({ served, clock }: Pick<ServedParts, "served" | "clock">): ServiceImpl<typeof ResearchService> {
  return {
    listTechEvents(request, context) {
      const stored = served.messageIfAny(techEvents, context);
      return stored
        ? techEventsAt(stored, request, clock())
        : withoutEvents(served.messageIfAny(techEvents, context, { flagged: "old" }));
    },
  };
}
