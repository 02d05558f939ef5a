import type { Operation } from "../../contract/catalog.ts";

/** Header with the datasets of a response. A shared cache can purge responses by dataset. */
export const surrogateKey = "Surrogate-Key";

/** Returns the header with the datasets of a response, if shared caches may store it. */
export function surrogateKeys({ access }: Operation, datasets: readonly string[]): readonly string[] {
  return access.anonymous && datasets.length > 0 ? [surrogateKey, datasets.join(" ")] : [];
}
