import { parse as parseCsv } from "csv-parse/sync";
import { isKeyedByData } from "../../../src/ingest/drift/shape.ts";

/** A record of an answer, by the names of its fields; a text's columns and elements are numbered where they have no names. */
export interface ResponseRecord {
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The records of a response in any format, and the inverse that writes them as a response. */
export interface Records {
  readonly records: readonly ResponseRecord[];
  readonly written: (records: readonly ResponseRecord[]) => string;
}

/** The records of an answer, if it has any. */
export function recordsOf(text: string): Records | undefined {
  const start = text.trimStart();
  if (/^[[{]/.test(start)) return ofJson(text);
  if (start.startsWith("BEGIN:VCALENDAR")) return ofText(text, calendarEvent, calendarField);
  if (start.startsWith("<"))
    return ofText(text, xmlRecord, xmlField) ?? ofText(text, htmlRow, htmlCell) ?? ofText(text, htmlItem, htmlLink);
  return ofCsv(text);
}

const calendarEvent = /BEGIN:VEVENT\r?\n([\s\S]*?)END:VEVENT/g;
const calendarField = /^([A-Z-]+)(?:;[^:\n]*)?:(.*)$/gm;
const xmlRecord = /<(?:item|entry)(?:\s[^>]*)?>([\s\S]*?)<\/(?:item|entry)>/g;
const xmlField = /<([\w:.-]+)(?:\s[^>]*)?>([\s\S]*?)<\/\1>/g;
const htmlRow = /<tr(?:\s[^>]*)?>([\s\S]*?<td[\s\S]*?)<\/tr>/g;
const htmlCell = /<(td)(?:\s[^>]*)?>([\s\S]*?)<\/td>/g;
const htmlItem = /<(?:li|p)(?:\s[^>]*)?>([\s\S]*?)<\/(?:li|p)>/g;
const htmlLink = /<(a|strong)(?:\s[^>]*)?>([\s\S]*?)<\/\1>/g;

interface Place {
  /** The list or map that contains the record's row, and the row itself. */
  readonly list: object;
  readonly key: string;
  readonly row: object;
  readonly fields: Record<string, unknown>;
}

function ofJson(text: string): Records | undefined {
  const whole: unknown = JSON.parse(text);
  const groups = new Map<string, Place[]>();
  const root = [whole];
  collect(whole, "", { list: root, key: "0", row: whole as object }, groups);
  const cells = (places: readonly Place[]) =>
    places.reduce((sum, { fields }) => sum + Object.values(fields).filter(isScalar).length, 0);
  const [largest] = [...groups.values()].sort((a, b) => cells(b) - cells(a));
  if (!largest || cells(largest) === 0) return undefined;
  const known = new Map<ResponseRecord, Place>();
  const records = largest.map((place) => {
    const record = { fields: { ...place.fields } };
    known.set(record, place);
    return record;
  });
  return {
    records,
    written(next) {
      const lists = Map.groupBy(next, (record) => (known.get(record) ?? originOf(record, known)).list);
      const replaced = new Map<object, unknown>();
      for (const list of new Set(largest.map((place) => place.list)))
        replaced.set(list, rebuilt(list, lists.get(list) ?? [], known));
      return JSON.stringify((withReplaced(root, replaced) as unknown[])[0]);
    },
  };
}

/** A changed record stands where the one did that it was made from. */
const madeFrom = new WeakMap<ResponseRecord, ResponseRecord>();

export function changed(record: ResponseRecord, fields: Readonly<Record<string, unknown>>): ResponseRecord {
  const next = { fields };
  madeFrom.set(next, record);
  return next;
}

function originOf(record: ResponseRecord, known: ReadonlyMap<ResponseRecord, Place>): Place {
  let at: ResponseRecord | undefined = record;
  while (at && !known.has(at)) at = madeFrom.get(at);
  const place = at && known.get(at);
  if (!place) throw new Error("a record of another answer");
  return place;
}

function rebuilt(list: object, records: readonly ResponseRecord[], known: ReadonlyMap<ResponseRecord, Place>): unknown {
  const entries = records.map((record) => {
    const place = originOf(record, known);
    return [place.key, withReplaced(place.row, new Map([[place.fields, record.fields]]))] as const;
  });
  return Array.isArray(list) ? entries.map(([, row]) => row) : Object.fromEntries(entries);
}

function withReplaced(value: unknown, replaced: ReadonlyMap<object, unknown>): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (replaced.has(value)) return replaced.get(value);
  if (Array.isArray(value)) return value.map((item) => withReplaced(item, replaced));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withReplaced(item, replaced)]));
}

/** Objects of scalars by the path at which they stand. */
function collect(value: unknown, path: string, around: Omit<Place, "fields">, groups: Map<string, Place[]>): void {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const [key, row] of value.entries())
      collect(row, `${path}[]`, { list: value, key: String(key), row: row as object }, groups);
    return;
  }
  const isMap = isKeyedByData(value) && Object.values(value).every((member) => typeof member === "object");
  const group = groups.get(path) ?? [];
  group.push({ ...around, fields: value as Record<string, unknown> });
  groups.set(path, group);
  for (const [key, member] of Object.entries(value))
    collect(member, `${path}.${isMap ? "*" : key}`, isMap ? { list: value, key, row: member } : around, groups);
}

function isScalar(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}

/** Records that a pattern finds in a text, with the fields that another finds in each. */
function ofText(text: string, record: RegExp, field: RegExp): Records | undefined {
  const found = [...text.matchAll(record)];
  if (found.length === 0) return undefined;
  const places = new Map<ResponseRecord, string>();
  const records = found.map(([whole]) => {
    const next = {
      fields: Object.fromEntries(
        [...whole.matchAll(field)].map(([, name, value], index) => [`${name}#${index}`, value]),
      ),
    };
    places.set(next, whole);
    return next;
  });
  const [first, last] = [found[0]?.index ?? 0, found.at(-1)];
  const end = (last?.index ?? 0) + (last?.[0].length ?? 0);
  const sourceOf = (given: ResponseRecord) => {
    let at: ResponseRecord | undefined = given;
    while (at && !places.has(at)) at = madeFrom.get(at);
    return (at && places.get(at)) ?? "";
  };
  const between =
    found.length > 1 ? text.slice((found[0]?.index ?? 0) + (found[0]?.[0].length ?? 0), found[1]?.index) : "\n";
  return {
    records,
    written: (next) =>
      text.slice(0, first) +
      next.map((given) => rewritten(sourceOf(given), given, field)).join(between) +
      text.slice(end),
  };
}

/** One record's text with its fields as given; one that is not given is taken out. */
function rewritten(source: string, { fields }: ResponseRecord, field: RegExp): string {
  let index = 0;
  return source.replace(field, (whole: string, name: string, value: string) => {
    const key = `${name}#${index++}`;
    if (!(key in fields)) return "";
    return fields[key] === value ? whole : whole.replace(value, () => asText(fields[key]));
  });
}

function asText(value: unknown): string {
  return value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
}

function ofCsv(text: string): Records | undefined {
  const lines: string[][] = parseCsv(text, {
    bom: true,
    relaxColumnCount: true,
    skipEmptyLines: true,
    relaxQuotes: true,
  });
  const [head = [], ...rest] = lines;
  const isHead = head.length > 1 && head.every((name) => !/^-?\d/.test(name));
  const names = (isHead ? head : head.map((_, index) => String(index))).map((name, index) => `${index} ${name}`);
  const rows = isHead ? rest : lines;
  if (rows.length === 0) return undefined;
  return {
    records: rows.map((row) => ({
      fields: Object.fromEntries(row.map((cell, index) => [names[index] ?? `${index}`, cell])),
    })),
    written(next) {
      // A column that every record has lost is lost to the head as well.
      const stored = names.filter((name) => next.length === 0 || next.some(({ fields }) => name in fields));
      const written = next.map(({ fields }) =>
        Object.keys(fields).some((name) => !names.includes(name))
          ? Object.values(fields)
          : stored.map((name) => fields[name]),
      );
      const heads = isHead ? [stored.map((name) => name.slice(name.indexOf(" ") + 1))] : [];
      return [...heads, ...written].map((row) => row.map(quoted).join(",")).join("\n");
    },
  };
}

function quoted(value: unknown): string {
  const text = asText(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
