import { type DescField, type DescMessage, type JsonValue, type MessageShape, ScalarType } from "@bufbuild/protobuf";
import { field as fieldOption } from "../../gen/es/ids/options/v1/options_pb.ts";
import { getOption } from "./option.ts";
import { isObject, type JsonObject } from "./request/body.ts";
import { converter } from "./request/conversion.ts";

/** Converts a message to plain JSON. The result equals the parsed output of `jsonWriter`. */
export type PlainMaker<D extends DescMessage> = (message: MessageShape<D>) => JsonObject;

const converterOf = converter<JsonValue>({
  name: (jsonName) => jsonName,
  members(message, members) {
    const plain: Record<string, JsonValue> = {};
    for (const { name, read, convert } of members) {
      const value = read(message);
      if (value !== undefined) plain[name] = convert(value);
    }
    return plain;
  },
  list: (values, convert) => values.map((value) => convert(value)),
  // `fromEntries` treats the key `__proto__` like any other key.
  map: (values, convert) => Object.fromEntries(Object.entries(values).map(([key, value]) => [key, convert(value)])),
  enumeration(desc) {
    const names = new Map(desc.values.map(({ number, name }) => [number, name]));
    return (number) => names.get(number) ?? number;
  },
  scalar: scalarMaker,
  json: (value) => value,
});

export function plainMaker<D extends DescMessage>(desc: D): PlainMaker<D> {
  const convert = converterOf(desc);
  return (message) => {
    const plain = convert(message);
    return isObject(plain) ? plain : {};
  };
}

function scalarMaker(field: DescField, scalar: ScalarType): (value: never) => JsonValue {
  switch (scalar) {
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return (value: number) => (Number.isFinite(value) ? value : String(value));
    case ScalarType.BYTES:
      return (value: Uint8Array) => Buffer.from(value).toString("base64");
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return getOption(field, fieldOption).int64AsNumber ? Number : String;
    default:
      return (value: JsonValue) => value;
  }
}
