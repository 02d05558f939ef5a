import { asBytes, type JsonBytes } from "../contract/json.ts";
import type { Fuel } from "./fuel.ts";
import { isIndex, sizeOf } from "./members.ts";
import { ProjectionFailed } from "./projection-errors.ts";
import { isArray, type Json } from "./value.ts";

/** Maximum size of a projection, in UTF-8 bytes of its JSON. */
const maxProjection = 262_144;

/**
 * Serializes a projection. The size is estimated first, so that most oversized results are rejected before
 * serialization. The reported size is the first known one above the limit.
 */
export function serialize(value: Json, fuel: Fuel): JsonBytes {
  const size = minSize(value, maxProjection, fuel, 0.5);
  if (size > maxProjection) throw tooLarge(size);
  // Escapes and long numbers can make the text up to twelve times larger than the estimate.
  const text = asBytes(JSON.stringify(value));
  if (text.length > maxProjection) throw tooLarge(text.length);
  return text;
}

/** Serializes a value for `to_string`. Two characters cost one unit, because each could be a value. */
export function textOf(value: Json, fuel: Fuel): string {
  fuel.spend(minSize(value, 2 * fuel.left, fuel, 1) >> 1);
  const text = JSON.stringify(value);
  fuel.spendText(text.length);
  return text;
}

/**
 * Returns the minimum size of a value's JSON, counting shared parts each time. Counting stops above `enough`. Lists and
 * objects cost `each` units, plus the extra cost of numeric names.
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
    // Numeric names are listed first. Enumeration and serialization look each of them up separately.
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
