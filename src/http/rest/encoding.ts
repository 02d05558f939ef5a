import { hash } from "node:crypto";
import { serializeDictionary } from "structured-headers";
import type { Body } from "../exchange.ts";

export type Encoding = "identity" | "gzip" | "br";

const suffixes: Readonly<Record<Encoding, string>> = { identity: "", gzip: "-gz", br: "-br" };
const knownSuffixes: ReadonlySet<string> = new Set(Object.values(suffixes));

/** Returns the SHA-256 of a body in base64. A string has one character per byte. */
export function digestOf(body: Body): string {
  return hash("sha256", typeof body === "string" ? Buffer.from(body, "latin1") : body, "base64");
}

/** Returns 128 bits of a digest in base64url. The ETag of each encoding adds a suffix. */
export function hashOf(digest: string): string {
  return digest.slice(0, 22).replaceAll("+", "-").replaceAll("/", "_");
}

/** Returns the header with the digest of the representation (RFC 9530), as name and value. */
export function digestHeader(digest: string): readonly string[] {
  return ["Repr-Digest", serializeDictionary({ "sha-256": Buffer.from(digest, "base64") })];
}

export function entityTag(hash: string, encoding: Encoding): string {
  return `"${hash}${suffixes[encoding]}"`;
}

/** Compares an `If-None-Match` header weakly with a hash, as in RFC 9110 13.1.2. Suffixes of encodings are ignored. */
export function noneMatch(header: string, hash: string): boolean {
  if (header.trim() === "*") return false;
  for (const [, tag] of header.matchAll(/(?:^|,)\s*(?:W\/)?"([^"]*)"(?=\s*(?:,|$))/g))
    if (tag?.startsWith(hash) && knownSuffixes.has(tag.slice(hash.length))) return false;
  return true;
}

/** Chooses an encoding. At equal weight, br precedes gzip and identity. Undefined if the client accepts none. */
export function chooseEncoding(header: string | undefined, hasGzip: boolean, hasBrotli: boolean): Encoding | undefined {
  if (header === undefined || header === "") return "identity";
  const weights = weightsOf(header);
  const weight = (name: string) => weights.get(name) ?? weights.get("*") ?? (name === "identity" ? 0.001 : 0);
  const brotli = hasBrotli ? weight("br") : 0;
  const gzip = hasGzip ? Math.max(weight("gzip"), weights.get("x-gzip") ?? 0) : 0;
  const identity = weight("identity");
  if (brotli > 0 && brotli >= gzip && brotli >= identity) return "br";
  if (gzip > 0 && gzip >= identity) return "gzip";
  return identity > 0 ? "identity" : undefined;
}

/** Clients send few different `Accept-Encoding` and `Accept` headers, so the parsed weights are cached. */
const remembered = new Map<string, ReadonlyMap<string, number>>();
const maxRemembered = 256;
const maxHeader = 128;

/** Returns the weight of each value that a header lists, without its other parameters (RFC 9110 12.4.2). */
export function weightsOf(header: string): ReadonlyMap<string, number> {
  const known = remembered.get(header);
  if (known) return known;
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(",").slice(0, 32)) {
    const [name = "", ...parameters] = part.trim().split(";");
    const quality = parameters
      .map((text) => /^\s*q=([01](?:\.\d{0,3})?)\s*$/.exec(text)?.[1])
      .find((text) => text !== undefined);
    if (name !== "") weights.set(name.trim(), quality === undefined ? 1 : Number(quality));
  }
  if (header.length > maxHeader) return weights;
  if (remembered.size >= maxRemembered) remembered.clear();
  remembered.set(header, weights);
  return weights;
}
