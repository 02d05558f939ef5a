import { Unavailable } from "../../errors.ts";
import type { Country } from "../../reference/countries/countries.ts";
import { countryAt, drawnAt } from "../../reference/places/boundaries.ts";
import { loadLand } from "../../reference/places/land.ts";
import type { NearestPlace } from "../../reference/places/places.ts";

export interface PlaceAtPoint {
  readonly country: Country;
  /** Name of the nearest populated place in the country. */
  readonly nearest: string | undefined;
}

/** Creates lookups in the offline data of boundaries, land, and places. Each list is loaded at its first use. */
export function offlinePlaces(load: () => Promise<NearestPlace>) {
  const places = loadedOnce(load, "The populated places cannot be loaded");
  const land = loadedOnce(loadLand, "The land of the world cannot be loaded");
  const placeAt = async (latitude: number, longitude: number): Promise<PlaceAtPoint | undefined> => {
    if (!drawnAt(latitude, longitude)) return undefined;
    const [isNearLand, nearestPlace] = await Promise.all([land(), places()]);
    const country = countryAt(latitude, longitude, () => isNearLand);
    return country && { country, nearest: nearestPlace(latitude, longitude, country.alpha2) };
  };
  return { placeAt, places };
}

/** Returns a function that loads data at its first call. If loading fails, the next call tries again. */
export function loadedOnce<T>(load: () => Promise<T>, failure: string): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= load().catch((cause: unknown) => {
      loading = undefined;
      throw new Unavailable(failure, { cause, retryAfterSeconds: 5 });
    });
    return loading;
  };
}
