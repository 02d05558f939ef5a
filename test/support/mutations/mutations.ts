import { changed, type Records, type ResponseRecord, recordsOf } from "./records.ts";

/** A change of an answer's text; undefined where the answer has nothing that could be so changed. */
export type Change = (text: string) => string | undefined;

/** Only a changed response contains it. */
const marker = "Zzyzx";
export const farYear = 2999;

const spread = 2;

/** Changes of what an answer's records say, several of each kind where a kind concerns one field. */
export function changesOf(text: string): Map<string, Change[]> {
  const response = recordsOf(text);
  const names = response ? fieldsOf(response.records) : [];
  let unchanged: string | undefined;
  const onRecords = (change: (records: readonly ResponseRecord[]) => readonly ResponseRecord[]): Change => {
    return () => {
      if (!response) return undefined;
      unchanged ??= response.written(response.records);
      const next = response.written(change(response.records));
      return next === unchanged ? undefined : next;
    };
  };
  const each = (change: (name: string) => (record: ResponseRecord, index: number) => ResponseRecord | undefined) =>
    pick(names, spread).map((name): Change => onRecords((records) => everyRecord(records, change(name))));
  return new Map<string, Change[]>([
    [
      "missing field",
      each((name) => (record) => {
        const { [name]: _, ...others } = record.fields;
        return changed(record, others);
      }),
    ],
    ["null", each((name) => (record) => changed(record, { ...record.fields, [name]: null }))],
    [
      "null in one",
      each((name) => (record, index) => (index > 0 ? record : changed(record, { ...record.fields, [name]: null }))),
    ],
    [
      "other type",
      each((name) => (record) => changed(record, { ...record.fields, [name]: otherType(record.fields[name]) })),
    ],
    [
      "other type in one",
      each(
        (name) => (record, index) =>
          index > 0 ? record : changed(record, { ...record.fields, [name]: otherType(record.fields[name]) }),
      ),
    ],
    [
      "new enum value",
      codesOf(response).map((name) =>
        onRecords((records) =>
          everyRecord(records, (record, index) =>
            index > 0 ? record : changed(record, { ...record.fields, [name]: marker }),
          ),
        ),
      ),
    ],
    [
      "empty",
      [() => "", onRecords(() => []), (from) => (from.trimStart().startsWith("[") ? "[]" : "{}"), () => "null"],
    ],
    [
      "duplicate id",
      [
        onRecords((records) => records.flatMap((record) => [record, record])),
        onRecords((records) => [...records, ...records]),
      ],
    ],
    ["rows out of order", [onRecords((records) => records.toReversed())]],
    [
      "NaN",
      [
        ...numbersOf(response).flatMap((name) =>
          ["NaN", "Infinity", "-", "1e999"].map((value) =>
            onRecords((records) =>
              everyRecord(records, (record, index) =>
                index > 0 ? record : changed(record, { ...record.fields, [name]: value }),
              ),
            ),
          ),
        ),
        (from) => from.replace(/(":\s*)-?\d+(\.\d+)?(?=\s*[,}])/, "$1NaN"),
      ],
    ],
    [
      "future date",
      [
        onRecords((records) => everyRecord(records, (record, index) => (index > 0 ? record : far(record)))),
        onRecords((records) => everyRecord(records, far)),
      ],
    ],
    ["shrunk", [onRecords((records) => records.slice(0, Math.floor(records.length * 0.3)))]],
    [
      "foreign row",
      [
        onRecords((records) => [
          ...records,
          ...records.slice(0, 1).map((record) => changed(record, { unknown: marker })),
        ]),
      ],
    ],
  ]);
}

/** The changed records, or undefined if none has changed. */
function everyRecord(
  records: readonly ResponseRecord[],
  change: (record: ResponseRecord, index: number) => ResponseRecord | undefined,
) {
  return records.flatMap((record, index) => change(record, index) ?? []);
}

function fieldsOf(records: readonly ResponseRecord[]): string[] {
  return [...new Set(records.slice(0, 50).flatMap(({ fields }) => Object.keys(fields)))];
}

/** Picks `count` of them, spread evenly. */
function pick<T>(all: readonly T[], count: number): T[] {
  const step = Math.max(1, all.length / count);
  return Array.from({ length: Math.min(count, all.length) }, (_, index) => all[Math.floor(index * step)] as T);
}

/** Fields of words that come again. */
function codesOf(response: Records | undefined): string[] {
  if (!response) return [];
  return fieldsOf(response.records)
    .filter((name) => {
      const values = response.records.flatMap(({ fields }) => (typeof fields[name] === "string" ? [fields[name]] : []));
      return (
        values.length > 3 &&
        new Set(values).size <= values.length / 2 &&
        values.every((value) => /^[\p{L} _/-]*$/u.test(value))
      );
    })
    .slice(0, spread);
}

function numbersOf(response: Records | undefined): string[] {
  if (!response) return [];
  const isNumber = (value: unknown) =>
    typeof value === "number" || (typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value));
  return pick(
    fieldsOf(response.records).filter((name) => isNumber(response.records[0]?.fields[name])),
    3,
  );
}

function otherType(value: unknown): unknown {
  if (typeof value === "number") return { value: marker };
  if (typeof value === "string") return /^-?\d/.test(value) ? marker : { value: marker };
  return marker;
}

const isDate = /^"?\d{4}-?\d\d-?\d\d|^\d\d?\/\d\d?\/\d{4}|^\w{3}, \d{1,2} \w{3} \d{4}|\d{4}-\d\d-\d\dT/;

function far(record: ResponseRecord): ResponseRecord {
  return changed(
    record,
    Object.fromEntries(
      Object.entries(record.fields).map(([name, value]) => [
        /^(19|20)\d\d$/.test(name) ? `${farYear}` : name,
        farValue(name, value),
      ]),
    ),
  );
}

function farValue(name: string, value: unknown): unknown {
  if (typeof value === "number") {
    if (value > 1e9 && value < 3e9) return Date.UTC(farYear) / 1000;
    if (value > 1e12 && value < 3e12) return Date.UTC(farYear);
    return /year|period/i.test(name) && value > 1900 && value < 2100 ? farYear : value;
  }
  if (typeof value !== "string") return value;
  if (/^(19|20)\d\d$/.test(value)) return /year|period|date|time/i.test(name) ? String(farYear) : value;
  return isDate.test(value) ? value.replace(/(19|20)\d\d/, String(farYear)) : value;
}
