import type { MessageInitShape } from "@bufbuild/protobuf";
import type { LiveFlightSchema } from "../../../../gen/es/ids/military/v1/live_flight_pb.ts";
import { type Airline, airlines } from "../../../reference/airlines.ts";

export type LiveFlight = MessageInitShape<typeof LiveFlightSchema>;

export interface FlightProvider {
  readonly name: string;
  /** Returns the last signal of the aircraft, or undefined if it is not received. Throws `UpstreamError`. */
  readonly signal: (icao24: string) => Promise<LiveFlight | undefined>;
}

/** The values of a provider, in the units of the API. Unknown values are null or absent. */
interface ParsedSignal {
  readonly icao24: string;
  readonly callsign: string;
  readonly position?: { readonly lat: number; readonly lon: number } | undefined;
  readonly altitude?: number | null | undefined;
  readonly speed?: number | null | undefined;
  readonly heading?: number | null | undefined;
  readonly verticalRate?: number | null | undefined;
  readonly onGround: boolean;
  /** Unix epoch seconds. */
  readonly seenAt: number;
  readonly registration?: string;
  readonly model?: string;
  readonly operator?: string;
}

/** Returns a signal as a message. Unknown values are 0 and listed by name. */
export function liveFlight(provider: string, { position, seenAt, ...reported }: ParsedSignal): LiveFlight {
  const { speed, heading, verticalRate, onGround } = reported;
  // An aircraft that moves and climbs or descends is not on the ground, even if its transponder says so.
  const isParked = onGround && !(speed && verticalRate);
  const altitude = reported.altitude ?? (isParked ? 0 : undefined);
  const values = { position, altitude, speed, heading, verticalRate };
  return {
    ...reported,
    lat: position?.lat ?? 0,
    lon: position?.lon ?? 0,
    altitude: altitude ?? 0,
    speed: speed ?? 0,
    heading: heading ?? 0,
    verticalRate: verticalRate ?? 0,
    lastSeen: BigInt(Math.floor(seenAt)),
    provider,
    missing: Object.entries(values).flatMap(([name, value]) => (value === undefined || value === null ? [name] : [])),
  };
}

/** Returns undefined for registrations, and for callsigns without the ICAO code of an airline. */
export function airlineOf(callsign: string): Airline | undefined {
  return airlines.get(/^([A-Z]{2,4})\d/.exec(plainCallsign(callsign))?.[1] ?? "");
}

/** `UAE528` becomes `EK528`. Returns an empty text if the airline is unknown. */
export function iataCallsign(callsign: string): string {
  const airline = airlineOf(callsign);
  return airline ? airline.iata + plainCallsign(callsign).slice(airline.icao.length) : "";
}

export function plainCallsign(callsign: string): string {
  return callsign.trim().toUpperCase();
}
