import { create } from "@bufbuild/protobuf";
import { type ConflictEvent, ConflictEventSchema } from "../../../gen/es/ids/conflict/v1/conflict_pb.ts";
import { deepFreeze } from "../../store/served/deep-freeze.ts";
import type { EventFilter, EventPage } from "./event-table.ts";

/**
 * The newest events of one generation, newest first. Frozen, each is written as JSON once, however many answers it is in.
 */
export interface EventIndex {
  readonly generation: number;
  /** Undefined for a window that begins before the oldest of them. */
  readonly read: (filter: EventFilter, limit: number) => EventPage | undefined;
}

/** Bounds the memory: ten of the largest answers. What is older is read from the store. */
const maxEvents = 50_000;

/** Reads chunks that are ordered like the answers, up to the bound. */
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
  // Of the oldest moment some may be missing.
  const oldest = isWhole ? undefined : all.at(-1)?.occurredAt;
  return {
    generation,
    read({ country, from, to }, limit) {
      if (oldest !== undefined && from <= oldest) return undefined;
      const events = country === "" ? all : (byCountry.get(country) ?? []);
      const first = firstNotAfter(events, to);
      const end = firstNotAfter(events, from - 1n);
      return { events: events.slice(first, Math.min(end, first + limit)), totalCount: end - first };
    },
  };
}

/** Index of the first event, newest first, that was not after a moment. */
function firstNotAfter(events: readonly ConflictEvent[], moment: bigint): number {
  let [low, high] = [0, events.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((events[middle] as ConflictEvent).occurredAt > moment) low = middle + 1;
    else high = middle;
  }
  return low;
}
