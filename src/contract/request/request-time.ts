import type { DescField } from "@bufbuild/protobuf";
import { field as fieldOption, TimeEncoding } from "../../../gen/es/ids/options/v1/options_pb.ts";
import { invalidField, type Violation } from "../../errors.ts";
import { sourceTime, writtenTime } from "../../reference/source-time.ts";
import { getOption } from "../option.ts";

/** Pattern of a day or time. A blank may replace `+` of an offset, because some clients do not encode it. */
export const requestTimeForm = /^(\d{4}-\d\d-\d\d([Tt ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?([Zz]|[+ -]\d\d:\d\d)?)?)?$/;
/** Pattern of a day or time, or of epoch milliseconds. */
export const epochTimeForm = new RegExp(`^-?\\d+$|${requestTimeForm.source}`);

/** First and last millisecond of a requested day or time. They are equal for a time. */
export interface RequestTime {
  readonly start: number;
  readonly end: number;
  readonly isDay: boolean;
}

/** Every error message about a time ends with this text. */
export const timeWords = "a day such as 2026-03-01, or an RFC 3339 time such as 2026-03-01T12:00:00Z";

/** Parses a day or a time, in UTC if it has no zone; returns undefined for any other text. */
export function parseRequestTime(text: string): RequestTime | undefined {
  const trimmed = text.trim();
  if (trimmed === "" || !requestTimeForm.test(trimmed)) return undefined;
  const repaired = trimmed.replace(/(?<=:\d\d(?:\.\d+)?) (?=\d\d:\d\d$)/, "+");
  const isDay = writtenTime(repaired)?.hasClock === false;
  const [start, end] = [sourceTime(repaired, "UTC"), sourceTime(repaired, "UTC", "end")];
  return start === undefined || end === undefined ? undefined : { start, end, isDay };
}

/** Parses a time. Throws `InvalidRequest` with the name of the field. */
export function readRequestTime(text: string, field: string): RequestTime {
  const time = parseRequestTime(text);
  if (time) return time;
  throw invalidField(field, `value must be ${timeWords}`);
}

export function isEpochTime(field: DescField): boolean {
  return getOption(field, fieldOption).time === TimeEncoding.EPOCH_MS;
}

/** Returns whether a field contains a time as text, which `parseRequestTime` parses. */
export function isTimeParameter(field: DescField): boolean {
  const { time } = getOption(field, fieldOption);
  return field.parent.name.endsWith("Request") && (time === TimeEncoding.RFC3339 || time === TimeEncoding.DAY);
}

/** Value for a bound that the client set to 0, because in such a field the value 0 means the default. */
const givenZero = -(2n ** 63n);

/** Parses a day or time: its last millisecond for the field `end`, otherwise its first. Undefined for other texts. */
export function epochTime({ name }: DescField, text: string): bigint | undefined {
  const time = parseRequestTime(text);
  return time && givenBound(BigInt(name === "end" ? time.end : time.start));
}

/** Encodes a bound for a field in which 0 means the default. */
export function givenBound(at: bigint): bigint {
  return at === 0n ? givenZero : at;
}

/** Decodes a bound that `givenBound` encoded; undefined means the default. */
export function boundOf(value: bigint): bigint | undefined {
  if (value === 0n) return undefined;
  return value === givenZero ? 0n : value;
}

/** Patterns of numbers that are probably not milliseconds, because as milliseconds they would be in 1970. */
const mistakes: readonly (readonly [form: RegExp, description: string])[] = [
  [
    /^(?:19|20|21)\d\d(?:(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))?$/,
    "value looks like a date; milliseconds or YYYY-MM-DD are expected",
  ],
  // The pattern matches epoch seconds from 1989 to 2103.
  [/^(?:[6-9]\d{8}|[1-3]\d{9}|4[01]\d{8}|4200000000)$/, "value looks like seconds; milliseconds are expected"],
];

/** Returns a function that warns about epoch milliseconds in a probably wrong unit, and about a `start` after `end`. */
export function timeWarner(fields: readonly DescField[]) {
  const times = fields.filter(isEpochTime);
  return (givenIn: (field: DescField) => string | bigint | null): readonly Violation[] => {
    const textOf = (field: DescField) => String(givenIn(field) ?? "");
    const warnings = times.flatMap((field) => {
      const [, description] = mistakes.find(([form]) => form.test(textOf(field))) ?? [];
      return description === undefined ? [] : [{ field: field.name, description }];
    });
    const [start, end] = ["start", "end"].map((name) => {
      const field = times.find((each) => each.name === name);
      const text = field ? textOf(field) : "";
      return field && (epochTime(field, text) ?? (/^-?\d+$/.test(text) ? BigInt(text) : undefined));
    });
    if (warnings.length > 0 || start === undefined || end === undefined || start <= end) return warnings;
    return [{ field: "start", description: "value must not be after end" }];
  };
}
