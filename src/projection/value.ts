/** Input and output of expressions. Values must not be changed, because several values can contain the same object. */
export type Json = null | boolean | number | string | JsonArray | JsonObject;
export type JsonArray = readonly Json[];
export interface JsonObject {
  readonly [key: string]: Json;
}

export function kindOf(value: Json): string {
  if (value === null) return "null";
  return isArray(value) ? "array" : typeof value;
}

export function isArray(value: Json): value is JsonArray {
  return Array.isArray(value);
}

export function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns a function that reads a member. Inherited properties such as `constructor` are not members. */
export function memberReader(name: string): (object: JsonObject) => Json {
  if (name in Object.prototype) return (object) => (Object.hasOwn(object, name) ? (object[name] ?? null) : null);
  return (object) => object[name] ?? null;
}

/**
 * Sets a member of a new object. `__proto__` is an ordinary member. Names that start with a digit become read-only
 * members, because the engine would otherwise allocate an array up to the number.
 */
export function setMember(object: Record<string, Json>, name: string, value: Json): void {
  if (name === "__proto__" || /^\d/.test(name))
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: false });
  else object[name] = value;
}
