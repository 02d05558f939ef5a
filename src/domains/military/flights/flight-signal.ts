import type { MessageInitShape } from "@bufbuild/protobuf";
import type { LiveFlightSchema } from "../../../../gen/es/ids/military/v1/live_flight_pb.ts";
import { type Airline, airlines } from "../../../reference/airlines.ts";

export type LiveFlight = MessageInitShape<typeof LiveFlightSchema>;

export interface FlightProvider {
  readonly name: string;
  /** Returns the last signal of an aircraft. Undefined if none is received. Throws `UpstreamError` on a failure. */
  readonly signal: (icao24: string) => Promise<LiveFlight | undefined>;
}

/** The values of a signal, converted to the units of the API. Unknown values are null or absent. */
interface ParsedSignal {
  readonly icao24: string;
  readonly callsign: string;
  readonly position?: { readonly lat: number; readonly lon: number } | undefined;
  readonly altitude?: number | null | undefined;
  readonly speed?: number | null | undefined;
  readonly heading?: number | null | undefined;
  readonly verticalRate?: number | null | undefined;
  readonly onGround: boolean;
  /** The time of the signal in Unix epoch seconds. */
  readonly seenAt: number;
  readonly registration?: string;
  readonly model?: string;
  readonly operator?: string;
}

/** Converts a signal to a message. Unknown values are 0, and `missing` lists their names. */
export function liveFlight(provider: string, { position, seenAt, ...reported }: ParsedSignal): LiveFlight {
  const { speed, heading, verticalRate, onGround } = reported;
  // If an aircraft moves and also climbs or descends, its transponder is wrong to report that it is on the ground.
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

/** Returns the airline of a callsign. Undefined for a registration, and without the ICAO code of a known airline. */
export function airlineOf(callsign: string): Airline | undefined {
  return airlines.get(/^([A-Z]{2,4})\d/.exec(plainCallsign(callsign))?.[1] ?? "");
}

/** Converts a callsign to a flight number: `UAE528` becomes `EK528`. Empty if the airline is unknown. */
export function iataCallsign(callsign: string): string {
  const airline = airlineOf(callsign);
  return airline ? airline.iata + plainCallsign(callsign).slice(airline.icao.length) : "";
}

export function plainCallsign(callsign: string): string {
  return callsign.trim().toUpperCase();
}
