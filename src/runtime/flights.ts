import type { Config } from "../config/config.ts";
import { adsb, adsbLol } from "../domains/military/flights/adsb.ts";
import { askPhoto } from "../domains/military/flights/flight-photo.ts";
import { askSchedule } from "../domains/military/flights/flight-schedule.ts";
import {
  createFlightTracker,
  type FlightParts,
  type FlightTracker,
} from "../domains/military/flights/flight-tracker.ts";
import { openSkyNetwork, opensky } from "../domains/military/flights/opensky.ts";
import type { Asked } from "../ingest/source.ts";
import type { Upstreams } from "../ingest/upstreams.ts";
import { userAgent } from "../upstream/live.ts";

/** By their names in the configuration. */
const flightProviders = { adsb: { ...adsbLol, ask: adsb }, opensky: { ...openSkyNetwork, ask: opensky } } as const;
const signalWithinMs = 8_000;
const restWithinMs = 6_000;

/** Live flights by the configured provider, schedule and photo service. */
export function configuredFlights(
  { flights, userAgent: agent }: Config,
  upstreams: Upstreams,
  parts: Pick<FlightParts, "clock" | "lookedUp">,
): FlightTracker {
  const { provider, scheduleUrl, photoUrl, contact } = flights;
  const headers = { "user-agent": userAgent(contact, agent) };
  const waiting = (source: Asked, timeoutMs: number) => ({
    upstream: upstreams.upstreamOf(source),
    headers,
    timeoutMs,
  });
  const signals = waiting(flightProviders[provider], signalWithinMs);
  const schedules = waiting({ name: "flight-schedule" }, restWithinMs);
  const photos = waiting({ name: "flight-photo" }, restWithinMs);
  return createFlightTracker({
    ...parts,
    provider: flightProviders[provider].ask(signals),
    ...(scheduleUrl ? { schedule: (callsign) => askSchedule(schedules, scheduleUrl, callsign) } : {}),
    ...(photoUrl ? { photo: (icao24) => askPhoto(photos, photoUrl, icao24) } : {}),
  });
}
