import type { JsonReadOptions, JsonValue, JsonWriteOptions } from "@bufbuild/protobuf";
import type { Operation } from "../../contract/catalog.ts";
import { isObject } from "../../contract/request/body.ts";
import { refuseUnknownMembers } from "../../contract/request/strict.ts";
import { toConnectError } from "../errors.ts";

type JsonOptions = Partial<JsonReadOptions & JsonWriteOptions>;

/**
 * How a write is read from JSON: members that its message does not have are refused, as in plain JSON. The library has its
 * text from the decoder of its options, and sends on what that throws.
 */
export function strictJson(operation: Operation, options: JsonOptions): JsonOptions {
  const utf8 = new TextDecoder("utf-8", { fatal: true });
  const textDecoder = {
    decode(bytes: Uint8Array): string {
      const text = utf8.decode(bytes);
      try {
        const body = parsed(text);
        if (isObject(body)) refuseUnknownMembers(operation, body);
      } catch (error) {
        throw toConnectError(error, 0);
      }
      return text;
    },
  };
  return Object.assign({ textDecoder }, options);
}

/** What is no JSON is refused by the library. */
function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
