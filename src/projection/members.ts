import type { Fuel } from "./fuel.ts";
import { isArray, isObject, type Json, type JsonObject, type Size } from "./value.ts";

/** The engine goes through a few named members in no time; of larger objects it lists them anew each time. */
const maxSmall = 16;
const small: readonly Size[] = Array.from({ length: maxSmall + 1 }, (_, members) => ({ members, cost: 2 * members }));

/**
 * The size of an object. The first look at a large one costs what going through it costs and is remembered, for it may be asked
 * a million times through references.
 */
export function sizeOf(object: JsonObject, fuel: Fuel): Size {
  const known = fuel.sizes.get(object);
  if (known) return known;
  let members = 0;
  let indexed = false;
  for (const name in object) {
    if (members === 0) indexed = isIndex(name);
    members += 1;
  }
  const ordinary = indexed ? undefined : small[members];
  if (ordinary) return ordinary;
  const indexes = indexed ? Object.keys(object).filter(isIndex).length : 0;
  // Numbers as names are kept in order, with room for those between them: it is looked through as well.
  const size = { members, cost: 2 * members + (indexes > 0 ? 64 + 6 * indexes : 0) };
  fuel.sizes.set(object, size);
  fuel.spend(size.cost);
  return size;
}

/** The names of the members, in 2 units for each; of numbers as names in 8, and 64 for the object. */
export function namesOf(object: JsonObject, fuel: Fuel): readonly string[] {
  fuel.spend(sizeOf(object, fuel).cost);
  return Object.keys(object);
}

/** Whether the engine may take a name for the place in a list. Of an object's names these come first. */
export function isIndex(name: string): boolean {
  const first = name.charCodeAt(0);
  return first >= 48 && first <= 57;
}

/** What writing a member costs: the engine may make room for all places below a number, and leaves its ways for `__proto__`. */
export function writeCost(name: string): number {
  if (name === "__proto__") return 16;
  return isIndex(name) ? 8 + (Math.min(Number(name), 512) >> 2) : 2;
}

/** What writing the members of an object of these names costs: one of many becomes a table, which is dearer to fill. */
export function writeCosts(names: readonly string[]): number {
  const table = names.length > maxSmall ? 2 * names.length : 0;
  return names.reduce((total, name) => total + writeCost(name), table);
}

/** All but `null`, `false` and what is empty; zero is true. One unit of whoever asks pays for it. */
export function isTrue(value: Json, fuel: Fuel): boolean {
  if (isArray(value)) return value.length > 0;
  if (isObject(value)) return sizeOf(value, fuel).members > 0;
  return value !== null && value !== false && value !== "";
}
