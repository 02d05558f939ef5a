import type { Encoding } from "./entity-tag.ts";

/** At equal weight, br is before gzip before identity. Undefined if the request accepts none. */
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

/** Browsers send only a few different short values, so their parsed weights are cached. */
const remembered = new Map<string, ReadonlyMap<string, number>>();
const maxRemembered = 256;
const maxHeader = 128;

function weightsOf(header: string): ReadonlyMap<string, number> {
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
