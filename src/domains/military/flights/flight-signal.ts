import type { MessageInitShape } from "@bufbuild/protobuf";
import type { LiveFlightSchema } from "../../../../gen/es/ids/military/v1/live_flight_pb.ts";

export type LiveFlight = MessageInitShape<typeof LiveFlightSchema>;

/** Who receives aircraft. */
export interface FlightProvider {
  /** As configured; also the folder of its sample answers. */
  readonly name: string;
  /** The aircraft's last signal; undefined where nobody receives it. Throws `UpstreamError`. */
  readonly signal: (icao24: string) => Promise<LiveFlight | undefined>;
}

/** What a provider tells, in the units of the contract; what it does not tell is null or absent. */
export interface ParsedSignal {
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

/** A signal as callers are told it: what is not known is 0 and named. */
export function liveFlight(provider: string, { position, seenAt, ...reported }: ParsedSignal): LiveFlight {
  const { speed, heading, verticalRate, onGround } = reported;
  // An aircraft that moves and climbs or descends is not on the ground, whatever its transponder reports.
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
