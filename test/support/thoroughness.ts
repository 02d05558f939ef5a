/**
 * Whether this run checks all cases that are alike, as a release requires. A run for each change checks some of every
 * kind. The project "before release" of test/vitest.more.ts runs every file that imports this one.
 */
export const isThorough = process.env.IDS_TEST_CASES === "all";

/** Returns all items before a release, and otherwise the first of every `step` items. */
export function someOf<T>(items: readonly T[], step: number): readonly T[] {
  return isThorough ? items : items.filter((_, place) => place % step === 0);
}

/** Returns all items before a release, and otherwise the first one of each kind. */
export function oneOfEachKind<T>(items: readonly T[], kindOf: (item: T) => unknown): readonly T[] {
  if (isThorough) return items;
  return [...Map.groupBy(items, (item) => JSON.stringify(kindOf(item))).values()].flatMap(([first]) => first ?? []);
}
