import { type DescField, type DescMessage, type MessageShape, ScalarType } from "@bufbuild/protobuf";
import { field as fieldOption } from "../../gen/es/ids/options/v1/options_pb.ts";
import { getOption } from "./option.ts";
import { converter } from "./request/conversion.ts";

declare const utf8: unique symbol;

/** JSON in UTF-8, where each character of the string stands for one byte. It is sent without further encoding. */
export type JsonBytes = string & { readonly [utf8]: true };

/**
 * Serializes a message as JSON of this API: with default values of fields that are not optional, without absent
 * messages, and with int64 as the contract defines.
 */
export type JsonWriter<D extends DescMessage> = (message: MessageShape<D>) => JsonBytes;

/** Number of values after which the text is copied to one piece, because V8 keeps all pieces until then. */
const valuesInPart = 64;

const converterOf = converter<JsonBytes>({
  name: (jsonName) => `,${JSON.stringify(jsonName)}:`,
  members(message, members) {
    let text = "";
    for (const { name, read, convert } of members) {
      const value = read(message);
      if (value !== undefined) text += name + convert(value);
    }
    return bytes(text === "" ? "{}" : `{${text.slice(1)}}`);
  },
  list(values, convert) {
    const parts: string[] = [];
    for (let start = 0; start < values.length; start += valuesInPart)
      parts.push(
        values
          .slice(start, start + valuesInPart)
          .map(convert)
          .join(","),
      );
    return bytes(`[${parts.join(",")}]`);
  },
  map: (values, convert) =>
    bytes(
      `{${Object.entries(values)
        .map(([key, value]) => `${textOf(key)}:${convert(value)}`)
        .join(",")}}`,
    ),
  enumeration(desc) {
    const names = new Map(desc.values.map(({ number, name }) => [number, bytes(`"${name}"`)]));
    return (number) => names.get(number) ?? bytes(String(number));
  },
  scalar: scalarWriter,
  json: (value) => asBytes(JSON.stringify(value)),
});

export function jsonWriter<D extends DescMessage>(desc: D): JsonWriter<D> {
  return converterOf(desc);
}

function scalarWriter(field: DescField, scalar: ScalarType): (value: never) => JsonBytes {
  switch (scalar) {
    case ScalarType.STRING:
      return textOf;
    case ScalarType.BOOL:
      return (value: boolean) => bytes(value ? "true" : "false");
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return numberOf;
    case ScalarType.BYTES:
      return (value: Uint8Array) => bytes(`"${Buffer.from(value).toString("base64")}"`);
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return getOption(field, fieldOption).int64AsNumber
        ? (value: bigint) => bytes(String(value))
        : (value: bigint) => bytes(`"${value}"`);
    default:
      return (value: number) => bytes(String(value));
  }
}

/** Most texts need no escapes. This check is faster than `JSON.stringify`. */
function textOf(text: string): JsonBytes {
  if (text.length > 40) return asBytes(JSON.stringify(text));
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 32 || code === 34 || code === 92 || code > 126) return asBytes(JSON.stringify(text));
  }
  return bytes(`"${text}"`);
}

function numberOf(value: number): JsonBytes {
  return bytes(Number.isFinite(value) ? String(value) : `"${value}"`);
}

export function asBytes(text: string): JsonBytes {
  return bytes(/[^ -~]/.test(text) ? Buffer.from(text).toString("latin1") : text);
}

/** Declares that each character of a text stands for one byte. */
function bytes(text: string): JsonBytes {
  return text as JsonBytes;
}
