import type { Random } from "../random.ts";

/** One of the items, each as likely as its weight says. */
export function weighted<T>({ unit }: Random, items: readonly (readonly [T, number])[]): T {
  let left = unit() * items.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [item, weight] of items) {
    left -= weight;
    if (left < 0) return item;
  }
  throw new Error("Nothing to draw from");
}

/** One of a list, which must not be empty. */
export function one<T>(random: Random, items: readonly T[]): T {
  return weighted(
    random,
    items.map((item) => [item, 1]),
  );
}
