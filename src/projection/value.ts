/** Plain JSON: what expressions read and make. Never changed once made, for its parts are shared. */
export type Json = null | boolean | number | string | JsonArray | JsonObject;
export type JsonArray = readonly Json[];
export interface JsonObject {
  readonly [key: string]: Json;
}

/** How many members an object has, and the fuel that going through them once costs. */
export interface Size {
  readonly members: number;
  readonly cost: number;
}

export type Kind = "null" | "boolean" | "number" | "string" | "array" | "object";

export function kindOf(value: Json): Kind {
  if (value === null) return "null";
  return isArray(value) ? "array" : (typeof value as Kind);
}

export function isArray(value: Json): value is JsonArray {
  return Array.isArray(value);
}

export function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reads a member by its name; what objects inherit is none of their members. */
export function memberReader(name: string): (object: JsonObject) => Json {
  if (name in Object.prototype) return (object) => (Object.hasOwn(object, name) ? (object[name] ?? null) : null);
  return (object) => object[name] ?? null;
}

/** Writes a member of an object in the making; one named `__proto__` is a member like any other. */
export function setMember(object: Record<string, Json>, name: string, value: Json): void {
  if (name === "__proto__")
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  else object[name] = value;
}
