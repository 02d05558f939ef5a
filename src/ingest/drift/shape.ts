import { z } from "zod";

const fieldSchema = z.object({
  /** Kinds of value that were seen. Null and the empty text do not count. */
  types: z.array(z.enum(["object", "array", "text", "number", "boolean"])),
  /** In how many of the containing objects there was a value. */
  filled: z.int(),
  of: z.int(),
  /** Every value, if the field contains a few values that repeat. */
  values: z.array(z.string()).optional(),
});

export type ShapeField = z.output<typeof fieldSchema>;

export const shapeSchema = z.record(z.string(), fieldSchema);

/**
 * The schema of a source's responses: statistics by path, such as `results[].country`. A key that is data is written
 * `*`.
 */
export type Shape = z.output<typeof shapeSchema>;

export interface ShapeReader {
  readonly add: (value: unknown) => void;
  readonly shape: () => Shape;
}

interface Seen {
  readonly types: Set<ShapeField["types"][number]>;
  filled: number;
  of: number;
  /** Undefined after there were too many values for a list of codes. */
  values: Set<string> | undefined;
}

/** These limits bound the time and memory for one response. Only this number of items at either end of a list is read. */
const maxEnds = 500;
const maxFields = 1_000;
const maxDepth = 12;

/**
 * A code is a short word without digits that occurs many times. With fewer occurrences the values are not recorded: 40
 * gas days are checked for at most four codes. A field with more values contains data.
 */
const maxCodes = 8;
const timesEach = 10;
const code = /^\p{L}[\p{L} _/-]{0,39}$/u;

/** Keys that are data: years, countries, and identifiers, or more keys than an object has named fields. */
const dataKey = /^(?:\d|[A-Z]{2,3}$)/;
const maxNamed = 60;

export function shapeReader(): ShapeReader {
  const fields = new Map<string, Seen>();

  const note = (path: string, value: unknown): Seen | undefined => {
    let field = fields.get(path);
    if (!field) {
      if (fields.size === maxFields) return undefined;
      field = { types: new Set(), filled: 0, of: 0, values: new Set() };
      fields.set(path, field);
    }
    field.of += 1;
    if (isEmpty(value)) return undefined;
    field.filled += 1;
    field.types.add(typeOf(value));
    if (typeof value === "string" && field.values) {
      if (code.test(value)) field.values.add(value);
      if (!code.test(value) || field.values.size > maxCodes) field.values = undefined;
    }
    return field;
  };

  const walk = (path: string, value: unknown, depth: number): void => {
    if (!note(path, value) || depth === maxDepth || typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) {
      const ends = value.length > 2 * maxEnds ? [...value.slice(0, maxEnds), ...value.slice(-maxEnds)] : value;
      for (const item of ends) walk(`${path}[]`, item, depth + 1);
      return;
    }
    const isMap = isKeyedByData(value);
    for (const [key, item] of Object.entries(value)) walk(`${path}.${isMap ? "*" : key}`, item, depth + 1);
  };

  return {
    add: (value) => walk("", value, 0),
    shape: () =>
      Object.fromEntries([...fields].map(([path, field]) => [path, fieldOf(field, fields.get(around(path)))])),
  };
}

export function isKeyedByData(value: object): boolean {
  const keys = Object.keys(value);
  return keys.length > maxNamed || (keys.length > 0 && keys.every((key) => dataKey.test(key)));
}

/** A key that is missing from an object counts like one without a value. */
function fieldOf({ types, filled, of, values }: Seen, parent: Seen | undefined): ShapeField {
  const areCodes = values !== undefined && values.size > 0 && filled >= timesEach * values.size;
  return {
    types: [...types],
    filled,
    of: parent ? Math.max(of, parent.filled) : of,
    ...(areCodes && { values: [...values] }),
  };
}

/** Returns the path of the object or list that contains the last member of a path. */
export function around(path: string): string {
  return path.endsWith("[]") ? path.slice(0, -2) : path.slice(0, Math.max(0, path.lastIndexOf(".")));
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === "";
}

function typeOf(value: unknown): ShapeField["types"][number] {
  if (Array.isArray(value)) return "array";
  const type = typeof value;
  return type === "object" || type === "number" || type === "boolean" ? type : "text";
}
