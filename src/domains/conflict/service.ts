import { createHash } from "node:crypto";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import { z } from "zod";
import type { ConflictService } from "../../../gen/es/ids/conflict/v1/conflict_pb.ts";
import type { Cursors } from "../../access/cursor.ts";
import { cursorEnd } from "../../access/cursor.ts";
import { heldPeriod } from "../../contract/held-period.ts";
import { type InvalidRequest, invalidField } from "../../errors.ts";
import { scheduled } from "../../ingest/schedule/scheduled.ts";
import { storedGenerations } from "../../ingest/stored-metadata.ts";
import { dayMs } from "../../reference/duration.ts";
import type { Provenance, Served } from "../../store/served/served.ts";
import type { Store } from "../../store/tables.ts";
import { conflictEvents } from "./conflict-events.ts";
import { type EventFilter, eventFilter, isPlain } from "./event-filter.ts";
import { buildEventIndex, type EventIndex } from "./event-index.ts";
import type { EventOrder, EventPosition } from "./event-table.ts";
import {
  countMatchingEvents,
  type EventGroup,
  type EventSlice,
  eventGroups,
  eventOrders,
  type GroupCount,
  readAllEvents,
  readEvents,
  readHeldFrom,
} from "./event-table.ts";
import { matchingMethodology } from "./matching-methodology.ts";

/** The request for which a cursor is valid. With other filters or another order, the cursor is rejected. */
interface EventWalk {
  /** The requested bounds, which are empty for the default, because the default changes each day. */
  readonly bounds: { readonly start: bigint; readonly end: bigint };
  readonly filter: EventFilter;
  readonly order: EventOrder;
}

const lastsMs = dayMs;

const contentSchema = z.strictObject({
  walk: z.string(),
  /** The window of the first page, which also applies to later pages, even after midnight. */
  from: z.string(),
  to: z.string(),
  occurredAt: z.string(),
  fatalities: z.int(),
  id: z.string(),
  /** The time at which the cursor expires, Unix epoch milliseconds. */
  ends: z.number(),
});

interface WalkPosition {
  readonly position: EventPosition;
  readonly from: bigint;
  readonly to: bigint;
}

function writeCursor(cursors: Cursors, walk: EventWalk, position: EventPosition, now: Date): string {
  const { from, to } = walk.filter;
  return cursors.sign({
    walk: fingerprint(walk),
    from: String(from),
    to: String(to),
    ...position,
    ends: cursorEnd(now, lastsMs),
  } satisfies z.infer<typeof contentSchema>);
}

/**
 * Returns the end of the previous page, or undefined for the first page. Throws `InvalidRequest` for an invalid cursor.
 */
function readCursor(cursors: Cursors, walk: EventWalk, cursor: string, now: Date): WalkPosition | undefined {
  if (cursor === "") return undefined;
  const content = contentSchema.safeParse(cursors.open(cursor)).data;
  if (!content) throw rejected("value must be the nextAfter of an earlier response");
  if (content.walk !== fingerprint(walk)) throw rejected("value belongs to other filters or another order");
  if (now.getTime() > content.ends) throw rejected("value has expired: begin again without it");
  const { from, to, occurredAt, fatalities, id } = content;
  return { position: { occurredAt, fatalities, id }, from: BigInt(from), to: BigInt(to) };
}

function rejected(description: string): InvalidRequest {
  return invalidField("after", description);
}

function fingerprint({ bounds, filter: { from: _from, to: _to, ...filter }, order }: EventWalk): string {
  const text = JSON.stringify([order, String(bounds.start), String(bounds.end), filter]);
  return createHash("sha256").update(text).digest("base64url").slice(0, 16);
}

export const conflict = {
  datasets: [scheduled(conflictEvents)],
  methodology: matchingMethodology,
  implement,
};

function implement(parts: {
  readonly database: Store;
  readonly served: Served;
  readonly clock: () => Date;
  readonly cursors: (purpose: string) => Cursors;
}): ServiceImpl<typeof ConflictService> {
  const { database, served, clock } = parts;
  const cursors = parts.cursors("conflict event pages");
  let index: (EventIndex & { readonly heldFrom: bigint | undefined }) | undefined;
  const load = async ({ generation }: Provenance) => {
    const loaded = await buildEventIndex(generation, readAllEvents(database));
    const heldFrom = await readHeldFrom(database);
    const stored = await storedGenerations(database, [conflictEvents]);
    // Readers saw a new generation while the index was built, so the index may mix both and is built again.
    index = stored.get(conflictEvents.name) === generation ? { ...loaded, heldFrom } : undefined;
  };
  served.follow(conflictEvents, load, { onlySpeeds: true });
  const heldIn = async ({ from, to, id }: EventFilter, generation: number, context: HandlerContext) => {
    const heldFrom = index?.generation === generation ? index.heldFrom : await readHeldFrom(database);
    return heldPeriod(id ? {} : { from, to }, { heldFrom, rows: "events" }, context);
  };
  const pageOf = (filter: EventFilter, slice: EventSlice, generation: number) => {
    if (filter.from > filter.to) return { events: [], totalCount: 0 };
    const isKnown = index?.generation === generation && slice.order === "newest" && isPlain(filter);
    return (isKnown && index?.read(filter, slice)) || readEvents(database, filter, slice);
  };
  return {
    async listConflictEvents(request, context) {
      const now = clock();
      const { start, end, limit } = request;
      const order = eventOrders.find((each) => each === request.sort) ?? "newest";
      const requested = eventFilter(request, now);
      const bounds = { start, end };
      const walked = readCursor(cursors, { bounds, filter: requested, order }, request.after, now);
      const filter = walked ? { ...requested, from: walked.from, to: walked.to } : requested;
      const { generation, storedAt } = served.dataset(conflictEvents, context);
      const { events, totalCount, next } = await pageOf(filter, { order, limit, after: walked?.position }, generation);
      return {
        events: [...events],
        pagination: { totalCount },
        nextAfter: next ? writeCursor(cursors, { bounds, filter, order }, next, now) : "",
        refreshedAt: storedAt.toISOString(),
        ...(await heldIn(filter, generation, context)),
      };
    },
    async countConflictEvents(request, context) {
      const filter = eventFilter(request, clock());
      const { generation } = served.dataset(conflictEvents, context);
      const group = eventGroups.find((each) => each === request.groupBy) ?? "";
      const counts = filter.from > filter.to ? [] : await countMatchingEvents(database, filter, group);
      return {
        counts: counts.sort(group === "day" ? byDay : byEvents).map((count) => countOf(count, group)),
        totalEvents: counts.reduce((sum, { events }) => sum + events, 0),
        totalFatalities: counts.reduce((sum, { fatalities }) => sum + fatalities, 0n),
        ...(await heldIn(filter, generation, context)),
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
