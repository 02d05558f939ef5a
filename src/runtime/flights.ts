import type { Config } from "../config/config.ts";
import { adsb, adsbLol } from "../domains/military/flights/adsb.ts";
import { askSchedule } from "../domains/military/flights/flight-schedule.ts";
import {
  createFlightTracker,
  type FlightParts,
  type FlightTracker,
} from "../domains/military/flights/flight-tracker.ts";
import { openSkyNetwork, opensky } from "../domains/military/flights/opensky.ts";
import type { Asked } from "../ingest/source.ts";
import type { Upstreams } from "../ingest/upstreams.ts";

/** By their names in the configuration. */
const flightProviders = { adsb: { ...adsbLol, ask: adsb }, opensky: { ...openSkyNetwork, ask: opensky } } as const;
const signalWithinMs = 8_000;
const scheduleWithinMs = 6_000;

/** Live flights by the configured provider and schedule service. */
export function configuredFlights(
  { flights }: Config,
  upstreams: Upstreams,
  parts: Pick<FlightParts, "clock" | "lookedUp">,
): FlightTracker {
  const { provider, scheduleUrl } = flights;
  const waiting = (source: Asked, timeoutMs: number) => ({ upstream: upstreams.upstreamOf(source), timeoutMs });
  const signals = waiting(flightProviders[provider], signalWithinMs);
  const schedules = waiting({ name: "flight-schedule" }, scheduleWithinMs);
  return createFlightTracker({
    ...parts,
    provider: flightProviders[provider].ask(signals),
    ...(scheduleUrl ? { schedule: (callsign) => askSchedule(schedules, scheduleUrl, callsign) } : {}),
  });
}
