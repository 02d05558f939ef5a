import { table } from "./table.ts";

/** A country with events in the sample. */
export interface EventCountry {
  /** ISO 3166-1 alpha-3 code. */
  readonly code: string;
  readonly name: string;
  /** ISO 3166-1 numeric code without leading zeros. */
  readonly numeric: string;
  readonly region: string;
  /** Entry in Uppsala's list of states. Palestine is part of Israel there. */
  readonly uppsala: { readonly name: string; readonly number: number; readonly region: string };
  /** Weight of the country among the events of a scene. */
  readonly weights: Readonly<Record<Scene, number>>;
}

/** Kind of events in a town: fighting or protest. */
export type Scene = "conflict" | "unrest";

export interface Town {
  readonly name: string;
  readonly area: string;
  readonly latitude: number;
  readonly longitude: number;
}

const townRows = table<"country" | "town" | "area" | "latitude" | "longitude" | "scene">("towns");
const townsBy = Map.groupBy(townRows, ({ country, scene }) => `${country} ${scene}`);

const countries: readonly EventCountry[] = table<
  "code" | "name" | "numeric" | "region" | "uppsala_name" | "uppsala_number" | "uppsala_region" | "conflict" | "unrest"
>("event-countries").map((row) => ({
  code: row.code,
  name: row.name,
  numeric: row.numeric,
  region: row.region,
  uppsala: { name: row.uppsala_name, number: Number(row.uppsala_number), region: row.uppsala_region },
  weights: { conflict: Number(row.conflict), unrest: Number(row.unrest) },
}));

/** Returns the countries that have events of a scene, with their weights. */
export function countriesOf(scene: Scene): readonly (readonly [EventCountry, number])[] {
  return countries.filter(({ weights }) => weights[scene] > 0).map((country) => [country, country.weights[scene]]);
}

export function townsOf({ code }: EventCountry, scene: Scene): readonly Town[] {
  return (townsBy.get(`${code} ${scene}`) ?? []).map(({ town, area, latitude, longitude }) => ({
    name: town,
    area,
    latitude: Number(latitude),
    longitude: Number(longitude),
  }));
}
