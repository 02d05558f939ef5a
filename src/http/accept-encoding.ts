import type { Encoding } from "./entity-tag.ts";

/** The best encoding of those at hand that the request takes: br before gzip before identity at equal weight. */
export function chooseEncoding(header: string | undefined, hasGzip: boolean, hasBrotli: boolean): Encoding {
  if (header === undefined || header === "" || !(hasGzip || hasBrotli)) return "identity";
  const weights = weightsOf(header);
  const weight = (name: string) => weights.get(name) ?? weights.get("*") ?? (name === "identity" ? 0.001 : 0);
  const brotli = hasBrotli ? weight("br") : 0;
  const gzip = hasGzip ? Math.max(weight("gzip"), weights.get("x-gzip") ?? 0) : 0;
  const identity = weight("identity");
  if (brotli > 0 && brotli >= gzip && brotli >= identity) return "br";
  return gzip > 0 && gzip >= identity ? "gzip" : "identity";
}

/** Browsers send a handful of different values; the plan of each is kept. */
const remembered = new Map<string, ReadonlyMap<string, number>>();

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
  if (remembered.size < 256) remembered.set(header, weights);
  return weights;
}
