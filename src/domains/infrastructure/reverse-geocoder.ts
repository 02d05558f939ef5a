import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import {
  InfrastructureService,
  type ReverseGeocodeResponseSchema,
} from "../../../gen/es/ids/infrastructure/v1/infrastructure_pb.ts";
import { UpstreamError } from "../../egress/upstream-error.ts";
import type { LiveSource } from "../../ingest/source.ts";
import { countries } from "../../reference/countries/countries.ts";
import { dayMs } from "../../reference/duration.ts";
import { recognisedCode } from "../../reference/places/disputed-areas.ts";
import { loadPlaces, type NearestPlace } from "../../reference/places/places.ts";
import { rateGate } from "../../upstream/rate-gate.ts";
import { readThrough } from "../../upstream/read-through.ts";
import type { Upstream } from "../../upstream/upstream.ts";
import { offlinePlaces } from "./offline-places.ts";

export interface GeocodingProvider {
  /** The base URL of the geocoding server, such as `https://nominatim.example.org`. */
  readonly url: string;
  /** The user agent. The usage policy of Nominatim requires that it names the application and a contact. */
  readonly userAgent: string;
  readonly json: Upstream["json"];
  readonly clock: () => Date;
  readonly delay: (milliseconds: number) => Promise<void>;
}

/**
 * The geocoding provider as a source that is requested while a caller waits. If it is not configured, places are looked
 * up offline.
 */
export const geocoder: LiveSource = {
  name: "geocoder",
  license: {
    kind: "attribution",
    publisher: "OpenStreetMap",
    terms: "ODbL 1.0, OpenStreetMap contributors (Nominatim), or the terms of the service that is set",
  },
  inPlaceOfOwn: true,
  variables: ["IDS_GEOCODER_URL"],
  access: {
    signUp: "https://nominatim.org/",
    cost: "free with your own server; otherwise set by the service",
    quota: "1 request a second at the public service of OpenStreetMap",
    terms: "https://operations.osmfoundation.org/policies/nominatim/",
    rejection: "The service received too many requests, or requests without a contact: set IDS_OPERATOR_CONTACT.",
  },
  serves: [InfrastructureService.method.reverseGeocode],
};

type Response = MessageInitShape<typeof ReverseGeocodeResponseSchema>;

const betweenRequestsMs = 1_000;
const maxWaitMs = 5_000;
const timeoutMs = 8_000;
const maxResponses = 10_000;
const ttlMs = 7 * dayMs;

/** Creates a geocoder that requests the provider. It caches responses, and returns failures in `error`. */
function providerGeocoder(provider: GeocodingProvider): (lat: number, lon: number) => Promise<Response> {
  const waitTurn = rateGate({
    name: "The geocoding provider",
    max: 1,
    withinMs: betweenRequestsMs,
    maxWaitMs,
    clock: provider.clock,
    wait: provider.delay,
  });
  const responses = readThrough<Point, Response>({
    key: ({ latitude, longitude }) => `${latitude},${longitude}`,
    async call(point) {
      await waitTurn();
      return read(await sendRequest(provider, point), point);
    },
    ttlMs: () => ttlMs,
    maxEntries: maxResponses,
    // This cache needs no limit for concurrent requests, because the rate gate limits the requests.
    maxConcurrency: Number.POSITIVE_INFINITY,
    clock: provider.clock,
  });
  return async (latitude, longitude) => {
    const point = { latitude, longitude: longitude === 180 ? -180 : longitude };
    try {
      return await responses.read(point);
    } catch (error) {
      if (error instanceof UpstreamError) return { error: error.message };
      throw error;
    }
  };
}

interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** Requests the location of a point. Errors omit the URL, because it may contain a key. */
async function sendRequest({ url, userAgent, json }: GeocodingProvider, { latitude, longitude }: Point) {
  const query = new URLSearchParams({
    format: "json",
    lat: String(latitude),
    lon: String(longitude),
    zoom: "10",
    "accept-language": "en",
  });
  try {
    // The provider accepts one request per second, so a failed request is not repeated.
    return await json({
      url: `${url}/reverse?${query}`,
      headers: { "user-agent": userAgent },
      timeoutMs,
      tries: 1,
      callerWaits: true,
    });
  } catch (cause) {
    if (!(cause instanceof UpstreamError)) throw cause;
    const { status } = cause;
    throw new UpstreamError(`The geocoding provider ${status ? `returned ${status}` : "did not respond"}`, { cause });
  }
}

const responseSchema = z.union([
  z.object({ error: z.literal("Unable to geocode") }),
  z.object({
    display_name: z.string(),
    address: z.looseObject({ country: z.string().optional(), country_code: z.string() }),
  }),
]);

function read(body: unknown, { latitude, longitude }: Point): Response {
  const response = responseSchema.safeParse(body);
  if (!response.success) throw new UpstreamError("The response of the geocoding provider has another format");
  if ("error" in response.data) return {};
  const { display_name: displayName, address } = response.data;
  const parts = Object.entries(address).flatMap(([key, value]) => (key.startsWith("ISO3166-2") ? [value] : []));
  const drawnAs =
    parts.map((part) => territories.get(String(part))).find(Boolean) ?? address.country_code.toUpperCase();
  const country = countries.get(recognisedCode(drawnAs, latitude, longitude));
  if (!country) throw new UpstreamError("The geocoding provider named a country without an ISO 3166-1 code");
  return { country: country.name, code: country.alpha2, displayName: displayName || country.name };
}

/** The codes of subdivisions (ISO 3166-2) that ISO 3166-1 lists as countries or territories. */
const territories = new Map(
  `CN-HK CN-MO CN-TW FI-01=AX FR-BL FR-MF FR-NC FR-PF FR-PM FR-TF FR-WF FR-GF FR-GP FR-MQ FR-RE FR-YT FR-971=GP
  FR-972=MQ FR-973=GF FR-974=RE FR-976=YT NL-AW NL-CW NL-SX NL-BQ1=BQ NL-BQ2=BQ NL-BQ3=BQ NO-21=SJ NO-22=SJ US-AS US-GU
  US-MP US-PR US-UM US-VI`
    .split(/\s+/)
    .map((entry) => [entry.replace(/=.*/, ""), entry.slice(-2)]),
);

export type ReverseGeocoder = (
  latitude: number,
  longitude: number,
) => Promise<MessageInitShape<typeof ReverseGeocodeResponseSchema>>;

/** Creates a geocoder. Without a provider, it uses the offline data of boundaries, land, and places. */
export function createReverseGeocoder(
  options: { readonly provider?: GeocodingProvider; readonly places?: () => Promise<NearestPlace> } = {},
): ReverseGeocoder {
  return options.provider ? providerGeocoder(options.provider) : offlineGeocoder(options.places ?? loadPlaces);
}

/** Creates the offline geocoder. It loads the places at once, and the land for the first point that may need it. */
function offlineGeocoder(load: () => Promise<NearestPlace>): ReverseGeocoder {
  const { placeAt, places } = offlinePlaces(load);
  // Callers await this promise later and get its error. Until then, it must not count as an unhandled rejection.
  places().catch(() => undefined);
  return async (latitude, longitude) => {
    const found = await placeAt(latitude, longitude);
    if (!found) return {};
    const { country, nearest } = found;
    const displayName = nearest && nearest !== country.name ? `${nearest}, ${country.name}` : country.name;
    return { country: country.name, code: country.alpha2, displayName };
  };
}
