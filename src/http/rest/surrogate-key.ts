import type { Operation } from "../../contract/catalog.ts";

/** Caches use this header to purge responses when a dataset changes. */
export const surrogateKey = "Surrogate-Key";

/** Names the datasets of a response as a flat pair, if shared caches may store it. */
export function surrogateKeys({ access }: Operation, datasets: readonly string[]): readonly string[] {
  return access.anonymous && datasets.length > 0 ? [surrogateKey, datasets.join(" ")] : [];
}
