import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ResolvedPlaceSchema,
  ResolvePlaceRequest,
  ResolvePlaceResponseSchema,
} from "../../../gen/es/ids/infrastructure/v1/infrastructure_pb.ts";
import { invalidField } from "../../errors.ts";
import { countries, countryOf } from "../../reference/countries/countries.ts";
import { visibleText } from "../../reference/countries/country-names.ts";
import { loadedOnce } from "../../reference/loaded-once.ts";
import { loadPlaces } from "../../reference/places/places.ts";
import { loadRegionAt } from "../../reference/places/region-at.ts";
import { loadRegions, type Region, type Regions } from "../../reference/places/regions.ts";
import { offlinePlaces } from "./offline-places.ts";

type Place = MessageInitShape<typeof ResolvedPlaceSchema>;

/** Creates the handler of ResolvePlace. The lists are loaded for the first request that needs them. */
export function createPlaceResolver() {
  const { placeAt } = offlinePlaces(loadPlaces);
  const regionFinder = loadedOnce(loadRegionAt, "The regions of places cannot be loaded");
  return async (request: ResolvePlaceRequest): Promise<MessageInitShape<typeof ResolvePlaceResponseSchema>> => {
    const { place, country: within } = request;
    const point = pointOf(request);
    const places = point ? await pointPlaces(point) : placesNamed(place, await loadRegions());
    return { places: places.filter(({ country }) => within === "" || country === within) };
  };

  async function pointPlaces([latitude, longitude]: Point): Promise<Place[]> {
    const found = await placeAt(latitude, longitude);
    if (!found) return [];
    const country = found.country.alpha2;
    const [{ byCode }, regionAt] = await Promise.all([loadRegions(), regionFinder()]);
    return [placeOf(country, byCode.get(regionAt(latitude, longitude, country) ?? ""))];
  }
}

type Point = readonly [latitude: number, longitude: number];

/** Returns the point of a request; undefined if it has a name. Throws `InvalidRequest` if it has both or neither. */
function pointOf({ place, lat, lon }: ResolvePlaceRequest): Point | undefined {
  const isNamed = visibleText(place) !== "";
  if (lat !== undefined && lon !== undefined && !isNamed) return [lat, lon];
  if (lat === undefined && lon === undefined && isNamed) return undefined;
  const description = isNamed
    ? "value must be absent with lat or lon: send either a name or a point"
    : "value is required, unless both lat and lon are set";
  throw invalidField("place", description);
}

/** Returns the country and all regions whose name or code is this text. */
function placesNamed(text: string, { byCode, named }: Regions): Place[] {
  const country = countryOf(text);
  const coded = byCode.get(visibleText(text).toUpperCase());
  const regions = coded ? [coded] : named(text).toSorted((a, b) => (a.code < b.code ? -1 : 1));
  return [...(country ? [placeOf(country.alpha2)] : []), ...regions.map((region) => placeOf(region.country, region))];
}

function placeOf(country: string, region?: Region): Place {
  return {
    country,
    countryName: countries.get(country)?.name ?? "",
    ...(region && { admin1Code: region.code, admin1Name: region.name }),
  };
}
