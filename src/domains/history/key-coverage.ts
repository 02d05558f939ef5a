import type { Series } from "../../ingest/series/dataset-series.ts";
import { countries, countryOf } from "../../reference/countries/countries.ts";
import { europeanUnion, unionCode, wtoUnion } from "../../reference/countries/european-union.ts";
import { type PointsWanted, readTopicKeys } from "../../store/history/stored-points.ts";
import type { Store } from "../../store/tables.ts";

interface KeyCoverage {
  readonly unknownKeys: string[];
  /** Requested keys that have no value yet but may get one later. */
  readonly pending: string[];
  readonly isLoaded: boolean;
  /** Why requested keys have no values. Empty if all of them have values. */
  readonly note: string;
  /** Other series on the same topic that have values for some of the missing keys. */
  readonly relatedSeries: string[];
}

/** Returns a key as the series spells it: in upper case, with a country as its alpha-2 code. */
export function keyOf({ keyParts, unionKey }: Pick<Series, "keyParts" | "unionKey">, text: string): string {
  const [first = "", ...rest] = text.trim().toUpperCase().split("/");
  const code = first === wtoUnion ? unionCode : (isOfCountries(keyParts) && countryOf(first)?.alpha2) || first;
  return [unionKey !== undefined && europeanUnion.includes(code) ? unionKey : code, ...rest].join("/");
}

/** Divides the requested keys without values into unknown ones, which never get a value, and pending ones. */
export async function keyCoverage(
  database: Store,
  { id, keyParts, isCount, keys: fixed }: Pick<Series, "id" | "keyParts" | "keys" | "isCount">,
  { origin, keys }: Pick<PointsWanted, "origin" | "keys">,
): Promise<KeyCoverage> {
  const topic = await readTopicKeys(database, { series: id, origin });
  const has = (stored: readonly string[], key: string) =>
    stored.some((one) => one === key || one.startsWith(`${key}/`));
  const own = topic.get(id) ?? [];
  const covered = fixed ?? [...new Set(own.map(firstPart))];
  const mayCome = (key: string) => {
    if (key.split("/").length > keyParts.length || (isOfCountries(keyParts) && !isPlace(firstPart(key)))) return false;
    // A count does not list a country before its first event, so the key of such a country is pending, not unknown.
    return fixed?.includes(key) ?? (own.length === 0 || isCount === true);
  };
  const [pending = [], unknownKeys = []] = [true, false].map((wanted) =>
    keys.filter((key) => !has(own, key) && mayCome(key) === wanted),
  );
  const relatedSeries = [...topic]
    .filter(([, stored]) => unknownKeys.some((key) => has(stored, key)))
    .map(([series]) => series);
  const isOutside = (key: string) => isPlace(firstPart(key)) && covered.length > 0 && !covered.includes(firstPart(key));
  const [outside, unknown] = [unknownKeys.filter(isOutside), unknownKeys.filter((key) => !isOutside(key))];
  const extent =
    covered.length > 3 ? `${covered.length} ${isOfCountries(keyParts) ? "countries" : "keys"}` : listOf(covered);
  const among = outside.length === 1 ? "is not one of them" : "are not among them";
  const isListable = covered.length > (unknown.length > 0 ? 0 : 3) && covered.length <= 50;
  const note = [
    outside.length > 0 && `${id} covers ${extent}; ${listOf(outside)} ${among}.`,
    unknown.length > 0 && `Unknown key of ${id}: ${listOf(unknown)}.`,
    unknownKeys.length > 0 && isListable && `Use one of: ${covered.join(", ")}.`,
    relatedSeries.length > 0 && `Related series with values: ${listOf(relatedSeries)}.`,
  ].filter((text) => text !== false);
  return { unknownKeys, pending, isLoaded: own.length > 0, note: note.join(" "), relatedSeries };
}

function isOfCountries([first]: Series["keyParts"]): boolean {
  return first === "country" || first === "reporter";
}

/** Returns whether a code is that of a country or of the European Union, which is a key of some series. */
function isPlace(code: string): boolean {
  return countries.has(code) || code === unionCode;
}

function firstPart(key: string): string {
  return key.split("/", 1)[0] ?? key;
}

export function listOf(items: readonly string[]): string {
  return new Intl.ListFormat("en").format(items);
}
