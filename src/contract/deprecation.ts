import { type DescMessage, isFieldSet, type Message } from "@bufbuild/protobuf";

/** The release that deprecated what is deprecated: 1.0.0. */
export const deprecatedSince = new Date("2026-11-20T00:00:00Z");

/** Unix seconds. */
const since = deprecatedSince.getTime() / 1_000;

/** Headers of an answer under an older name of a path, as flat pairs (RFC 9745, RFC 8288). */
export function aliasHeaders(path: string): readonly string[] {
  return ["Deprecation", `@${since}`, "Link", `<${path}>; rel="successor-version"`];
}

/** Headers of an answer to a deprecated parameter of a path, as flat pairs; the path without it is its successor. */
export function parameterHeaders(path: string): readonly string[] {
  return [...aliasHeaders(path), "Link", '</versions>; rel="deprecation"'];
}

/** Tells whether a request uses a parameter that its message marks as deprecated. */
export function usesDeprecated(desc: DescMessage): (message: Message) => boolean {
  const deprecated = desc.fields.filter((field) => field.deprecated);
  return (message) => deprecated.some((field) => isFieldSet(message, field));
}
