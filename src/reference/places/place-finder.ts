import { type PlaceQuery, placeQuery } from "./place-query.ts";
import { type PlaceBuffers, placeList, unpackCode } from "./places.ts";
import { outputOf } from "./prepared-output.ts";

export interface FoundPlace {
  readonly latitude: number;
  readonly longitude: number;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
}

/** Finds places by texts such as `Austin, TX`. A text without a known place is absent from the result. */
export async function findPlaces(texts: Iterable<string>): Promise<ReadonlyMap<string, FoundPlace>> {
  const queries = [...new Set(texts)].flatMap((text) => {
    const query = placeQuery(text);
    return query ? [{ text, query }] : [];
  });
  const found = queries.length === 0 ? [] : await search(queries.map(({ query }) => query));
  return new Map(
    queries.flatMap(({ text }, index) => {
      const place = found[index];
      return place ? [[text, place]] : [];
    }),
  );
}

interface Candidate extends FoundPlace {
  readonly areas: readonly string[];
  readonly population: number;
}

/** The list of places is read for each search and not held in memory, because searches are rare. */
async function search(queries: readonly PlaceQuery[]): Promise<readonly (FoundPlace | undefined)[]> {
  const candidates = candidatesFor(new Set(queries.flatMap(({ names }) => names)), await outputOf(placeList));
  return queries.map((query) => foundPlace(query, candidates));
}

function candidatesFor(
  wanted: ReadonlySet<string>,
  { codes, coordinates, populations, plainNames, areas }: PlaceBuffers,
): ReadonlyMap<string, readonly Candidate[]> {
  const candidates = new Map<string, Candidate[]>();
  const areaOf = linesOf(areas);
  for (const [place, name] of linesOf(plainNames).entries()) {
    if (!wanted.has(name)) continue;
    const country = unpackCode(codes[place] ?? 0);
    const [longitude = 0, latitude = 0] = coordinates.subarray(2 * place);
    const population = populations[place] ?? 0;
    const candidate = { latitude, longitude, country, areas: [country, areaOf[place] ?? ""], population };
    candidates.set(name, [...(candidates.get(name) ?? []), candidate]);
  }
  return candidates;
}

function linesOf(text: Uint8Array): string[] {
  return new TextDecoder().decode(text).split("\n");
}

function foundPlace(
  { names, within, minInhabitants }: PlaceQuery,
  candidates: ReadonlyMap<string, readonly Candidate[]>,
): FoundPlace | undefined {
  const fitting = names
    .flatMap((name) => candidates.get(name) ?? [])
    .filter(({ population }) => population >= minInhabitants)
    .filter(({ areas }) => within.every((alternatives) => areas.some((area) => alternatives.includes(area))));
  const best = fitting.reduce<Candidate | undefined>(
    (best, next) => (next.population > (best?.population ?? -1) ? next : best),
    undefined,
  );
  return best && { latitude: best.latitude, longitude: best.longitude, country: best.country };
}
