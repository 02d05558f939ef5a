import type { UpstreamError } from "../../../egress/upstream-error.ts";
import { counted, failed } from "../../../ingest/fetch-live.ts";
import { readThrough } from "../../../upstream/read-through.ts";
import type { Schedule } from "./flight-schedule.ts";
import { airlineOf, type FlightProvider, iataCallsign, type LiveFlight, plainCallsign } from "./flight-signal.ts";

export interface FlightTracker {
  readonly find: (icao24: string) => Promise<FlightFinding>;
}

/** The known values of an aircraft. If there is no flight, `unavailable` says whether the provider failed. */
export interface FlightFinding {
  readonly flight?: LiveFlight;
  readonly unavailable?: true;
}

export interface FlightParts {
  readonly provider: FlightProvider;
  readonly schedule?: (callsign: string) => Promise<Schedule | undefined>;
  readonly clock: () => Date;
  /** This is called for every lookup, also for cached responses. `failure` is absent if the lookup succeeded. */
  readonly lookedUp: (upstream: string, failure?: UpstreamError) => void;
}

const signalTtlMs = 30_000;
const scheduleTtlMs = 60_000;
const maxEntries = 10_000;
const maxConcurrency = 32;

/** Signals are cached for 30 s and schedules for 60 s. Only a failed signal makes the whole lookup fail. */
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

/** Requests through a cache. A failure of the upstream is reported and returned as a value. */
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
