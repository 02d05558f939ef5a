import type { ListConflictEventsRequest } from "../../../gen/es/ids/conflict/v1/conflict_pb.ts";
import { boundOf, readRequestTime } from "../../contract/request/request-time.ts";
import { InvalidRequest, invalidField } from "../../errors.ts";
import type { Box } from "../../reference/box.ts";

/** A time span in Unix epoch milliseconds. Both ends are included. */
export interface EventWindow {
  readonly from: bigint;
  readonly to: bigint;
}

const dayMs = 86_400_000n;
const defaultDays = 30n;

/** Before every event, in Unix epoch milliseconds: the start of the year 1. */
const beginning = -62_135_596_800_000n;

/**
 * Returns the window of a request. By default, it starts 30 days ago at 0:00 UTC, or with the first event for the `id` of
 * one, and ends with today.
 */
export function eventWindow(start: bigint, end: bigint, now: Date, id = ""): EventWindow {
  const today = (BigInt(now.getTime()) / dayMs) * dayMs;
  return {
    from: boundOf(start) ?? (id === "" ? today - defaultDays * dayMs : beginning),
    to: boundOf(end) ?? today + dayMs - 1n,
  };
}

/** The filter of a request. A text or list that is empty matches every event. */
export interface EventFilter extends EventWindow {
  readonly country: string;
  /** The types are lowercase. */
  readonly types: readonly string[];
  readonly minFatalities: number;
  /** Part of the name of an actor, in lower case. */
  readonly actor: string;
  readonly box?: Box;
  readonly id?: string;
  /** Only events that were added or changed after this time match, in Unix epoch milliseconds. */
  readonly updatedAfter?: number;
}

type Request = Partial<Pick<ListConflictEventsRequest, "updatedAfter" | "id">> &
  Pick<
    ListConflictEventsRequest,
    "start" | "end" | "country" | "eventType" | "minFatalities" | "actor" | "neLat" | "neLon" | "swLat" | "swLon"
  >;

/** Reads the filter. Throws `InvalidRequest` for an incomplete box, swapped bounds, or an invalid time. */
export function eventFilter(request: Request, now: Date): EventFilter {
  const box = boxOf(request);
  const { updatedAfter, id } = request;
  return {
    ...eventWindow(request.start, request.end, now, id),
    country: request.country,
    types: request.eventType,
    minFatalities: request.minFatalities,
    actor: request.actor.trim().toLowerCase(),
    ...(box && { box }),
    ...(id && { id }),
    ...(updatedAfter && { updatedAfter: readRequestTime(updatedAfter, "updated_after").start }),
  };
}

export function isPlain({ types, minFatalities, actor, box, id, updatedAfter }: EventFilter): boolean {
  return types.length === 0 && minFatalities === 0 && actor === "" && !box && !id && updatedAfter === undefined;
}

function boxOf({ neLat: north, neLon: east, swLat: south, swLon: west }: Request): Box | undefined {
  const corners = { ne_lat: north, ne_lon: east, sw_lat: south, sw_lon: west };
  if (north === undefined || east === undefined || south === undefined || west === undefined) {
    const missing = Object.entries(corners).filter(([, value]) => value === undefined);
    if (missing.length === Object.keys(corners).length) return undefined;
    throw new InvalidRequest(
      missing.map(([field]) => ({ field, description: "value is required with the other corner values of a box" })),
    );
  }
  if (south > north) throw invalidField("sw_lat", "value must not be above ne_lat");
  return { north, east, south, west };
}
