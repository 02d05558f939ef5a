import {
  type DescField,
  type DescMessage,
  fromJson,
  type JsonValue,
  type MessageShape,
  ScalarType,
} from "@bufbuild/protobuf";
import { InvalidBody, InvalidRequest, type Violation } from "../errors.ts";

/** A JSON object as it came. */
export type JsonObject = { readonly [name: string]: JsonValue };

/** Reads a JSON body into a request message; unknown members are left alone. */
export type BodyDecoder<D extends DescMessage> = (body: JsonObject) => MessageShape<D>;

/** Throws `InvalidRequest` for members of the wrong type. */
export function bodyDecoder<D extends DescMessage>(desc: D): BodyDecoder<D> {
  const options = { ignoreUnknownFields: true };
  const isReadable = (member: DescField, value: JsonValue) => {
    try {
      fromJson(desc, { [member.jsonName]: value }, options);
      return true;
    } catch {
      return false;
    }
  };
  return (body) => {
    try {
      return fromJson(desc, body, options);
    } catch (error) {
      const violations = desc.fields.flatMap((member): Violation[] => {
        const { jsonName, name } = member;
        if (jsonName !== name && Object.hasOwn(body, jsonName) && Object.hasOwn(body, name))
          return [{ field: jsonName, description: `value must not be given again as ${name}` }];
        const value = body[jsonName] ?? body[name];
        return value === undefined || isReadable(member, value)
          ? []
          : [{ field: jsonName, description: `value must be ${wanted(member)}` }];
      });
      if (violations.length === 0) throw error;
      throw new InvalidRequest(violations);
    }
  };
}

/** The object of a body; an empty body is an empty object. Throws `InvalidBody` for anything else. */
export function jsonObject(text: string): JsonObject {
  if (text.trim() === "") return {};
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === "object" && body !== null && !Array.isArray(body)) return body as JsonObject;
  } catch {
    // Told like any other body that is no object.
  }
  throw new InvalidBody("Invalid request body");
}

function wanted(member: DescField): string {
  switch (member.fieldKind) {
    case "list":
      return `an array${member.listKind === "scalar" ? ` whose items are ${scalar(member.scalar)}` : ""}`;
    case "scalar":
      return scalar(member.scalar);
    case "enum":
      return `one of ${member.enum.values.map(({ name }) => name).join(", ")}`;
    default:
      return "an object";
  }
}

function scalar(type: ScalarType): string {
  if (type === ScalarType.STRING) return "a string";
  if (type === ScalarType.BYTES) return "base64 text";
  if (type === ScalarType.BOOL) return "true or false";
  return type === ScalarType.DOUBLE || type === ScalarType.FLOAT ? "a number" : "an integer within its range";
}
