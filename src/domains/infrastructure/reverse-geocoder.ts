import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ReverseGeocodeResponseSchema } from "../../../gen/es/ids/infrastructure/v1/infrastructure_pb.ts";
import { Unavailable } from "../../errors.ts";
import { countryAt } from "../../reference/boundaries.ts";
import { loadPlaces, type NearestPlace } from "../../reference/places.ts";
import { type GeocodingProvider, providerGeocoder } from "./geocoding-provider.ts";

/** Names the country and the nearest place of a point. */
export type ReverseGeocoder = (
  latitude: number,
  longitude: number,
) => Promise<MessageInitShape<typeof ReverseGeocodeResponseSchema>>;

/** Offline, from boundaries and places that begin to load at once; with a provider, from its answers. */
export function createReverseGeocoder(options: { readonly provider?: GeocodingProvider } = {}): ReverseGeocoder {
  return options.provider ? providerGeocoder(options.provider) : offlineGeocoder();
}

function offlineGeocoder(): ReverseGeocoder {
  let loading: Promise<NearestPlace> | undefined;
  const places = (): Promise<NearestPlace> => {
    loading ??= loadPlaces().catch((cause: unknown) => {
      // The next one who asks begins again.
      loading = undefined;
      throw new Unavailable("The populated places cannot be loaded", { cause, retryAfterSeconds: 5 });
    });
    return loading;
  };
  // Whoever asks gets the failure; this only keeps it from ending the process before anybody does.
  places().catch(() => undefined);
  return async (latitude, longitude) => {
    const country = countryAt(latitude, longitude);
    if (!country) return {};
    const place = (await places())(latitude, longitude, country.alpha2);
    const displayName = place && place !== country.name ? `${place}, ${country.name}` : country.name;
    return { country: country.name, code: country.alpha2, displayName };
  };
}
