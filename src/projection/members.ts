import type { Fuel } from "./fuel.ts";
import { isArray, isObject, type Json, type JsonObject, type Size } from "./value.ts";

/** The engine enumerates few named members quickly. It lists larger objects again each time. */
const maxSmall = 16;
const small: readonly Size[] = Array.from({ length: maxSmall + 1 }, (_, members) => ({ members, cost: 2 * members }));

/**
 * Returns the size of an object. The first visit to a large object costs as much as enumerating it. The size is cached,
 * because references may visit it a million times.
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
  // Numeric names are kept in an ordered array with gaps, which are visited as well.
  const size = { members, cost: 2 * members + (indexes > 0 ? 64 + 6 * indexes : 0) };
  fuel.sizes.set(object, size);
  fuel.spend(size.cost);
  return size;
}

/** Returns the names of the members. Each costs 2 units, a numeric name 8, and an object with numeric names 64. */
export function namesOf(object: JsonObject, fuel: Fuel): readonly string[] {
  fuel.spend(sizeOf(object, fuel).cost);
  return Object.keys(object);
}

/** Whether the engine may treat a name as an array index. An object lists these names first. */
export function isIndex(name: string): boolean {
  const first = name.charCodeAt(0);
  return first >= 48 && first <= 57;
}

/**
 * Cost of writing a member. The engine may allocate an array up to a numeric name, and `__proto__` takes a slow path.
 */
export function writeCost(name: string): number {
  if (name === "__proto__") return 16;
  return isIndex(name) ? 8 + (Math.min(Number(name), 512) >> 2) : 2;
}

/** Cost of writing an object with these names. An object with many members becomes a hash table, which costs more. */
export function writeCosts(names: readonly string[]): number {
  const table = names.length > maxSmall ? 2 * names.length : 0;
  return names.reduce((total, name) => total + writeCost(name), table);
}

/**
 * Implements truth of JMESPath: `null`, `false` and empty values are false; zero is true. The caller spends one unit
 * for it.
 */
export function isTrue(value: Json, fuel: Fuel): boolean {
  if (isArray(value)) return value.length > 0;
  if (isObject(value)) return sizeOf(value, fuel).members > 0;
  return value !== null && value !== false && value !== "";
}
