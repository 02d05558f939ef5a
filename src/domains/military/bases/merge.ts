import { around } from "geokdbush";
import KDBush from "kdbush";
import type { MilitaryBase } from "../../../../gen/es/ids/military/v1/military_pb.ts";
import { libraries } from "../../../reference/libraries.ts";
import { countryAt } from "../../../reference/places/boundaries.ts";
import { tierOf } from "./sources/vocabulary.ts";

interface Host {
  /** The ISO 3166-1 alpha-2 code of the territory or country. Empty on the open sea and in Antarctica. */
  readonly country: string;
  /** The power that controls the place. A base belongs to it if no source names another power. */
  readonly type: string;
}

/** Returns the host of a place. In a disputed area, it has the recognized country and the controlling power. */
export function hostOf(latitude: number, longitude: number): Host {
  const country = countryAt(latitude, longitude)?.alpha2 ?? "";
  // The boundary data has the 180th meridian only as -180.
  const { iso1A2Code } = libraries.countryCoder();
  const holder = iso1A2Code([longitude === 180 ? -180 : longitude, latitude], { level: "country" }) ?? "";
  return { country, type: powers.get(country) ?? powers.get(holder) ?? "other" };
}

const natoMembers = "US DE CA ES PL NL BE NO DK PT GR CZ HU RO BG HR SK SI LV LT EE AL ME MK FI SE IS LU".split(" ");

const powers = new Map([
  ...natoMembers.map((code) => [code, "us-nato"] as const),
  ["CN", "china"],
  ["RU", "russia"],
  ["GB", "uk"],
  ["FR", "france"],
  ["IN", "india"],
  ["IT", "italy"],
  ["AE", "uae"],
  ["TR", "turkey"],
  ["JP", "japan"],
]);

/** Returns whether two names have equal words, or all words that are specific to one of them occur in the other. */
function isSimilarName(one: string, other: string): boolean {
  const [first, second] = [wordsOf(one), wordsOf(other)];
  if (first.join(" ") === second.join(" ")) return true;
  const [a, b] = [specificWords(first), specificWords(second)];
  return isWithin(a, b) || isWithin(b, a);
}

/** Other names of places in the project's own list, by ID. Other maps use these names. */
const otherNames: ReadonlyMap<string, readonly string[]> = new Map([
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

function specificWords(words: readonly string[]): string[] {
  return words.filter((word) => !generalWords.has(word));
}

const articles = new Set("the of and at de la le du des".split(" "));

/** Words for the kind of a place, such as `base`. They do not identify it, so names are compared without them. */
const generalWords = new Set([
  "centre",
  ...`air airbase airfield airport airstrip area armed army barracks base cantonment camp center cfb depot facility
  field force forces fort garrison ground headquarters hmnb hq ins installation jetty marine mcas military nas naval navy nsa
  nsf port raaf raf range reef site space station support training unit`.split(/\s+/),
]);

/** Adds the curated list to the surveyed one. If a curated base is nearby, both are combined. IDs occur only once. */
export function merge(surveyed: readonly MilitaryBase[], curated: readonly MilitaryBase[]): MilitaryBase[] {
  const bases = withoutMappedTwins(withoutTwinNodes(firstOfEachId(surveyed)));
  const nearby = neighbors(bases, isOneBase);
  for (const base of curated) {
    const [place] = nearby(base);
    const match = place === undefined ? undefined : bases[place];
    if (place === undefined || match === undefined) bases.push(base);
    else bases[place] = enriched(match, base);
  }
  return firstOfEachId(bases).map(completed);
}

/**
 * Returns whether two entries are one base. It is so if the names are equal. If they are only similar, the powers must
 * not differ, and neither entry may be a part of a base.
 */
function isOneBase(base: MilitaryBase, mapped: MilitaryBase): boolean {
  if (isNamesake(base, mapped)) return true;
  if (base.type && mapped.type && base.type !== mapped.type) return false;
  if ([base, mapped].some(({ kind }) => tierOf(kind) === 3)) return false;
  const names = [base.name, ...(otherNames.get(base.id) ?? [])];
  return names.some((name) => isSimilarName(name, mapped.name));
}

function isNamesake(one: MilitaryBase, other: MilitaryBase): boolean {
  return one.name.toLowerCase() === other.name.toLowerCase();
}

const twinKilometres = 0.2;

function firstOfEachId(bases: readonly MilitaryBase[]): MilitaryBase[] {
  const byId = new Map<string, MilitaryBase>();
  for (const base of bases) if (!byId.has(base.id)) byId.set(base.id, base);
  return [...byId.values()];
}

/** Removes a point of OpenStreetMap if an area with the same name is there, because the map often has both. */
function withoutTwinNodes(bases: readonly MilitaryBase[]): MilitaryBase[] {
  const areas = bases.filter(({ id }) => id.startsWith("way/") || id.startsWith("relation/"));
  const nearby = neighbors(areas, isNamesake);
  return bases.filter((base) => !base.id.startsWith("node/") || nearby(base).length === 0);
}

/** Removes entries of OpenStreetMap for sites that the Department of Defense has surveyed. */
function withoutMappedTwins(bases: readonly MilitaryBase[]): MilitaryBase[] {
  const own = bases.filter(isOfDepartment);
  const nearby = neighbors(own, isOneBase);
  return bases.filter((base) => isOfDepartment(base) || nearby(base).length === 0);
}

function isOfDepartment({ id }: MilitaryBase): boolean {
  return id.startsWith("mirta:");
}

/** Returns a function that finds the entries near a base that are the same base, nearest first. */
function neighbors(
  bases: readonly MilitaryBase[],
  isOne: (base: MilitaryBase, neighbor: MilitaryBase) => boolean,
): (base: MilitaryBase) => number[] {
  const tree = new KDBush(bases.length);
  for (const base of bases) tree.add(base.longitude, base.latitude);
  tree.finish();
  return (base) =>
    // All places within the distance are filtered afterwards, because a filter in the search could visit the whole
    // tree.
    around(tree, base.longitude, base.latitude, Infinity, twinKilometres).filter((place) => {
      const neighbor = bases[place];
      return neighbor !== undefined && isOne(base, neighbor);
    });
}

function enriched(base: MilitaryBase, curated: MilitaryBase): MilitaryBase {
  const { name, type, tier, catAirforce, catNaval, catNuclear, catSpace, catTraining } = curated;
  const categories = { catAirforce, catNaval, catNuclear, catSpace, catTraining };
  const branch = curated.branch || base.branch;
  return { ...base, name, type, tier, branch, status: curated.status || base.status, ...categories };
}

function completed(base: MilitaryBase): MilitaryBase {
  const host = hostOf(base.latitude, base.longitude);
  return { ...base, countryIso2: host.country || base.countryIso2, type: base.type || host.type };
}
