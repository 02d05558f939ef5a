import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ReverseGeocodeResponseSchema } from "../../../gen/es/ids/infrastructure/v1/infrastructure_pb.ts";
import { Unavailable } from "../../errors.ts";
import { countryAt, drawnAt } from "../../reference/places/boundaries.ts";
import { loadLand } from "../../reference/places/land.ts";
import { loadPlaces, type NearestPlace } from "../../reference/places/places.ts";
import { type GeocodingProvider, providerGeocoder } from "./geocoding-provider.ts";

export type ReverseGeocoder = (
  latitude: number,
  longitude: number,
) => Promise<MessageInitShape<typeof ReverseGeocodeResponseSchema>>;

/** Without a provider, it works offline with boundaries, land, and places. */
export function createReverseGeocoder(
  options: { readonly provider?: GeocodingProvider; readonly places?: () => Promise<NearestPlace> } = {},
): ReverseGeocoder {
  return options.provider ? providerGeocoder(options.provider) : offlineGeocoder(options.places ?? loadPlaces);
}

/** Loading of the places starts immediately. The land is loaded with the first point that may be near a coast. */
function offlineGeocoder(load: () => Promise<NearestPlace>): ReverseGeocoder {
  const places = loadedOnce(load, "The populated places cannot be loaded");
  const land = loadedOnce(loadLand, "The land of the world cannot be loaded");
  // Each caller gets the failure. This handler only prevents an unhandled rejection before the first call.
  places().catch(() => undefined);
  return async (latitude, longitude) => {
    if (!drawnAt(latitude, longitude)) return {};
    const [isNearLand, nearestPlace] = await Promise.all([land(), places()]);
    const country = countryAt(latitude, longitude, () => isNearLand);
    if (!country) return {};
    const place = nearestPlace(latitude, longitude, country.alpha2);
    const displayName = place && place !== country.name ? `${place}, ${country.name}` : country.name;
    return { country: country.name, code: country.alpha2, displayName };
  };
}

/** Loads once. After a failure, the next call loads again. */
function loadedOnce<T>(load: () => Promise<T>, failure: string): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= load().catch((cause: unknown) => {
      loading = undefined;
      throw new Unavailable(failure, { cause, retryAfterSeconds: 5 });
    });
    return loading;
  };
}
