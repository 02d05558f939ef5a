import { parse as parseCsv } from "csv-parse/sync";
import { z } from "zod";
import { libraries } from "../../reference/libraries.ts";

const fieldSchema = z.object({
  /** The types of the field's values. Null and empty text do not count. */
  types: z.array(z.enum(["object", "array", "text", "number", "boolean"])),
  /** The number of objects that have a value in this field; `of` is the number of all objects. */
  filled: z.int(),
  of: z.int(),
  /** All values of the field, if it contains a few codes that repeat. */
  values: z.array(z.string()).optional(),
});

export type ShapeField = z.output<typeof fieldSchema>;

export const shapeSchema = z.record(z.string(), fieldSchema);

/**
 * The schema of a source's responses: types and counts by path, such as `results[].country`. If the keys of an object
 * are data, such as years, the path contains `*`.
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
  /** The distinct values. Undefined if they are too many to be codes. */
  values: Set<string> | undefined;
}

/** These limits bound time and memory per response. Only this number of items at each end of a list is read. */
const maxEnds = 500;
const maxFields = 1_000;
const maxDepth = 12;

/**
 * A text field contains codes if it has at most this number of distinct values and each occurs ten times on average. A
 * code has no digits. Other text fields contain data.
 */
const maxCodes = 8;
const timesEach = 10;
const code = /^\p{L}[\p{L} _/-]{0,39}$/u;

/**
 * If all keys of an object match, they are data, such as years, country codes, or IDs, and not names of fields. So are
 * the keys of an object with too many keys.
 */
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

/** Returns the statistics of a field. Objects without the field count in `of`, as objects with an empty value do. */
function fieldOf({ types, filled, of, values }: Seen, parent: Seen | undefined): ShapeField {
  const areCodes = values !== undefined && values.size > 0 && filled >= timesEach * values.size;
  return {
    types: [...types],
    filled,
    of: parent ? Math.max(of, parent.filled) : of,
    ...(areCodes && { values: [...values] }),
  };
}

/** Returns the path of the object or list that contains a field or an item. */
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

const xmlOptions = { ignoreAttributes: false, processEntities: false, parseTagValue: false };
const maxHeadBytes = 16_384;

/** Parses a response in any known format. Returns undefined for other text, such as prose and HTML. */
export function responseValue(text: string): unknown {
  // `trim` also removes a byte order mark.
  const start = text.trim();
  const form = formOf(start);
  try {
    return form && readers[form](start, text);
  } catch {
    return undefined;
  }
}

const readers = {
  JSON: (text: string): unknown => JSON.parse(text),
  XML: (text: string): unknown => new (libraries.xml().XMLParser)(xmlOptions).parse(text),
  calendar: calendarValue,
  CSV: tableValue,
};

function formOf(start: string): keyof typeof readers | undefined {
  if (/^[[{]/.test(start)) return "JSON";
  if (/^<\?xml|^<(?:rss|feed|rdf)/i.test(start)) return "XML";
  if (start.startsWith("BEGIN:VCALENDAR")) return "calendar";
  return start.startsWith("<") ? undefined : "CSV";
}

export function responseForm(text: string): keyof typeof readers | undefined {
  return responseValue(text) === undefined ? undefined : formOf(text.trim());
}

/** This entry in the schema of a table means that its last line is complete. Without it, the response is truncated. */
export const lineEnd = "(end of the last line)";

/** Returns the columns in the header of a CSV file, or undefined if the first line is data. */
function tableValue(text: string, whole: string): unknown {
  const end = text.search(/\r?\n/);
  if (end <= 0 || end > maxHeadBytes) return undefined;
  const [head = []] = parseCsv(text.slice(0, end), { bom: true, trim: true, delimiter: [",", ";", "\t"] });
  const names = new Set(head);
  const isHead = head.length > 1 && names.size === head.length && head.every((name) => /^\p{L}/u.test(name));
  const ends = /[\r\n]\s*$/.test(whole) ? [lineEnd] : [];
  return isHead ? [Object.fromEntries([...head, ...ends].map((name) => [name, "text"]))] : undefined;
}

function calendarValue(text: string): unknown {
  const names = text.matchAll(/^([A-Z-]+)[;:]/gm);
  return Object.fromEntries([...names].map(([, name = ""]) => [name, "text"]));
}
