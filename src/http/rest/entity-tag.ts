import { hash } from "node:crypto";

export type Encoding = "identity" | "gzip" | "br";

const suffixes: Readonly<Record<Encoding, string>> = { identity: "", gzip: "-gz", br: "-br" };
const knownSuffixes: ReadonlySet<string> = new Set(Object.values(suffixes));

/** Returns 128 bits of the body's SHA-256 (of a string's UTF-8). Each encoding adds a suffix to it. */
export function bodyHash(body: Buffer | string): string {
  return hash("sha256", body, "base64url").slice(0, 22);
}

export function entityTag(hash: string, encoding: Encoding): string {
  return `"${hash}${suffixes[encoding]}"`;
}

/** Compares weakly with a list or `*`, as in RFC 9110 13.1.2. The suffix of the encoding does not count. */
export function noneMatch(header: string, hash: string): boolean {
  if (header.trim() === "*") return false;
  for (const [, tag] of header.matchAll(/(?:^|,)\s*(?:W\/)?"([^"]*)"(?=\s*(?:,|$))/g))
    if (tag?.startsWith(hash) && knownSuffixes.has(tag.slice(hash.length))) return false;
  return true;
}
