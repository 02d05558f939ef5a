import { z } from "zod";
import { text } from "../../../ingest/row-fields.ts";
import { readAs, type SourceTerms } from "../../../ingest/source.ts";
import { requestWhileWaiting, type Waiting } from "./flight-schedule.ts";
import { type FlightProvider, type LiveFlight, liveFlight } from "./flight-signal.ts";

const address = "https://api.adsb.lol/v2/hex";

export const adsbLol = {
  name: "adsb",
  license: {
    kind: "attribution",
    publisher: "adsb.lol",
    terms: "ODbL 1.0, adsb.lol; derived data must use the same license",
  },
  chosenBy: "IDS_FLIGHT_PROVIDER",
} as const satisfies SourceTerms;

/** The provider adsb.lol, which reports feet, knots, and feet per minute. */
export function adsb(waiting: Waiting): FlightProvider {
  return {
    name: adsbLol.name,
    signal: async (icao24) => parseAircraft(await requestWhileWaiting(waiting, `${address}/${icao24}`), icao24),
  };
}

const number = z.number().nullish();
const place = z.object({ lat: z.number().min(-90).max(90), lon: z.number().min(-180).max(180), seen_pos: number });

const responseSchema = z.object({ ac: z.array(z.unknown()).nullish(), now: z.number().positive() });

const aircraftSchema = z.object({
  flight: text,
  r: text,
  t: text,
  ownOp: text,
  alt_baro: z.union([z.number(), z.literal("ground")]).nullish(),
  gs: number,
  track: number,
  /** The direction of the nose, which is used for an aircraft on the ground, because it has no track. */
  true_heading: number,
  baro_rate: number,
  geom_rate: number,
  lat: number,
  lon: number,
  seen: number,
  /** The last known position, which is in this member if it is older than a minute. */
  lastPosition: place.nullish(),
});

/** Returns the signal of an aircraft. The response may have other aircraft too. Undefined if this one is missing. */
export function parseAircraft(response: unknown, icao24: string): LiveFlight | undefined {
  if (response === undefined) return undefined;
  const { ac, now } = readAs("adsb.lol", responseSchema, response);
  // An address with the prefix `~` is not an ICAO address, so it equals no requested address.
  const own = ac?.find((entry) => z.object({ hex: z.string() }).safeParse(entry).data?.hex.toLowerCase() === icao24);
  if (own === undefined) return undefined;
  const aircraft = readAs("adsb.lol", aircraftSchema, own);
  const current = place.safeParse(own).data ?? aircraft.lastPosition ?? undefined;
  const onGround = aircraft.alt_baro === "ground";
  return liveFlight("adsb", {
    icao24,
    callsign: aircraft.flight,
    position: current && { lat: current.lat, lon: current.lon },
    altitude: aircraft.alt_baro === "ground" ? undefined : aircraft.alt_baro,
    speed: aircraft.gs,
    heading: aircraft.track ?? aircraft.true_heading,
    verticalRate: aircraft.baro_rate ?? aircraft.geom_rate,
    onGround,
    seenAt: now / 1000 - (current?.seen_pos ?? aircraft.seen ?? 0),
    registration: aircraft.r,
    model: aircraft.t,
    operator: aircraft.ownOp,
  });
}
