import {
  create,
  type DescEnum,
  type DescField,
  type DescMessage,
  type MessageInitShape,
  type MessageShape,
  ScalarType,
} from "@bufbuild/protobuf";
import { base64Decode } from "@bufbuild/protobuf/wire";
import { field as fieldOption } from "../../../gen/es/ids/options/v1/options_pb.ts";
import { InvalidRequest, type Violation } from "../../errors.ts";
import { countryOf } from "../../reference/countries/countries.ts";
import { getOption } from "../option.ts";
import { oneOfValues } from "../rules/field-rules.ts";
import { namesCountries } from "./country-parameter.ts";
import { maxItems } from "./request-size.ts";
import { epochTime, givenBound, isEpochTime, timeWords } from "./request-time.ts";

/** Converts a query to a message. Parameters have proto or lowerCamelCase names. Unknown ones are ignored. */
export type QueryDecoder<D extends DescMessage> = (query: URLSearchParams) => MessageShape<D>;

/** Compiles the conversion. An empty value counts as absent. The first of repeated values counts. */
export function queryDecoder<D extends DescMessage>(desc: D): QueryDecoder<D> {
  const plans = desc.fields.filter((field) => !getOption(field, fieldOption).ignored).map(planOf);
  return (query) => {
    const init: Record<string, unknown> = {};
    const violations: Violation[] = [];
    if (query.size > 0)
      for (const plan of plans) {
        try {
          const value = plan.read(textsOf(plan, query));
          if (value !== undefined) init[plan.field.localName] = value;
        } catch (error) {
          if (!(error instanceof BrokenRule)) throw error;
          violations.push({ field: plan.field.name, description: error.message });
        }
      }
    if (violations.length > 0) throw new InvalidRequest(violations);
    return create(desc, init as MessageInitShape<D>);
  };
}

interface FieldPlan {
  readonly field: DescField;
  readonly names: readonly string[];
  readonly read: (texts: readonly string[]) => unknown;
}

function planOf(field: DescField): FieldPlan {
  const names = field.name === field.jsonName ? [field.name] : [field.name, field.jsonName];
  if (
    field.fieldKind === "message" ||
    field.fieldKind === "map" ||
    (field.fieldKind === "list" && field.listKind === "message")
  )
    return { field, names: [], read: () => undefined };
  const read = leniently(field, valueReader(field));
  if (field.fieldKind !== "list")
    return { field, names, read: ([first]) => (first === undefined ? undefined : read(first)) };
  if (
    field.listKind === "scalar" &&
    field.scalar === ScalarType.STRING &&
    !getOption(field, fieldOption).commaSeparated
  )
    return { field, names, read: (texts) => texts.map(read) };
  const max = maxItems(field);
  // The whole text is checked for a country first, because a country name can contain the comma at which the text is
  // split.
  const isWhole = namesCountries(field) ? (text: string) => countryOf(text) !== undefined : () => false;
  const items = (text: string) => (isWhole(text) ? [text] : itemsOf([text], max + 1));
  return {
    field,
    names,
    read: (texts) =>
      texts
        .flatMap(items)
        .slice(0, max + 1)
        .map(read),
  };
}

/** Splits a text, but stops above the maximum, because a long text could have half a million items. */
function itemsOf(texts: readonly string[], wanted: number): string[] {
  const items: string[] = [];
  for (const text of texts)
    for (let start = 0; start <= text.length && items.length < wanted; ) {
      const comma = text.indexOf(",", start);
      const end = comma < 0 ? text.length : comma;
      const item = text.slice(start, end).trim();
      if (item !== "") items.push(item);
      start = end + 1;
    }
  return items;
}

/** Clamps integers to the range of their type, because lenient fields never cause an error. */
function leniently(field: DescField, read: (text: string) => unknown): (text: string) => unknown {
  const { clamp } = getOption(field, fieldOption);
  if (!clamp) return read;
  return (text) => {
    try {
      return read(text);
    } catch (error) {
      if (!(error instanceof BrokenRule)) throw error;
      const number = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
      if (clamp.lenient) return Number.isNaN(number) ? undefined : number;
      if (Number.isFinite(number)) return number;
      throw error;
    }
  };
}

function textsOf(plan: FieldPlan, query: URLSearchParams): string[] {
  return plan.names.flatMap((name) => query.getAll(name)).filter((text) => text !== "");
}

class BrokenRule extends Error {}

function valueReader(field: DescField & { fieldKind: "scalar" | "enum" | "list" }): (text: string) => unknown {
  const enumeration = field.fieldKind === "scalar" || field.fieldKind === "list" ? field.enum : field.enum;
  if (enumeration) return enumReader(enumeration);
  switch (field.scalar) {
    case ScalarType.STRING:
      return (text) => text;
    case ScalarType.BOOL:
      return readBoolean;
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return readNumber;
    case ScalarType.INT64:
      if (isEpochTime(field)) return (text) => epochTime(field, text) ?? givenBound(readEpoch(text));
      return readInt64;
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return readInt64;
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return (text) => readInteger(text, 0n, 2n ** 64n - 1n);
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return (text) => Number(readInteger(text, 0n, 2n ** 32n - 1n));
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return (text) => Number(readInteger(text, -(2n ** 31n), 2n ** 31n - 1n));
    case ScalarType.BYTES:
      return readBytes;
    default:
      throw new Error(`${field} cannot be a query parameter`);
  }
}

function readBytes(text: string): Uint8Array {
  try {
    return base64Decode(text);
  } catch {
    throw new BrokenRule("value must be base64");
  }
}

function readBoolean(text: string): boolean {
  if (text === "true" || text === "1") return true;
  if (text === "false" || text === "0") return false;
  throw new BrokenRule("value must be true or false");
}

function readNumber(text: string): number {
  const number = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  if (!Number.isFinite(number)) throw new BrokenRule("value must be a finite number");
  return number;
}

function readInt64(text: string): bigint {
  return readInteger(text, -(2n ** 63n), 2n ** 63n - 1n);
}

function readEpoch(text: string): bigint {
  if (/^-?\d{1,20}$/.test(text)) return readInt64(text);
  throw new BrokenRule(`value must be epoch milliseconds, ${timeWords}`);
}

function readInteger(text: string, min: bigint, max: bigint): bigint {
  if (!/^-?\d{1,20}$/.test(text)) throw new BrokenRule("value must be an integer");
  const integer = BigInt(text);
  if (integer < min || integer > max) throw new BrokenRule(`value must be between ${min} and ${max}`);
  return integer;
}

/** Parses an enum value by its full name, or without the prefix that all names share, in any case. */
function enumReader(desc: DescEnum): (text: string) => number {
  const numbers = new Map<string, number>();
  for (const value of desc.values) {
    numbers.set(value.name, value.number);
    if (value.number !== 0) numbers.set(value.localName, value.number);
  }
  return (text) => {
    const number = numbers.get(text) ?? numbers.get(text.toUpperCase().replaceAll("-", "_"));
    if (number === undefined) throw new BrokenRule(oneOfValues(desc));
    return number;
  };
}
