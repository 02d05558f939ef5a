import { type Country, countries } from "../countries/countries.ts";
import { libraries } from "../libraries.ts";
import { disputedAreas, recognisedCode } from "./disputed-areas.ts";
import { type IsNearLand, landHere } from "./land.ts";

/** Returns the country or territory of a point on land or near a coast. Undefined for the open sea and Antarctica. */
export function countryAt(
  latitude: number,
  longitude: number,
  isNearLand: () => IsNearLand = landHere,
): Country | undefined {
  const country = drawnAt(latitude, longitude);
  return country && isNearLand()(latitude, longitude, country.alpha2) ? country : undefined;
}

/** Returns the country in whose drawn boundaries a point is. These include waters far from the coast. */
export function drawnAt(latitude: number, longitude: number): Country | undefined {
  // The data has the 180th meridian only as -180.
  const found = libraries
    .countryCoder()
    .feature([longitude === 180 ? -180 : longitude, latitude], { level: "subterritory" });
  const drawnAs = found && codes().get(found.properties.id);
  return drawnAs ? countries.get(recognisedCode(drawnAs, latitude, longitude)) : undefined;
}

const corrected = new Map(
  disputedAreas.flatMap(({ code, covers }) => ("feature" in covers ? [[covers.feature, code] as const] : [])),
);

let codesHere: ReadonlyMap<string, string> | undefined;

/** Returns the country code of each feature. If it has none, the smallest group with a code counts. */
function codes(): ReadonlyMap<string, string> {
  codesHere ??= new Map(
    libraries.countryCoder().borders.features.flatMap(({ properties }: Drawn) => {
      const { id, iso1A2, groups, country } = properties;
      const code = corrected.get(id) ?? [iso1A2, ...groups, country].find((key) => key && countries.has(key));
      return code && code !== "AQ" ? [[id, code] as const] : [];
    }),
  );
  return codesHere;
}

interface Drawn {
  readonly properties: {
    readonly id: string;
    readonly iso1A2: string | undefined;
    readonly groups: readonly string[];
    readonly country: string | undefined;
  };
}
