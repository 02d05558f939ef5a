import { type DescField, type DescMessage, type JsonValue, ScalarType } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import { field as fieldOption, TimeEncoding } from "../../../gen/es/ids/options/v1/options_pb.ts";
import { getOption } from "../option.ts";
import { isObject } from "../request/body.ts";

type ReadValue = (container: JsonValue | undefined) => JsonValue;

export function memberOf(container: JsonValue | undefined, { jsonName }: DescField): JsonValue | undefined {
  return container !== undefined && isObject(container) ? container[jsonName] : undefined;
}

/** Returns whether a message is a well-known type, which has its own JSON format. */
export function isOpaque(desc: DescMessage): boolean {
  return desc.typeName.startsWith("google.protobuf.");
}

/** Compiles a function that reads a field. Unknown values within the field become null. */
export function knownMember(field: DescField): ReadValue {
  const { time, unknown } = getOption(field, fieldOption);
  const none = new Set(unknown);
  const isKnown = measured(field);
  const zero = unspecified(field);
  const isFigure = field.scalar === ScalarType.DOUBLE || field.scalar === ScalarType.FLOAT;
  return (container) => {
    const value = memberOf(container, field);
    if (value === undefined || value === zero || !isKnown(container)) return null;
    if (none.size > 0 && none.has(Number(value))) return null;
    // An empty text in a time field means that the time is unknown.
    if (value === "" && time !== TimeEncoding.UNSPECIFIED) return null;
    // JSON writes infinite numbers and NaN as text. Such a value is unknown.
    if (isFigure && typeof value === "string") return null;
    return field.message && typeof value === "object" ? knownWithin(field, field.message, value) : value;
  };
}

function knownWithin(field: DescField, desc: DescMessage, value: JsonValue): JsonValue {
  const known = knownOf(desc);
  if (!known) return value;
  if (Array.isArray(value)) return value.map(known);
  if (field.fieldKind !== "map" || !isObject(value)) return known(value);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, known(each)]));
}

const plans = new WeakMap<DescMessage, ((value: JsonValue) => JsonValue) | "nothing unknown">();

/** Compiles a function that replaces unknown values of a message by null; undefined if it has none. */
function knownOf(desc: DescMessage): ((value: JsonValue) => JsonValue) | undefined {
  const planned = plans.get(desc) ?? planOf(desc);
  plans.set(desc, planned);
  return planned === "nothing unknown" ? undefined : planned;
}

function planOf(desc: DescMessage): ((value: JsonValue) => JsonValue) | "nothing unknown" {
  if (!canBeUnknown(desc, [])) return "nothing unknown";
  const members = desc.fields.map((field) => ({ name: field.jsonName, read: knownMember(field) }));
  return (value) => {
    if (!isObject(value)) return value;
    const known: Record<string, JsonValue> = {};
    for (const { name, read } of members) if (value[name] !== undefined) known[name] = read(value);
    return known;
  };
}

function canBeUnknown(desc: DescMessage, within: readonly DescMessage[]): boolean {
  if (isOpaque(desc) || within.includes(desc)) return false;
  return desc.fields.some((field) => {
    const { time } = getOption(field, fieldOption);
    if (hasUnknown(field) || time !== 0 || unspecified(field)) return true;
    return field.message !== undefined && canBeUnknown(field.message, [...within, desc]);
  });
}

/** Returns whether a field can lack a value, or have one that means unknown. */
export function hasUnknown(field: DescField): boolean {
  const { measuredBy, missingIf, unknown } = getOption(field, fieldOption);
  const isOptional = field.fieldKind === "scalar" && field.presence === FeatureSet_FieldPresence.EXPLICIT;
  return isOptional || measuredBy !== "" || missingIf !== "" || unknown.length > 0;
}

/** Compiles a function that checks the fields that say whether this field is known. */
function measured(field: DescField): (container: JsonValue | undefined) => boolean {
  const { measuredBy, missingIf, missingValues } = getOption(field, fieldOption);
  const isMeasured = measuredBy === "" ? undefined : measure(field, measuredBy);
  const unless = missingIf === "" ? undefined : siblingOf(field, missingIf);
  if (!isMeasured && !unless) return () => true;
  const isMissing = (value: JsonValue | undefined) =>
    value === true || (typeof value === "string" && missingValues.includes(value));
  return (container) => (isMeasured?.(container) ?? true) && !(unless && isMissing(memberOf(container, unless)));
}

function measure(field: DescField, path: string): (container: JsonValue | undefined) => boolean {
  const [name = "", inner] = path.split(".");
  const by = siblingOf(field, name);
  // In JSON, a 64-bit number is a text, so its zero is `"0"`.
  if (inner === undefined) return (container) => Boolean(memberOf(container, by)) && memberOf(container, by) !== "0";
  const figure = by.message?.fields.find((each) => each.name === inner);
  if (!figure) throw new Error(`${by} has no items with ${inner}`);
  const read = knownMember(figure);
  return (container) => {
    const items = memberOf(container, by);
    return Array.isArray(items) && items.some((item) => read(item) !== null);
  };
}

function siblingOf(field: DescField, name: string): DescField {
  const found = field.parent.fields.find((each) => each.name === name);
  if (!found)
    throw new Error(`${field.parent.typeName} has no field ${name} that could say whether ${field.name} is known`);
  return found;
}

/** Returns the name of an enum's value 0 if it means "unspecified". */
export function unspecified(field: DescField): string | undefined {
  const zero = field.enum?.values.find(({ number }) => number === 0);
  return zero?.name.endsWith("_UNSPECIFIED") ? zero.name : undefined;
}
