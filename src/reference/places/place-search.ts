/** A program of its own: decodes the place list, looks for the places it is sent, answers and ends. */
import { plainName } from "../countries/country-names.ts";
import { recognisedCode } from "./disputed-areas.ts";
import type { FoundPlace } from "./place-finder.ts";
import type { PlaceQuery } from "./place-query.ts";
import { populatedPlaces } from "./populated-places.ts";

interface Candidate extends FoundPlace {
  readonly areas: readonly string[];
  readonly population: number;
}

process.once("message", (queries: readonly PlaceQuery[]) => {
  const candidates = candidatesFor(new Set(queries.flatMap(({ names }) => names)));
  const found = queries.map((query) => foundPlace(query, candidates) ?? null);
  // A parent that has gone meanwhile is no failure.
  process.send?.(found, () => process.connected && process.disconnect());
});
process.on("error", () => undefined);

function candidatesFor(wanted: ReadonlySet<string>): ReadonlyMap<string, readonly Candidate[]> {
  const candidates = new Map<string, Candidate[]>();
  for (const { name, country, adminCode, population, loc } of populatedPlaces) {
    const plain = plainName(name);
    if (!wanted.has(plain)) continue;
    const [longitude, latitude] = loc.coordinates;
    const code = recognisedCode(country, latitude, longitude);
    const candidate = { latitude, longitude, country: code, areas: [code, `${country}-${adminCode}`], population };
    candidates.set(plain, [...(candidates.get(plain) ?? []), candidate]);
  }
  return candidates;
}

/** Of the places with one of the names that lie in every area named, the most populous. */
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
