import type { UpstreamError } from "../../../egress/upstream-error.ts";
import { counted, failed } from "../../../ingest/fetch-live.ts";
import { readThrough } from "../../../upstream/read-through.ts";
import type { Schedule } from "./flight-schedule.ts";
import { airlineOf, type FlightProvider, iataCallsign, type LiveFlight, plainCallsign } from "./flight-signal.ts";

export interface FlightTracker {
  readonly find: (icao24: string) => Promise<FlightFinding>;
}

/** The result of a search. Without a flight, `unavailable` says that the provider failed. */
export interface FlightFinding {
  readonly flight?: LiveFlight;
  readonly unavailable?: true;
}

export interface FlightParts {
  readonly provider: FlightProvider;
  readonly schedule?: (callsign: string) => Promise<Schedule | undefined>;
  readonly clock: () => Date;
  /** Reports the outcome of every lookup, even if the response is cached. `failure` is absent after a success. */
  readonly lookedUp: (upstream: string, failure?: UpstreamError) => void;
}

const signalTtlMs = 30_000;
const scheduleTtlMs = 60_000;
const maxEntries = 10_000;
const maxConcurrency = 32;

/** Creates a tracker. It caches signals for 30 s and schedules for 60 s. A search fails only if the signal fails. */
export function createFlightTracker(parts: FlightParts): FlightTracker {
  const { provider, schedule } = parts;
  const signals = lookup(parts, provider.name, provider.signal, signalTtlMs);
  const schedules = schedule && lookup(parts, "flight-schedule", schedule, scheduleTtlMs);
  return {
    async find(icao24) {
      const signal = await signals(icao24);
      if (signal === failed) return { unavailable: true };
      if (!signal) return {};
      const callsign = plainCallsign(signal.callsign ?? "");
      const route = callsign === "" ? undefined : await schedules?.(callsign);
      const airline = { callsignIata: iataCallsign(callsign), airlineName: airlineOf(callsign)?.name ?? "" };
      return { flight: { ...signal, ...airline, ...(route === failed ? {} : route) } };
    },
  };
}

/** Returns a cached lookup. If the upstream fails, the failure is reported and returned, and not thrown. */
function lookup<Value>(
  { clock, lookedUp }: FlightParts,
  name: string,
  sendRequest: (key: string) => Promise<Value>,
  ttlMs: number,
): (key: string) => Promise<Value | typeof failed> {
  const same = (key: string) => key;
  const { read } = readThrough({
    key: same,
    call: sendRequest,
    ttlMs: () => ttlMs,
    maxEntries,
    maxConcurrency,
    clock,
  });
  return (key) =>
    counted(
      () => read(key),
      (failure) => lookedUp(name, failure),
    );
}
