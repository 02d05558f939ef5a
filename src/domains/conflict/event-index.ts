import { create } from "@bufbuild/protobuf";
import { type ConflictEvent, ConflictEventSchema } from "../../../gen/es/ids/conflict/v1/conflict_pb.ts";
import { deepFreeze } from "../../store/served/stored-dataset.ts";
import type { EventWindow } from "./event-filter.ts";
import type { EventPage, EventPosition } from "./event-table.ts";

/** The newest events in memory. Events are frozen, so that their serialized form can be used again. */
export interface EventIndex {
  readonly generation: number;
  /** Returns a page of events. Undefined if the requested span begins before the oldest event in the index. */
  readonly read: (filter: PlainFilter, slice: NewestSlice) => EventPage | undefined;
}

/** A filter with a time span and at most one country. Without a country, events of all countries match. */
export interface PlainFilter extends EventWindow {
  readonly countries: readonly string[];
}

interface NewestSlice {
  readonly limit: number;
  readonly after?: EventPosition | undefined;
}

/** Maximum events in the index, which bounds the memory. Requests for older events read the store. */
const maxEvents = 50_000;

export async function buildEventIndex(
  generation: number,
  chunks: AsyncIterable<EventPage["events"]>,
): Promise<EventIndex> {
  const all: ConflictEvent[] = [];
  let isWhole = true;
  for await (const chunk of chunks) {
    for (const event of chunk) {
      const message = create(ConflictEventSchema, event);
      deepFreeze(message);
      all.push(message);
    }
    isWhole = all.length <= maxEvents;
    if (!isWhole) break;
  }
  const byCountry = Map.groupBy(all, ({ country }) => country);
  // Events as old as the oldest one may be missing, so requests for that time or earlier are not read from the index.
  const oldest = isWhole ? undefined : all.at(-1)?.occurredAt;
  return {
    generation,
    read({ countries: [country], from, to }, { limit, after }) {
      if (oldest !== undefined && from <= oldest) return undefined;
      const events = country === undefined ? all : (byCountry.get(country) ?? []);
      const newest = firstOf(events, ({ occurredAt }) => occurredAt <= to);
      const end = firstOf(events, ({ occurredAt }) => occurredAt < from);
      const first = after ? Math.max(newest, firstOf(events, isAfter(after))) : newest;
      const page = events.slice(first, Math.min(end, first + limit));
      const last = first + limit < end ? page.at(-1) : undefined;
      return { events: page, totalCount: end - newest, ...(last && { next: positionOf(last) }) };
    },
  };
}

function positionOf({ occurredAt, fatalities, id }: ConflictEvent): EventPosition {
  return { occurredAt: String(occurredAt), fatalities, id };
}

function isAfter({ occurredAt, id }: EventPosition): (event: ConflictEvent) => boolean {
  const instant = BigInt(occurredAt);
  return (event) => event.occurredAt < instant || (event.occurredAt === instant && event.id > id);
}

/** Finds the first event that meets a condition. All events after it must meet the condition too. */
function firstOf(events: readonly ConflictEvent[], isTrue: (event: ConflictEvent) => boolean): number {
  let [low, high] = [0, events.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const event = events[middle];
    if (event && isTrue(event)) high = middle;
    else low = middle + 1;
  }
  return low;
}
