import {
  type DescField,
  type DescMessage,
  getOption,
  type JsonValue,
  type Message,
  type MessageShape,
  ScalarType,
  toJson,
} from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import { field as fieldOption } from "../../gen/es/ids/options/v1/options_pb.ts";

/** Makes of a message the plain value that its JSON stands for: what `JSON.parse` would make of what `jsonWriter` writes. */
export type PlainMaker<D extends DescMessage> = (message: MessageShape<D>) => JsonValue;

type Make = (value: never) => JsonValue;

/** Sets the member of a plain object, or leaves it out when it is absent. */
type Member = (message: Record<string, unknown>, plain: Record<string, JsonValue>) => void;

const planned = new Map<DescMessage, Make>();

/** Plans the maker of a message once, as closures over its descriptor. */
export function plainMaker<D extends DescMessage>(desc: D): PlainMaker<D> {
  return messageMaker(desc) as PlainMaker<D>;
}

function messageMaker(desc: DescMessage): Make {
  const known = planned.get(desc);
  if (known) return known;
  if (desc.typeName.startsWith("google.protobuf.")) return ((message: Message) => toJson(desc, message)) as Make;
  let members: Member[] | undefined;
  const make = (message: Record<string, unknown>) => {
    // Planned at first use, so that messages may contain themselves.
    members ??= desc.fields.map(memberOf);
    const plain: Record<string, JsonValue> = {};
    for (const member of members) member(message, plain);
    return plain;
  };
  planned.set(desc, make as Make);
  return make as Make;
}

function memberOf(field: DescField): Member {
  const { localName, jsonName, oneof } = field;
  const make = fieldMaker(field) as (value: unknown) => JsonValue;
  if (oneof)
    return (message, plain) => {
      const selected = message[oneof.localName] as { case?: string; value?: unknown };
      if (selected.case === localName) plain[jsonName] = make(selected.value);
    };
  const always = field.fieldKind === "list" || field.fieldKind === "map";
  if (always || (field.fieldKind !== "message" && field.presence === FeatureSet_FieldPresence.IMPLICIT))
    return (message, plain) => {
      plain[jsonName] = make(message[localName]);
    };
  return (message, plain) => {
    const value = message[localName];
    if (value !== undefined) plain[jsonName] = make(value);
  };
}

function fieldMaker(field: DescField): Make {
  switch (field.fieldKind) {
    case "message":
      return messageMaker(field.message);
    case "list": {
      const make = (field.message ? remembering(messageMaker(field.message)) : valueMaker(field)) as Entry;
      return ((values: readonly unknown[]) => values.map((value) => make(value))) as Make;
    }
    case "map": {
      const make = (field.message ? messageMaker(field.message) : valueMaker(field)) as Entry;
      return ((values: Readonly<Record<string, unknown>>) =>
        // Not an assignment to a literal: a key may be `__proto__`.
        Object.fromEntries(Object.entries(values).map(([key, value]) => [key, make(value)]))) as Make;
    }
    default:
      return valueMaker(field);
  }
}

type Entry = (value: unknown) => JsonValue;

/** Frozen messages belong to a generation and are in many answers: each is made plain once. */
function remembering(make: Make): Make {
  const made = new WeakMap<object, JsonValue>();
  const fresh = make as (message: object) => JsonValue;
  return ((message: object) => {
    if (!Object.isFrozen(message)) return fresh(message);
    const known = made.get(message);
    if (known !== undefined) return known;
    const plain = fresh(message);
    made.set(message, plain);
    return plain;
  }) as Make;
}

function valueMaker(field: DescField): Make {
  if (field.enum) {
    const names = new Map(field.enum.values.map(({ number, name }) => [number, name]));
    return ((number: number) => names.get(number) ?? number) as Make;
  }
  switch (field.scalar) {
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return ((value: number) => (Number.isFinite(value) ? value : String(value))) as Make;
    case ScalarType.BYTES:
      return ((value: Uint8Array) => Buffer.from(value).toString("base64")) as Make;
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return (getOption(field, fieldOption).int64AsNumber ? Number : String) as Make;
    default:
      return ((value: JsonValue) => value) as Make;
  }
}
