import { plainName } from "../countries/country-names.ts";

/** Words that say what an area is, in the languages of the lists, and articles. */
const generic = new Set(
  `oblast region regional state province governorate district division department prefecture county canton municipality
  republic autonomous area federal capital territory special wilaya muhafazat union city ciudad of and in al ad an as ar ash at
  az el ed en es er ez de du da la le les`.split(/\s+/),
);

const directions: Readonly<Record<string, string>> = {
  ...{ northern: "north", southern: "south", eastern: "east", western: "west" },
  ...{ nord: "north", sud: "south", est: "east", ouest: "west" },
};

/** Returns the letters of a name without words that say what it is: `northdarfur` for `Northern Darfur state`. */
export function coreOf(name: string): string {
  return plainName(name)
    .split(" ")
    .filter((word) => !generic.has(word))
    .map((word) => directions[word] ?? word)
    .join("");
}

/** Returns the consonants of a name, because transcriptions differ in vowels: `rq` for both `Ar-Raqqah` and `Raqqa`. */
function soundOf(name: string): string {
  return coreOf(name)
    .replaceAll(/(?!^)[aeiouyh]|^[aeiou]/g, "")
    .replaceAll("k", "q")
    .replaceAll(/(.)\1+/g, "$1");
}

const directionWords = new Set(Object.values(directions));
const minCommon = 4;
const minShare = 0.75;
const maxEnding = 4;

/**
 * Returns the length of the common beginning of two names that have no words such as `state`. Returns 0 if the region
 * adds more than a short ending, as in `Kharkivska` for `Kharkiv`, because `Gaza Strip` is not the region `Gaza`, and
 * `North` is not `Northwest`.
 */
export function commonBeginning(region: string, name: string): number {
  let length = 0;
  while (length < name.length && name[length] === region[length]) length++;
  const ending = region.slice(length);
  const isEnding = length >= minShare * name.length && ending.length <= maxEnding && !directionWords.has(ending);
  return length >= minCommon && isEnding ? length : 0;
}

/** Functions that normalize names before names are compared, the strictest first. An empty result matches no name. */
export const nameForms: readonly ((name: string) => string)[] = [plainName, coreOf, soundOf];
