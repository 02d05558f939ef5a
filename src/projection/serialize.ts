import { asBytes } from "../contract/json.ts";
import { ProjectionFailed } from "../errors.ts";
import type { Fuel } from "./fuel.ts";
import { isArray, isObject, type Json } from "./value.ts";

/** Largest projection, in UTF-8 bytes of its JSON. */
const largestProjection = 262_144;

/**
 * The JSON of a projection as UTF-8, one character a byte. One that is too large is given up, mostly before anything is
 * written: the size told is the first one known to be beyond the limit.
 */
export function serialize(value: Json): string {
  let size = 0;
  const add = (characters: number) => {
    size += characters;
    if (size > largestProjection) throw tooLarge(size);
  };
  measure(value, add);
  // Escapes and long numbers can make the text larger than it was measured, twelvefold at most.
  const text = asBytes(JSON.stringify(value));
  if (text.length > largestProjection) throw tooLarge(text.length);
  return text;
}

/** The JSON of a value as a string of an expression. */
export function textOf(value: Json, fuel: Fuel): string {
  measure(value, (characters) => fuel.spend(1 + (characters >> 3)));
  const text = JSON.stringify(value);
  fuel.spendText(text.length);
  return text;
}

/** Adds up what the JSON of a value takes at least, node by node: shared parts count wherever they stand. */
function measure(value: Json, add: (characters: number) => void): void {
  if (typeof value === "string") add(value.length + 2);
  else if (isArray(value)) {
    add(Math.max(value.length + 1, 2));
    for (const element of value) measure(element, add);
  } else if (isObject(value)) {
    add(2);
    let comma = 0;
    for (const name in value) {
      add(name.length + 3 + comma);
      comma = 1;
      measure(value[name] ?? null, add);
    }
  } else add(typeof value === "number" ? 1 : 4);
}

function tooLarge(size: number): ProjectionFailed {
  return new ProjectionFailed("projection_too_large", `${size} > ${largestProjection}`);
}
