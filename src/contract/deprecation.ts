import { type DescMessage, isFieldSet, type Message } from "@bufbuild/protobuf";
import { serializeItem } from "structured-headers";

/** Release date of version 1.0.0, which deprecated the old paths and parameters. */
export const deprecatedSince = new Date("2026-11-20T00:00:00Z");

const since = serializeItem(deprecatedSince);

/** Returns headers for a request at an old path, as alternating names and values (RFC 9745, RFC 8288). */
export function aliasHeaders(path: string): readonly string[] {
  return ["Deprecation", since, "Link", `<${path}>; rel="successor-version"`];
}

/** Returns deprecation headers for a request with a deprecated parameter. The successor is the path without it. */
export function parameterHeaders(path: string): readonly string[] {
  return [...aliasHeaders(path), "Link", '</versions>; rel="deprecation"'];
}

export function usesDeprecated(desc: DescMessage): (message: Message) => boolean {
  const deprecated = desc.fields.filter((field) => field.deprecated);
  return (message) => deprecated.some((field) => isFieldSet(message, field));
}
