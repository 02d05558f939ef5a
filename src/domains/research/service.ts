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
import { dayMs } from "../../reference/duration.ts";
import type { Served } from "../../store/served/served.ts";
import { curatedEvents } from "./curated-events.ts";
import { devEvents } from "./dev-events.ts";
import { techmeme } from "./techmeme.ts";

const feeds = [techmeme, devEvents];
/** If several sources list an event, the text of the first one is used. */
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

/** The age is that of the feeds, because the curated list never changes. */
function techEventsOf({
  bySource,
  responses,
}: Refresh<typeof TechEventSchema>): MessageInitShape<typeof TechEventsSchema> {
  const events: TechEvent[] = [];
  const listed = new Set<string>();
  for (const { name } of sources) {
    const unlisted = (bySource.get(name) ?? []).filter((event) => !listed.has(sameness(event)));
    events.push(...unlisted);
    // Two events of one source with the same name are different.
    for (const event of unlisted) listed.add(sameness(event));
  }
  const read = feeds.flatMap(({ name }) => responses.get(name)?.fetchedAt.getTime() ?? []);
  return {
    events: events.sort(bySoonest),
    feedsReadAt: read.length === 0 ? "" : new Date(Math.max(...read)).toISOString(),
  };
}

/** Prefixes that sources write differently before the same name. */
const markers = /^((virtual|hybrid|online|new dates?|new location)(, *|: *))+/i;

/**
 * Events of the same year are the same if their names begin alike, without the year. Earnings and listings must also
 * have the same day.
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
  const today = now.toISOString().slice(0, 10);
  const { type, mappable, limit, days = 0, countryCode } = request;
  const lastUpdated = stored.feedsReadAt;
  const coming = stored.events.filter(({ endDate }) => endDate >= today);
  if (coming.length === 0) return { lastUpdated, error: "The event feeds list no upcoming event" };
  const horizon = new Date(Date.parse(today) + days * dayMs).toISOString().slice(0, 10);
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

function implement(parts: {
  readonly served: Served;
  readonly clock: () => Date;
}): ServiceImpl<typeof ResearchService> {
  const { served, clock } = parts;
  return {
    listTechEvents(request, context) {
      const stored = served.messageIfAny(techEvents, context);
      return stored
        ? techEventsAt(stored, request, clock())
        : withoutEvents(served.messageIfAny(techEvents, context, { flagged: "old" }));
    },
  };
}
