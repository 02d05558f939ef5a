import { table } from "./table.ts";

/** A country that the sample has events of. */
export interface EventCountry {
  /** Three letters. */
  readonly code: string;
  readonly name: string;
  /** ISO 3166-1, without zeros before it. */
  readonly numeric: string;
  readonly region: string;
  /** As Uppsala's list of states has it; Palestine is counted to Israel there. */
  readonly uppsala: { readonly name: string; readonly number: number; readonly region: string };
  /** Shares of the events of their kind. */
  readonly weights: Readonly<Record<Scene, number>>;
}

/** What takes place in a town: fighting, or protest. */
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

/** The countries that have such events at all, with their shares. */
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
