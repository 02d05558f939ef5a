import type { Random } from "../random.ts";

/** Returns one of the items, with a probability in proportion to its weight. */
export function weighted<T>({ unit }: Random, items: readonly (readonly [T, number])[]): T {
  let left = unit() * items.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [item, weight] of items) {
    left -= weight;
    if (left < 0) return item;
  }
  throw new Error("Nothing to draw from");
}

/** Returns one item of a list. Throws if the list is empty. */
export function one<T>(random: Random, items: readonly T[]): T {
  return weighted(
    random,
    items.map((item) => [item, 1]),
  );
}
