import type { Fuel } from "./fuel.ts";
import { namesOf, sizeOf } from "./members.ts";
import { isArray, isObject, type Json, type JsonArray, type JsonObject } from "./value.ts";

/** Whether two values are deeply equal, regardless of the order of members. */
export function isEqual(one: Json, other: Json, fuel: Fuel): boolean {
  fuel.spend(1);
  if (typeof one === "string" && typeof other === "string" && one.length === other.length) fuel.spendText(one.length);
  if (one === other) return true;
  if (isArray(one)) return isArray(other) && isEqualArray(one, other, fuel);
  return isObject(one) && isObject(other) && isEqualObject(one, other, fuel);
}

function isEqualArray(one: JsonArray, other: JsonArray, fuel: Fuel): boolean {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index++)
    if (!isEqual(one[index] ?? null, other[index] ?? null, fuel)) return false;
  return true;
}

function isEqualObject(one: JsonObject, other: JsonObject, fuel: Fuel): boolean {
  const { members } = sizeOf(one, fuel);
  if (members !== sizeOf(other, fuel).members) return false;
  fuel.spend(2 * members);
  for (const name of namesOf(one, fuel))
    if (!Object.hasOwn(other, name) || !isEqual(one[name] ?? null, other[name] ?? null, fuel)) return false;
  return true;
}

/** An ascending order of numbers, or of strings by code point. */
export type Order<T> = (one: T, other: T) => number;

export function numberOrder(one: number, other: number): number {
  return one - other;
}

/** Returns the order for these strings. The engine compares UTF-16 units, which differs only above U+D7FF. */
export function textOrder(texts: readonly string[], fuel: Fuel): Order<string> {
  let characters = 0;
  for (const text of texts) characters += text.length;
  // Each string takes part in log2(n) comparisons, with strings that are no longer than it.
  fuel.spendText(characters * Math.ceil(Math.log2(texts.length + 1)));
  return texts.some((text) => /[\ud800-\uffff]/.test(text)) ? byCodePoint : byUnit;
}

function byUnit(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

function byCodePoint(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  for (let index = 0; index < length; index++) {
    const difference = rank(one.charCodeAt(index)) - rank(other.charCodeAt(index));
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}

/** Ranks surrogates, which encode the highest code points, after all other units. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
