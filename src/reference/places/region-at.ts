import { around } from "geokdbush";
import KDBush from "kdbush";
import { packCode } from "./places.ts";
import { type ListProgram, outputOf } from "./prepared-output.ts";

/** Populated places with their regions: about 3 MB for 170,000 places. */
export interface RegionPlaces {
  /** A `KDBush` index of the places by longitude and latitude. */
  readonly index: ArrayBufferLike;
  readonly countries: Uint16Array;
  /** Position of each place's region in `codes`. */
  readonly regions: Uint16Array;
  /** ISO 3166-2 codes of regions. The first one is empty, for places whose region is unknown. */
  readonly codes: readonly string[];
}

export const regionPlaceList: ListProgram<RegionPlaces> = {
  name: "region-places",
  url: new URL("./region-place-list.ts", import.meta.url),
};

/** Returns the ISO 3166-2 code of the region of a point; undefined if it is not certain. */
export type RegionAt = (latitude: number, longitude: number, country: string) => string | undefined;

const reachKm = 50;
/** This number of nearest places must agree. With 3, 0.7 % of codes are wrong, 15 % unknown. With 1, 4 % are wrong. */
const witnesses = 3;

export async function loadRegionAt(): Promise<RegionAt> {
  const { index, ...places } = await outputOf(regionPlaceList);
  // Views of a larger buffer would keep that buffer in memory, so they are copied.
  const [countries, regions, codes] = [places.countries.slice(), places.regions.slice(), places.codes];
  const tree = KDBush.from(index);
  return (latitude, longitude, country) => {
    const code = packCode(country);
    const nearest = around(tree, longitude, latitude, witnesses, reachKm, (id) => countries[id] === code);
    const [region, ...others] = new Set(nearest.map((id) => regions[id] ?? 0));
    return nearest.length === witnesses && others.length === 0 ? codes[region ?? 0] || undefined : undefined;
  };
}
