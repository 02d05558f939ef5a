import { asBytes, type JsonBytes } from "../contract/json.ts";
import type { Fuel } from "./fuel.ts";
import { isIndex, sizeOf } from "./members.ts";
import { ProjectionFailed } from "./projection-errors.ts";
import { isArray, type Json } from "./value.ts";

/** Largest projection, in UTF-8 bytes of its JSON. */
const maxProjection = 262_144;

/**
 * The JSON of a projection. One that is too large is given up, mostly before anything is
 * written: the size told is the first one known to be beyond the limit.
 */
export function serialize(value: Json, fuel: Fuel): JsonBytes {
  const size = minSize(value, maxProjection, fuel, 0.5);
  if (size > maxProjection) throw tooLarge(size);
  // Escapes and long numbers can make the text larger than that, twelvefold at most.
  const text = asBytes(JSON.stringify(value));
  if (text.length > maxProjection) throw tooLarge(text.length);
  return text;
}

/** The JSON of a value as a string of an expression. Two characters are a unit: there may be a value in each. */
export function textOf(value: Json, fuel: Fuel): string {
  fuel.spend(minSize(value, 2 * fuel.left, fuel, 1) >> 1);
  const text = JSON.stringify(value);
  fuel.spendText(text.length);
  return text;
}

/**
 * What the JSON of a value takes at least, shared parts wherever they stand; counted until it is more than `enough`. Lists and
 * objects take `each` of a unit, and what is dear about members whose names are numbers.
 */
function minSize(value: Json, enough: number, fuel: Fuel, each: number): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null)
    return typeof value !== "number" ? 4 : Number.isSafeInteger(value) ? 1 : 3;
  fuel.spend(each);
  let size = 1;
  if (isArray(value)) {
    for (let index = 0; index < value.length && size <= enough; index++)
      size += 1 + minSize(value[index] ?? null, enough - size, fuel, each);
    return Math.max(size, 2);
  }
  for (const name in value) {
    // Such members come first, and here and in the writing are each looked up by themselves.
    if (size === 1 && isIndex(name)) fuel.spend(2 * sizeOf(value, fuel).cost);
    const member = value[name] ?? null;
    size +=
      name.length + 4 + (typeof member === "string" ? member.length + 2 : minSize(member, enough - size, fuel, each));
    if (size > enough) break;
  }
  return Math.max(size, 2);
}

function tooLarge(size: number): ProjectionFailed {
  return new ProjectionFailed("projection_too_large", `${size} > ${maxProjection}`);
}
