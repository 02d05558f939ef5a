import type { ListConflictEventsRequest } from "../../../gen/es/ids/conflict/v1/conflict_pb.ts";
import { requestedCountries } from "../../contract/request/country-parameter.ts";
import { requestedCircle } from "../../contract/request/near-parameter.ts";
import { boundOf, readRequestTime } from "../../contract/request/request-time.ts";
import { InvalidRequest, invalidField } from "../../errors.ts";
import type { Box } from "../../reference/box.ts";
import type { Circle } from "../../reference/places/circle.ts";
import { loadRegions } from "../../reference/places/regions.ts";

/** A time span in Unix epoch milliseconds. Both ends are included. */
export interface EventWindow {
  readonly from: bigint;
  readonly to: bigint;
}

const dayMs = 86_400_000n;
const defaultDays = 30n;

/** A time before every event: the start of the year 1, in Unix epoch milliseconds. */
const beginning = -62_135_596_800_000n;

/**
 * Returns the time span of a request, which by default is the last 30 days and today. If the end is earlier, the span
 * starts 30 days before it. If one event is requested by ID, the span starts before all events.
 */
export function eventWindow(start: bigint, end: bigint, now: Date, id = ""): EventWindow {
  const today = (BigInt(now.getTime()) / dayMs) * dayMs;
  const usual = today - defaultDays * dayMs;
  const to = boundOf(end) ?? today + dayMs - 1n;
  const first = to < usual ? to + 1n - (defaultDays + 1n) * dayMs : usual;
  return { from: boundOf(start) ?? (id === "" ? first : beginning), to };
}

/** The filter of a request. A text or list that is empty matches every event. */
export interface EventFilter extends EventWindow {
  readonly countries: readonly string[];
  /** Codes and names of a first-level area, in lower case. An event matches with one of them. */
  readonly areas: readonly string[];
  /** The types of events, in lower case. */
  readonly types: readonly string[];
  readonly minFatalities: number;
  /** Part of the name of an actor, in lower case. */
  readonly actor: string;
  readonly box?: Box;
  readonly circle?: Circle;
  readonly id?: string;
  /** Only events that were added or changed after this time match, in Unix epoch milliseconds. */
  readonly updatedAfter?: number;
}

type Request = Partial<Pick<ListConflictEventsRequest, "updatedAfter" | "id">> &
  Pick<
    ListConflictEventsRequest,
    | "start"
    | "end"
    | "country"
    | "countries"
    | "admin1"
    | "eventType"
    | "minFatalities"
    | "actor"
    | "neLat"
    | "neLon"
    | "swLat"
    | "swLon"
    | "near"
    | "withinKm"
  >;

/** Reads the filter. Throws `InvalidRequest` for an incomplete box, swapped bounds, an unknown place, or an invalid time. */
export async function eventFilter(request: Request, now: Date): Promise<EventFilter> {
  const box = boxOf(request);
  const circle = await requestedCircle(request);
  const countries = requestedCountries(request);
  const { updatedAfter, id } = request;
  return {
    ...eventWindow(request.start, request.end, now, id),
    countries,
    areas: await areasNamed(request.admin1.trim(), countries),
    types: request.eventType,
    minFatalities: request.minFatalities,
    actor: request.actor.trim().toLowerCase(),
    ...(box && { box }),
    ...(circle && { circle }),
    ...(id && { id }),
    ...(updatedAfter && { updatedAfter: readRequestTime(updatedAfter, "updated_after").start }),
  };
}

/** Returns names by which events may name a first-level area: the requested name, and the code of that region. */
async function areasNamed(name: string, countries: readonly string[]): Promise<readonly string[]> {
  if (name === "") return [];
  const { namedIn } = await loadRegions();
  const codes = countries.flatMap((country) => namedIn(country, name)?.code ?? []);
  return [name, ...codes].map((each) => each.toLowerCase());
}

export function isPlain(filter: EventFilter): boolean {
  const { countries, areas, types, minFatalities, actor, box, circle, id, updatedAfter } = filter;
  if (countries.length > 1 || areas.length > 0 || circle) return false;
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
