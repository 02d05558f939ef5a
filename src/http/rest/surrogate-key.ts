import type { Operation } from "../../contract/catalog.ts";

/** By this header caches know what to forget when a dataset changes. */
export const surrogateKey = "Surrogate-Key";

/** Names what an answer is made from, where shared caches may keep it; as a flat pair. */
export function surrogateKeys({ access }: Operation, datasets: readonly string[]): readonly string[] {
  return access.anonymous && datasets.length > 0 ? [surrogateKey, datasets.join(" ")] : [];
}
