import { z } from "zod";
import { UpstreamError } from "../../../egress/upstream-error.ts";
import { readAs, type SourceTerms } from "../../../ingest/source.ts";
import { rounded } from "../../../reference/rounding.ts";
import { readThrough } from "../../../upstream/read-through.ts";
import { requestWhileWaiting, type Waiting } from "./flight-schedule.ts";
import { type FlightProvider, type LiveFlight, liveFlight } from "./flight-signal.ts";

const address = "https://opensky-network.org/api/states/all";
const tokenAddress = "https://auth.opensky-network.org/auth/realms/opensky-network/protocol/openid-connect/token";
/** How long before it expires a token is replaced. */
const marginMs = 60_000;

export const openSkyNetwork = {
  name: "opensky",
  license: {
    kind: "non-commercial",
    publisher: "OpenSky Network",
    terms: "The OpenSky Network, terms of use: research and non-commercial",
  },
  optionalVariables: ["OPENSKY_CLIENT_ID", "OPENSKY_CLIENT_SECRET"],
  chosenBy: "IDS_FLIGHT_PROVIDER",
  // The daily quota is in credits. A request costs at least one credit.
  requestsADay: { of: "opensky", max: 400, withKey: { variable: "OPENSKY_CLIENT_ID", max: 4_000 } },
  access: {
    signUp: "https://opensky-network.org/",
    minutes: 5,
    cost: "free for research and non-commercial use",
    quota: "400 credits a day without an account, 4,000 with one",
    terms: "https://opensky-network.org/about/terms-of-use",
    rejection:
      "429: the credits of the day are used. 403: the network rejected the address, as it does for some data centers.",
  },
} as const satisfies SourceTerms;

/** The OpenSky Network, which reports meters and meters per second. A client with an account has a higher quota. */
export function opensky(waiting: Waiting): FlightProvider {
  const { upstream } = waiting;
  const client = upstream.variable("OPENSKY_CLIENT_ID", "");
  const secret = upstream.variable("OPENSKY_CLIENT_SECRET", "");
  const tokens = readThrough<typeof tokenAddress, Token>({
    key: (place) => place,
    call: async (place) => {
      const form = { grant_type: "client_credentials", client_id: client, client_secret: secret };
      return readAs("OpenSky", tokenSchema, await requestWhileWaiting(waiting, place, { form }));
    },
    ttlMs: (token) => token.expires_in * 1000 - marginMs,
    maxEntries: 1,
    maxConcurrency: 1,
    clock: () => upstream.now,
  });
  const authorization = async (): Promise<Readonly<Record<string, string>>> => {
    if (client === "" || secret === "") return {};
    return { authorization: `Bearer ${(await tokens.read(tokenAddress)).access_token}` };
  };
  return {
    name: openSkyNetwork.name,
    async signal(icao24) {
      const headers = await authorization();
      try {
        return parseStates(await requestWhileWaiting(waiting, `${address}?icao24=${icao24}`, { headers }), icao24);
      } catch (error) {
        if (error instanceof UpstreamError && error.status === 401) tokens.forget(tokenAddress);
        throw error;
      }
    },
  };
}

const tokenSchema = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });
type Token = z.output<typeof tokenSchema>;

const number = z.number().nullable();

/** A state is a list, in which the position identifies a value. Values after the vertical rate are not used. */
const stateSchema = z
  .tuple([
    z.string(),
    z.string().nullable(),
    z.string(),
    number,
    z.number(),
    z.number().min(-180).max(180).nullable(),
    z.number().min(-90).max(90).nullable(),
    number,
    z.boolean(),
    number,
    number,
    number,
  ])
  .rest(z.unknown());

const responseSchema = z.object({ time: z.number(), states: z.array(z.unknown()).nullable() });

/** Returns the signal of the aircraft from a response. Undefined if the response lacks the aircraft. */
export function parseStates(response: unknown, icao24: string): LiveFlight | undefined {
  if (response === undefined) return undefined;
  const { states } = readAs("OpenSky", responseSchema, response);
  const own = states?.find((state) => Array.isArray(state) && String(state[0]).toLowerCase() === icao24);
  if (own === undefined) return undefined;
  const state = readAs("OpenSky", stateSchema, own);
  const [, callsign, , positionAt, contactAt, lon, lat, altitude, onGround, speed, heading, verticalRate] = state;
  return liveFlight("opensky", {
    icao24,
    callsign: callsign?.trim() ?? "",
    position: lat === null || lon === null ? undefined : { lat, lon },
    altitude: inUnit(altitude, metresAFoot),
    speed: inUnit(speed, metresASecondAKnot),
    heading,
    verticalRate: inUnit(verticalRate, metresAFoot / 60),
    onGround,
    seenAt: positionAt ?? contactAt,
  });
}

const metresAFoot = 0.3048;
const metresASecondAKnot = 1852 / 3600;

/** Converts a metric value to another unit, rounded to hundredths, because the metric value is not more accurate. */
function inUnit(metric: number | null, unit: number): number | null {
  return metric === null ? null : rounded(metric / unit, 2);
}
