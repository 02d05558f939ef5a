import { loadedOnce } from "../loaded-once.ts";
import { type PlaceQuery, placeQuery } from "./place-query.ts";
import { type PlaceBuffers, placeList, unpackCode } from "./places.ts";
import { outputOf } from "./prepared-output.ts";

export interface FoundPlace {
  readonly latitude: number;
  readonly longitude: number;
  /** The ISO 3166-1 alpha-2 code of the country. */
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

interface PlaceNames extends Pick<PlaceBuffers, "codes" | "coordinates" | "populations"> {
  readonly names: Lines;
  readonly areas: Lines;
}

const placeNames = loadedOnce(async (): Promise<PlaceNames> => {
  const { codes, coordinates, populations, plainNames, areas } = await outputOf(placeList);
  // Views of a larger buffer would keep that buffer in memory, so they are copied.
  const numbers = { codes: codes.slice(), coordinates: coordinates.slice(), populations: populations.slice() };
  return { ...numbers, names: linesOf(plainNames), areas: linesOf(areas) };
}, "The populated places cannot be loaded");

async function search(queries: readonly PlaceQuery[]): Promise<readonly (FoundPlace | undefined)[]> {
  const places = await placeNames();
  return queries.map((query) => foundPlace(query, (name) => candidatesNamed(name, places)));
}

function candidatesNamed(name: string, { names, areas, ...of }: PlaceNames): Candidate[] {
  return linesEqual(names, name).map((place) => {
    const country = unpackCode(of.codes[place] ?? 0);
    const [longitude = 0, latitude = 0] = of.coordinates.subarray(2 * place);
    return {
      latitude,
      longitude,
      country,
      areas: [country, lineAt(areas, place)],
      population: of.populations[place] ?? 0,
    };
  });
}

/** The lines of a text as bytes. The number of a line is found in less than a millisecond. */
interface Lines {
  /** The text with a line break before and after each line. */
  readonly bytes: Buffer;
  /** The offset at which each line starts, and the offset of the end of the text. */
  readonly starts: Uint32Array;
}

const lineBreak = 10;

function linesOf(text: Uint8Array): Lines {
  const bytes = Buffer.concat([Buffer.of(lineBreak), text, Buffer.of(lineBreak)]);
  const starts: number[] = [];
  for (let at = 0; at >= 0; at = bytes.indexOf(lineBreak, at + 1)) starts.push(at + 1);
  return { bytes, starts: Uint32Array.from(starts) };
}

function lineAt({ bytes, starts }: Lines, line: number): string {
  return bytes.toString("utf8", starts[line], (starts[line + 1] ?? 1) - 1);
}

function linesEqual({ bytes, starts }: Lines, text: string): number[] {
  const found: number[] = [];
  const wanted = Buffer.from(`\n${text}\n`);
  for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + 1))
    found.push(lineFrom(starts, at + 1));
  return found;
}

/** Returns the number of the line that begins at an offset. */
function lineFrom(starts: Uint32Array, offset: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function foundPlace(
  { names, within, minInhabitants }: PlaceQuery,
  candidatesOf: (name: string) => readonly Candidate[],
): FoundPlace | undefined {
  const fitting = names
    .flatMap(candidatesOf)
    .filter(({ population }) => population >= minInhabitants)
    .filter(({ areas }) => within.every((alternatives) => areas.some((area) => alternatives.includes(area))));
  const best = fitting.reduce<Candidate | undefined>(
    (best, next) => (next.population > (best?.population ?? -1) ? next : best),
    undefined,
  );
  return best && { latitude: best.latitude, longitude: best.longitude, country: best.country };
}
