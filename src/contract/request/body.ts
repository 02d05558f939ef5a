import {
  type DescEnum,
  type DescField,
  type DescMessage,
  fromJson,
  type JsonValue,
  type MessageShape,
  ScalarType,
} from "@bufbuild/protobuf";
import { InvalidBody, InvalidRequest, invalidField, type Violation } from "../../errors.ts";
import { hasTooManyItems, maxItems, maxJsonItems, tooManyItems } from "./request-size.ts";

export type JsonObject = { readonly [name: string]: JsonValue };

/** Converts a JSON body to a request message; unknown members are ignored. */
export type BodyDecoder<D extends DescMessage> = (body: JsonObject) => MessageShape<D>;

const options = { ignoreUnknownFields: true };

/** Compiles the conversion of a body. The conversion throws `InvalidRequest` for members of the wrong type. */
export function bodyDecoder<D extends DescMessage>(desc: D): BodyDecoder<D> {
  return (body) => {
    const violations = unreadable(desc, body, "");
    if (violations.length > 0) throw new InvalidRequest(violations);
    return fromJson(desc, body, options);
  };
}

/** Returns a violation for each member that cannot be parsed: the innermost one, not those around it. */
function unreadable(desc: DescMessage, body: JsonObject, before: string): Violation[] {
  return desc.fields.flatMap((member) => {
    const { jsonName, name } = member;
    const field = before + jsonName;
    if (jsonName !== name && Object.hasOwn(body, jsonName) && Object.hasOwn(body, name))
      return [{ field, description: `value must not be given again as ${name}` }];
    const value = body[jsonName] ?? body[name];
    if (value === undefined) return [];
    if (member.fieldKind === "list" && Array.isArray(value) && value.length > maxItems(member))
      return [{ field, description: tooManyItems(member) }];
    const inside = member.message ? unreadableInside(member, member.message, value, field) : [];
    if (inside.length > 0 || isReadable(desc, member, value)) return inside;
    return [{ field, description: `value must be ${wanted(member)}` }];
  });
}

function unreadableInside(member: DescField, desc: DescMessage, value: JsonValue, field: string): Violation[] {
  if (isObject(value)) return unreadable(desc, value, `${field}.`);
  if (!Array.isArray(value) || member.fieldKind !== "list") return [];
  return value.flatMap((item, index) => {
    const place = `${field}[${index}]`;
    return isObject(item)
      ? unreadable(desc, item, `${place}.`)
      : [{ field: place, description: "value must be an object" }];
  });
}

function isReadable(desc: DescMessage, member: DescField, value: JsonValue): boolean {
  // Unknown enum names are checked here, because `ignoreUnknownFields` ignores them as well.
  const names = member.enum && new Set<JsonValue>(member.enum.values.map(({ name }) => name));
  if (names && [value].flat().some((item) => typeof item === "string" && !names.has(item))) return false;
  try {
    fromJson(desc, { [member.jsonName]: value }, options);
    return true;
  } catch {
    return false;
  }
}

export function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Parses a body. An empty body counts as an empty object. Throws `InvalidBody` for anything but an object. */
export function jsonObject(text: string): JsonObject {
  if (text.trim() === "") return {};
  if (hasTooManyItems(text)) throw invalidField("body", `must contain at most ${maxJsonItems} values`);
  try {
    const body: JsonValue = JSON.parse(text);
    if (isObject(body)) return body;
  } catch {
    // Invalid JSON is rejected below, like any other body that is not an object.
  }
  throw new InvalidBody();
}

function wanted(member: DescField): string {
  switch (member.fieldKind) {
    case "list":
      if (member.listKind === "enum") return `an array whose items are ${choice(member.enum)}`;
      return `an array${member.listKind === "scalar" ? ` whose items are ${scalar(member.scalar)}` : ""}`;
    case "scalar":
      return scalar(member.scalar);
    case "enum":
      return choice(member.enum);
    default:
      return "an object";
  }
}

function choice({ values }: DescEnum): string {
  return `one of ${values.flatMap(({ name, number }) => (number === 0 ? [] : [name])).join(", ")}`;
}

function scalar(type: ScalarType): string {
  if (type === ScalarType.STRING) return "a string";
  if (type === ScalarType.BYTES) return "base64 text";
  if (type === ScalarType.BOOL) return "true or false";
  return type === ScalarType.DOUBLE || type === ScalarType.FLOAT ? "a number" : "an integer within its range";
}
