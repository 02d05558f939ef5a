import type { UpstreamError } from "../../../errors.ts";
import { counted, failed } from "../../../ingest/fetch-live.ts";
import { readThrough } from "../../../upstream/read-through.ts";
import { airlineOf, iataCallsign, plainCallsign } from "./callsign.ts";
import type { Schedule } from "./flight-schedule.ts";
import type { FlightProvider, LiveFlight } from "./flight-signal.ts";

/** Looks for aircraft while callers wait. */
export interface FlightTracker {
  readonly find: (icao24: string) => Promise<FlightFinding>;
}

/** What is known of an aircraft now; without a flight, whether that is because nobody could be asked. */
export interface FlightFinding {
  readonly flight?: LiveFlight;
  readonly unavailable?: true;
}

export interface FlightParts {
  readonly provider: FlightProvider;
  /** By callsign. */
  readonly schedule?: (callsign: string) => Promise<Schedule | undefined>;
  readonly clock: () => Date;
  /** Called for every look-up, whether its answer was kept or not; `failure` is absent for one that went well. */
  readonly lookedUp: (upstream: string, failure?: UpstreamError) => void;
}

const signalTtlMs = 30_000;
const scheduleTtlMs = 60_000;
const maxEntries = 10_000;
const maxConcurrency = 32;

/** Signals are kept for 30 s, schedules for 60 s; only a failed signal fails the whole. */
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

/** Asks through a cache; a failure of the upstream is told and becomes a value. */
function lookup<Answer>(
  { clock, lookedUp }: FlightParts,
  name: string,
  sendRequest: (key: string) => Promise<Answer>,
  ttlMs: number,
): (key: string) => Promise<Answer | typeof failed> {
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
