import { hash } from "node:crypto";

/** Content encodings in which an answer is kept. */
export type Encoding = "identity" | "gzip" | "br";

const suffixes: Readonly<Record<Encoding, string>> = { identity: "", gzip: "-gz", br: "-br" };
const knownSuffixes: ReadonlySet<string> = new Set(Object.values(suffixes));

/** 128 bits of the body's SHA-256 (of a string's UTF-8): one tag a body, a suffix per encoding. */
export function bodyHash(body: Buffer | string): string {
  return hash("sha256", body, "base64url").slice(0, 22);
}

/** The strong entity tag of a body in an encoding. */
export function entityTag(hash: string, encoding: Encoding): string {
  return `"${hash}${suffixes[encoding]}"`;
}

/** RFC 9110 13.1.2: weak comparison against a list or `*`; the encoding's suffix does not count. */
export function noneMatch(header: string, hash: string): boolean {
  if (header.trim() === "*") return false;
  for (const [, tag] of header.matchAll(/(?:^|,)\s*(?:W\/)?"([^"]*)"(?=\s*(?:,|$))/g))
    if (tag?.startsWith(hash) && knownSuffixes.has(tag.slice(hash.length))) return false;
  return true;
}
