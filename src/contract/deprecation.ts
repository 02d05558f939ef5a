import { type DescMessage, isFieldSet, type Message } from "@bufbuild/protobuf";

/** Release date of 1.0.0, which deprecated all deprecated elements. */
export const deprecatedSince = new Date("2026-11-20T00:00:00Z");

/** Unix seconds. */
const since = deprecatedSince.getTime() / 1_000;

/** Headers of a response at an older path, as flat pairs (RFC 9745, RFC 8288). */
export function aliasHeaders(path: string): readonly string[] {
  return ["Deprecation", `@${since}`, "Link", `<${path}>; rel="successor-version"`];
}

/** Headers of a response to a deprecated parameter, as flat pairs. The successor is the path without it. */
export function parameterHeaders(path: string): readonly string[] {
  return [...aliasHeaders(path), "Link", '</versions>; rel="deprecation"'];
}

export function usesDeprecated(desc: DescMessage): (message: Message) => boolean {
  const deprecated = desc.fields.filter((field) => field.deprecated);
  return (message) => deprecated.some((field) => isFieldSet(message, field));
}
