/** Whether two names are of the same place: equal, or one says all that is particular about the other. */
export function isSimilarName(one: string, other: string): boolean {
  const [first, second] = [wordsOf(one), wordsOf(other)];
  if (first.join(" ") === second.join(" ")) return true;
  const [a, b] = [particular(first), particular(second)];
  return isWithin(a, b) || isWithin(b, a);
}

/** What the places of our own list are called on other maps, by id. */
export const otherNames: ReadonlyMap<string, readonly string[]> = new Map([
  ["subi-reef", ["渚碧礁", "Zamora Reef", "Đá Xu Bi"]],
  ["mischief-reef", ["美济礁", "美濟礁", "Panganiban Reef", "Đá Vành Khăn"]],
  ["fiery-cross-reef", ["永暑礁", "Kagitingan Reef", "Đá Chữ Thập"]],
  ["woody-island", ["永兴岛", "永興島", "Đảo Phú Lâm"]],
]);

function isWithin(some: readonly string[], all: readonly string[]): boolean {
  return some.length > 0 && some.every((word) => all.includes(word));
}

function wordsOf(name: string): string[] {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !articles.has(word));
}

function particular(words: readonly string[]): string[] {
  return words.filter((word) => !general.has(word));
}

const articles = new Set("the of and at de la le du des".split(" "));

/** Words that say what a place is, not which. */
const general = new Set(
  `air airbase airfield airport airstrip area armed army barracks base cantonment camp center centre cfb depot facility
  field force forces fort garrison ground headquarters hmnb hq ins installation jetty marine mcas military nas naval navy nsa
  nsf port raaf raf range reef site space station support training unit`.split(/\s+/),
);
