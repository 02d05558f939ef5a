import type { Country } from "../../reference/countries/countries.ts";
import { loadedOnce } from "../../reference/loaded-once.ts";
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
