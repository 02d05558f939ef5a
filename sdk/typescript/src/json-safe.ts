/** How a client over Connect gives 64-bit integers: as `bigint`, or as decimal text, which JSON can say. */
export type Int64 = "bigint" | "string";

/** A message as JSON can say it: 64-bit integers as decimal text, without the members that belong to protobuf. */
export type JsonSafe<T> = T extends bigint
  ? string
  : T extends readonly (infer Item)[]
    ? JsonSafe<Item>[]
    : T extends object
      ? { [K in keyof T as K extends `$${string}` ? never : K]: JsonSafe<T[K]> }
      : T;

/** Copies a message, or any part of one, so that `JSON.stringify` takes it. */
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

/** Name of an enum's value, `TOTAL` of `OutageSeverity`; undefined for one that this version does not know. */
export function enumName<Values extends Readonly<Record<string, number>>>(
  values: Values,
  value: number,
): (keyof Values & string) | undefined {
  return Object.keys(values).find((name) => values[name] === value);
}
