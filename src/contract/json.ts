import {
  type DescEnum,
  type DescField,
  type DescMessage,
  getOption,
  type Message,
  type MessageShape,
  ScalarType,
  toJson,
} from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import { field as fieldOption } from "../../gen/es/ids/options/v1/options_pb.ts";

declare const utf8: unique symbol;

/** JSON as UTF-8, one character a byte: such a string is joined, kept and sent without ever being encoded again. */
export type JsonBytes = string & { readonly [utf8]: true };

/** Writes a message as this API's JSON: every implicit default, no absent message, int64 as the contract says. */
export type JsonWriter<D extends DescMessage> = (message: MessageShape<D>) => JsonBytes;

type Write = (value: never) => string;

const planned = new Map<DescMessage, Write>();

/** Plans the writer of a message once, as closures over its descriptor. */
export function jsonWriter<D extends DescMessage>(desc: D): JsonWriter<D> {
  return messageWriter(desc) as JsonWriter<D>;
}

function messageWriter(desc: DescMessage): Write {
  const known = planned.get(desc);
  if (known) return known;
  if (desc.typeName.startsWith("google.protobuf."))
    return (message: Message) => asBytes(JSON.stringify(toJson(desc, message)));
  let members: Member[] | undefined;
  const write = (message: Record<string, unknown>) => {
    // Planned at first use, so that messages may contain themselves.
    members ??= desc.fields.map(memberOf);
    let text = "";
    for (const member of members) text += member(message);
    return text === "" ? "{}" : `{${text.slice(1)}}`;
  };
  planned.set(desc, write as Write);
  return write as Write;
}

/** Writes `,"name":value`, or nothing for a member that is absent. */
type Member = (message: Record<string, unknown>) => string;

function memberOf(field: DescField): Member {
  const key = `,${JSON.stringify(field.jsonName)}:`;
  const { localName } = field;
  const write = fieldWriter(field) as (value: unknown) => string;
  const { oneof } = field;
  if (oneof)
    return (message) => {
      const selected = message[oneof.localName] as { case?: string; value?: unknown };
      return selected.case === localName ? key + write(selected.value) : "";
    };
  if (field.fieldKind !== "message" && field.presence === FeatureSet_FieldPresence.IMPLICIT)
    return (message) => key + write(message[localName]);
  if (field.fieldKind === "list" || field.fieldKind === "map") return (message) => key + write(message[localName]);
  return (message) => {
    const value = message[localName];
    return value === undefined ? "" : key + write(value);
  };
}

function fieldWriter(field: DescField): Write {
  switch (field.fieldKind) {
    case "message":
      return messageWriter(field.message);
    case "enum":
      return enumWriter(field.enum);
    case "scalar":
      return scalarWriter(field, field.scalar);
    case "list":
      return listWriter(
        field.listKind === "message"
          ? remembering(messageWriter(field.message))
          : field.listKind === "enum"
            ? enumWriter(field.enum)
            : scalarWriter(field, field.scalar),
      );
    case "map":
      return mapWriter(
        field.mapKind === "message"
          ? messageWriter(field.message)
          : field.mapKind === "enum"
            ? enumWriter(field.enum)
            : scalarWriter(field, field.scalar),
      );
  }
}

function listWriter(item: Write): Write {
  const write = item as (value: unknown) => string;
  return ((values: readonly unknown[]) => {
    if (values.length === 0) return "[]";
    let text = `[${write(values[0])}`;
    for (let index = 1; index < values.length; index++) text += `,${write(values[index])}`;
    return `${text}]`;
  }) as Write;
}

/** Frozen messages belong to a generation and are written in many answers: each is put into words once. */
function remembering(write: Write): Write {
  const written = new WeakMap<object, string>();
  const fresh = write as (message: object) => string;
  return ((message: object) => {
    if (!Object.isFrozen(message)) return fresh(message);
    const known = written.get(message);
    if (known !== undefined) return known;
    const text = fresh(message);
    written.set(message, text);
    return text;
  }) as Write;
}

function mapWriter(item: Write): Write {
  const write = item as (value: unknown) => string;
  return ((values: Readonly<Record<string, unknown>>) =>
    `{${Object.entries(values)
      .map(([key, value]) => `${textWriter(key)}:${write(value)}`)
      .join(",")}}`) as Write;
}

function enumWriter(desc: DescEnum): Write {
  const names = new Map(desc.values.map(({ number, name }) => [number, `"${name}"`]));
  return ((number: number) => names.get(number) ?? String(number)) as Write;
}

function scalarWriter(field: DescField, scalar: ScalarType): Write {
  switch (scalar) {
    case ScalarType.STRING:
      return textWriter as Write;
    case ScalarType.BOOL:
      return ((value: boolean) => (value ? "true" : "false")) as Write;
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return numberWriter as Write;
    case ScalarType.BYTES:
      return ((value: Uint8Array) => `"${Buffer.from(value).toString("base64")}"`) as Write;
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return (
        getOption(field, fieldOption).int64AsNumber ? (value: bigint) => String(value) : (value: bigint) => `"${value}"`
      ) as Write;
    default:
      return String as Write;
  }
}

/** Short texts that need no escape are the rule; looking at them is cheaper than `JSON.stringify`. */
function textWriter(text: string): string {
  if (text.length > 40) return asBytes(JSON.stringify(text));
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 32 || code === 34 || code === 92 || code > 126) return asBytes(JSON.stringify(text));
  }
  return `"${text}"`;
}

/** A JSON text as its UTF-8 bytes. */
export function asBytes(text: string): JsonBytes {
  return (/[^ -~]/.test(text) ? Buffer.from(text).toString("latin1") : text) as JsonBytes;
}

function numberWriter(value: number): string {
  return Number.isFinite(value) ? String(value) : `"${value}"`;
}
