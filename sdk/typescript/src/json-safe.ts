/** Type of 64-bit integers in a client over Connect: `bigint`, or decimal text, which JSON can represent. */
export type Int64 = "bigint" | "string";

/** A message for JSON: 64-bit integers are decimal text, and the members of protobuf are omitted. */
export type JsonSafe<T> = T extends bigint
  ? string
  : T extends readonly (infer Item)[]
    ? JsonSafe<Item>[]
    : T extends object
      ? { [K in keyof T as K extends `$${string}` ? never : K]: JsonSafe<T[K]> }
      : T;

/** Copies a message, or any part of one, so that `JSON.stringify` accepts it. */
export function jsonSafe<T>(message: T): JsonSafe<T> {
  return safe(message) as JsonSafe<T>;
}

function safe(value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return value.map(safe);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !name.startsWith("$"))
      .map(([name, member]) => [name, safe(member)]),
  );
}

/**
 * Returns the name of an enum's value, such as `TOTAL` of `OutageSeverity`. Undefined if this version does not know the
 * value.
 */
export function enumName<Values extends Readonly<Record<string, number>>>(
  values: Values,
  value: number,
): (keyof Values & string) | undefined {
  return Object.keys(values).find((name) => values[name] === value);
}
