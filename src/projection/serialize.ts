import { asBytes, type JsonBytes } from "../contract/json.ts";
import type { Fuel } from "./fuel.ts";
import { ProjectionFailed } from "./projection-errors.ts";
import { isArray, type Json } from "./value.ts";

/** Maximum size of an expression's result, in bytes of its JSON. */
const maxProjection = 262_144;

/**
 * Serializes the result of an expression. The size is estimated first, so that most oversized results are rejected
 * before serialization. The error names the first size above the limit that is known.
 */
export function serialize(value: Json, fuel: Fuel): JsonBytes {
  checkSize(minSize(value, maxProjection, fuel));
  // Escapes and long numbers can make the JSON up to twelve times larger than its estimated size.
  const text = asBytes(JSON.stringify(value));
  checkSize(text.length);
  return text;
}

function checkSize(size: number): void {
  if (size > maxProjection) throw new ProjectionFailed("projection_too_large", `${size} > ${maxProjection}`);
}

/** Converts a value to text for the function `to_string`. */
export function textOf(value: Json, fuel: Fuel): string {
  fuel.spendText(minSize(value, 8 * fuel.left, fuel));
  const text = JSON.stringify(value);
  fuel.spendText(text.length);
  return text;
}

/** Returns the minimum size of a value's JSON. Shared parts count each time. Stops counting above `enough`. */
function minSize(value: Json, enough: number, fuel: Fuel): number {
  fuel.spend(1);
  if (typeof value === "string") return value.length + 2;
  if (typeof value === "number") return Number.isSafeInteger(value) ? 1 : 3;
  if (typeof value !== "object" || value === null) return 4;
  let size = 1;
  if (isArray(value))
    for (let index = 0; index < value.length && size <= enough; index++)
      size += 1 + minSize(value[index] ?? null, enough - size, fuel);
  else
    for (const name of fuel.namesOf(value)) {
      if (size > enough) break;
      size += name.length + 4 + minSize(value[name] ?? null, enough - size, fuel);
    }
  return Math.max(size, 2);
}
