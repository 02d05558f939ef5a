import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import { z } from "zod";
import type { ConflictService } from "../../../gen/es/ids/conflict/v1/conflict_pb.ts";
import type { Cursors } from "../../access/cursor.ts";
import { pageCursors } from "../../access/page-cursor.ts";
import { type Held, heldPeriod } from "../../contract/held-period.ts";
import { scheduled } from "../../ingest/schedule/scheduled.ts";
import { storedGenerations } from "../../ingest/stored-metadata.ts";
import type { Provenance, ServedParts } from "../../store/served/served.ts";
import { conflictEvents } from "./conflict-events.ts";
import { type EventFilter, eventFilter, isPlain } from "./event-filter.ts";
import { buildEventIndex, type EventIndex } from "./event-index.ts";
import {
  countMatchingEvents,
  type EventGroup,
  type EventOrder,
  type EventSlice,
  eventGroups,
  eventOrders,
  type GroupCount,
  readAllEvents,
  readEvents,
  readHeld,
} from "./event-table.ts";
import { matchingMethodology } from "./matching-methodology.ts";

const positionSchema = z.object({
  /** The time span of the first page. It also applies to later pages, even if the day has ended since. */
  from: z.string(),
  to: z.string(),
  occurredAt: z.string(),
  fatalities: z.int(),
  id: z.string(),
});

/** The start and the end in the request. They are empty for the default, because it changes each day. */
interface Bounds {
  readonly start: bigint;
  readonly end: bigint;
}

/** Returns a text that stands for a request. A cursor is valid only for requests with the same text. */
function walkOf({ start, end }: Bounds, { from: _from, to: _to, ...filter }: EventFilter, order: EventOrder): string {
  return JSON.stringify([order, String(start), String(end), filter]);
}

export const conflict = {
  datasets: [scheduled(conflictEvents)],
  methodology: matchingMethodology,
  implement,
};

interface ConflictParts extends ServedParts {
  readonly cursors: (purpose: string) => Cursors;
}

function implement(parts: ConflictParts): ServiceImpl<typeof ConflictService> {
  const { database, served, clock } = parts;
  const names = { parameter: "after", next: "nextAfter" };
  const cursors = pageCursors(parts.cursors("conflict event pages"), positionSchema, names);
  let index: (EventIndex & { readonly held: Held }) | undefined;
  const load = async ({ generation }: Provenance) => {
    const loaded = await buildEventIndex(generation, readAllEvents(database));
    const held = await readHeld(database);
    const stored = await storedGenerations(database, [conflictEvents]);
    // If the data changed while the index was built, the index may mix two versions, so it is built again.
    index = stored.get(conflictEvents.name) === generation ? { ...loaded, held } : undefined;
  };
  served.follow(conflictEvents, load, { onlySpeeds: true });
  const heldIn = async ({ from, to, id }: EventFilter, end: bigint, generation: number, context: HandlerContext) => {
    const held = index?.generation === generation ? index.held : await readHeld(database);
    // If a request names no end, rows of today are not expected yet, so their absence is not reported.
    return heldPeriod(id ? {} : { from, to: end === 0n ? undefined : to }, { ...held, rows: "events" }, context);
  };
  const pageOf = (filter: EventFilter, slice: EventSlice, generation: number) => {
    if (filter.from > filter.to) return { events: [], totalCount: 0 };
    const isKnown = index?.generation === generation && slice.order === "newest" && isPlain(filter);
    return (isKnown && index?.read(filter, slice)) || readEvents(database, filter, slice);
  };
  return {
    async listConflictEvents(request, context) {
      const now = clock();
      const { limit } = request;
      const order = eventOrders.find((each) => each === request.sort) ?? "newest";
      const requested = await eventFilter(request, now);
      const walk = walkOf(request, requested, order);
      const walked = cursors.read(walk, request.after, now);
      const filter = walked ? { ...requested, from: BigInt(walked.from), to: BigInt(walked.to) } : requested;
      const { generation, storedAt } = served.dataset(conflictEvents, context);
      const { events, totalCount, next } = await pageOf(filter, { order, limit, after: walked }, generation);
      return {
        events: [...events],
        pagination: { totalCount },
        nextAfter: next ? cursors.write(walk, { from: String(filter.from), to: String(filter.to), ...next }, now) : "",
        refreshedAt: storedAt.toISOString(),
        ...(filter.circle && { center: filter.circle }),
        ...(await heldIn(filter, request.end, generation, context)),
      };
    },
    async countConflictEvents(request, context) {
      const filter = await eventFilter(request, clock());
      const { generation } = served.dataset(conflictEvents, context);
      const group = eventGroups.find((each) => each === request.groupBy) ?? "";
      const counts = filter.from > filter.to ? [] : await countMatchingEvents(database, filter, group);
      return {
        counts: counts.sort(group === "day" ? byDay : byEvents).map((count) => countOf(count, group)),
        totalEvents: counts.reduce((sum, { events }) => sum + events, 0),
        totalFatalities: counts.reduce((sum, { fatalities }) => sum + fatalities, 0n),
        ...(filter.circle && { center: filter.circle }),
        ...(await heldIn(filter, request.end, generation, context)),
      };
    },
  };
}

function countOf({ group, events, fatalities }: GroupCount, by: EventGroup) {
  return {
    events,
    fatalities,
    ...(by === "country" && { country: group }),
    ...(by === "type" && { eventType: group }),
    ...(by === "day" && { day: group }),
  };
}

function byEvents(a: GroupCount, b: GroupCount): number {
  return b.events - a.events || (a.group < b.group ? -1 : 1);
}

function byDay(a: GroupCount, b: GroupCount): number {
  return a.group > b.group ? -1 : 1;
}
