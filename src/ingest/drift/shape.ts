import { z } from "zod";

/** What stands at one place of a source's answers. */
const fieldSchema = z.object({
  /** Kinds of value that were there, null and the empty text not counted. */
  types: z.array(z.enum(["object", "array", "text", "number", "boolean"])),
  /** In how many of the objects around it there was a value. */
  filled: z.int(),
  of: z.int(),
  /** Every value, where there are a few that come again and again. */
  values: z.array(z.string()).optional(),
});

export type ShapeField = z.output<typeof fieldSchema>;

export const shapeSchema = z.record(z.string(), fieldSchema);

/** The form of a source's answers: what stands at each path, such as `results[].country`. A key that is data is `*`. */
export type Shape = z.output<typeof shapeSchema>;

/** Takes in answers one after the other. */
export interface ShapeReader {
  readonly add: (value: unknown) => void;
  readonly shape: () => Shape;
}

interface Seen {
  readonly types: Set<ShapeField["types"][number]>;
  filled: number;
  of: number;
  /** Undefined once there were too many to be a list of codes. */
  values: Set<string> | undefined;
}

/** Bound the time and the memory that one answer takes: of a longer list so many at either end are looked at. */
const maxEnds = 500;
const maxFields = 1_000;
const maxDepth = 12;

/**
 * Codes: a few short words without digits, each many times. Of fewer rows nothing is told: 40 gas days are watched for four
 * codes, and a field with more values than that is taken for data.
 */
const maxCodes = 8;
const timesEach = 10;
const code = /^\p{L}[\p{L} _/-]{0,39}$/u;

/** Keys that are data: years, countries, identifiers; or so many that nobody named them. */
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

/** Whether an object's keys are data, as in a map from years to figures. */
export function isKeyedByData(value: object): boolean {
  const keys = Object.keys(value);
  return keys.length > maxNamed || (keys.length > 0 && keys.every((key) => dataKey.test(key)));
}

/** A key that an object lacks counts like one without a value. */
function fieldOf({ types, filled, of, values }: Seen, parent: Seen | undefined): ShapeField {
  const areCodes = values !== undefined && values.size > 0 && filled >= timesEach * values.size;
  return {
    types: [...types],
    filled,
    of: parent ? Math.max(of, parent.filled) : of,
    ...(areCodes && { values: [...values] }),
  };
}

/** The path of what a path's last member is in. */
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
