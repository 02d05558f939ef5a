import type { JsonReadOptions, JsonValue, JsonWriteOptions } from "@bufbuild/protobuf";
import type { Operation } from "../../contract/catalog.ts";
import { isObject } from "../../contract/request/body.ts";
import { refuseUnknownMembers } from "../../contract/request/strict.ts";
import { toConnectError } from "../errors.ts";

type JsonOptions = Partial<JsonReadOptions & JsonWriteOptions>;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** JSON that is not UTF-8 is refused: the library's own decoder would put other characters in. It has its text from the decoder of its options. */
export function wellFormedJson(options: JsonOptions): JsonOptions {
  return Object.assign({ textDecoder: utf8 }, options);
}

/**
 * How a write is read from JSON: members that its message does not have are refused, as in plain JSON. The library
 * sends on what the decoder throws.
 */
export function strictJson(operation: Operation, options: JsonOptions): JsonOptions {
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
  return Object.assign({}, options, { textDecoder });
}

/** What is no JSON is refused by the library. */
function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
