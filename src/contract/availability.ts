import { type DescMessage, ScalarType } from "@bufbuild/protobuf";

/** Members of a response that show by this value that data is missing or unconfirmed. */
const flags: Readonly<Record<string, boolean>> = {
  upstreamUnavailable: true,
  unavailable: true,
  degraded: true,
  stale: true,
  dataAvailable: false,
  available: false,
};

/** Members of a response that show by one of these texts that data is missing or unconfirmed. */
const words: Readonly<Record<string, readonly string[]>> = {
  availability: ["stale", "unavailable"],
};

/** Returns a function that detects responses with missing or unconfirmed data, which must not be cached. */
export function saysUnavailable(desc: DescMessage): (message: object) => boolean {
  const signs = desc.fields.flatMap(({ localName, fieldKind, scalar }) => {
    if (fieldKind !== "scalar") return [];
    if (scalar === ScalarType.BOOL && localName in flags)
      return [{ localName, says: (value: unknown) => value === flags[localName] }];
    if (scalar === ScalarType.STRING && localName in words)
      return [{ localName, says: (value: unknown) => words[localName]?.includes(String(value)) ?? false }];
    if (scalar === ScalarType.STRING && localName === "error")
      return [{ localName, says: (value: unknown) => value !== "" && value !== undefined }];
    return [];
  });
  return (message) => {
    const values: Readonly<Record<string, unknown>> = { ...message };
    return signs.some(({ localName, says }) => says(values[localName]));
  };
}
