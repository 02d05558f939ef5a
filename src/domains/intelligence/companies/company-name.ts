import type { MessageInitShape } from "@bufbuild/protobuf";
import type { NewsMentionSchema } from "../../../../gen/es/ids/intelligence/v1/enrichment_pb.ts";
import type { ListedCompany, NewsCorpus } from "../../../../gen/es/ids/stored/v1/company_pb.ts";

/**
 * Company names that are mostly ordinary words in official texts. Names such as `Apple` are omitted, because headlines
 * with them mostly mean the company. Names of up to three letters count only in capitals.
 */
export const commonWords: ReadonlySet<string> = new Set(
  `allied amplitude appreciate arena authentic ball bandwidth banner bark beneficient best beyond bill block bots
    capstone cars celsius cheer citizens city coffee coherent compass cool cosmos crane crown crypto delta deluxe
    diodes eastern elastic emerald employers endeavor energy equitable everest evergreen exponent express flex
    fluent fossil freedom frontier fuse gambling genius glimpse gravity guess guild harmonic healing hello highway
    honest immersion infinite innovate integer intelligent interface intrusion joint kernel kinetic latch legible
    lemonade lion lithium lottery lucid mastermind match meridian monday mosaic navigator news nice noble noodles
    nova orange paid paramount perfect pineapple polished pony pool porch post premier progressive pros prudential
    quantum recruiter reliability reliance reliant remark repay rocket root rumble scholastic scores snail snap
    sound southern spar star stem stride target team tilt toast track transnational trip triumph unit universal
    upstart vector vertex view visa visionary waters weed whiting winners workhorse worlds yellow`.split(/\s+/),
);

const legalForms = new Set(
  "inc incorporated corp corporation co company cos companies ltd limited plc llc lp llp sa nv ag se spa ab asa oyj kk holding holdings group adr ads com the and".split(
    " ",
  ),
);

/** Returns the name without its legal form: `Apple Inc.` becomes `Apple`. `S&P Global Inc.` becomes `S&P Global`. */
export function brandOf(title: string): string {
  // `/DE/` (a state), ` - Class A` (a class of shares), and ` - In Receivership` (a status) are removed.
  const plain = title
    .replace(/\s*\/\s*[a-z]{2,12}\s*\/?\s*$/i, "")
    .replace(/[\s,-]+class [a-z]$| - in .+$| (a s|s a|n v)$/i, "");
  const words = plain.split(/[\s,]+/).filter((word) => word !== "");
  while (words.length > 1 && isForm(words.at(-1) ?? "")) words.pop();
  if (words.length > 1 && words[0]?.toLowerCase() === "the") words.shift();
  return words.join(" ").replace(/\.com$/i, "");
}

function isForm(word: string): boolean {
  const letters = word.toLowerCase().replace(/[^\p{L}]/gu, "");
  return !/\d/.test(word) && (letters === "" || legalForms.has(letters));
}

/** Returns a test for whether a text names the company, by name or by ticker in brackets, such as `(NYSE: GM)`. */
export function namesCompany(company: { readonly title: string; readonly ticker: string }): (text: string) => boolean {
  const words =
    brandOf(company.title)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const name = words.join("");
  const isShort = name.length <= 3;
  const isCommon = commonWords.has(name);
  const ticker = company.ticker.split(/[.-]/).map(RegExp.escape).join("[.-]");
  const listed = new RegExp(`\\((?:nyse|nasdaq)[^():]{0,20}:\\s*${ticker}\\)`, "i");
  const spellings = spellingsOf(name);
  return (text) => {
    if (listed.test(text)) return true;
    const isNamed = spellings(text).some(({ spelling, index }) => {
      if (isShort) return spelling === spelling.toUpperCase();
      if (isCommon && /^\p{Lu}\p{Ll}+$/u.test(spelling)) return isMeant(text, index, index + spelling.length);
      return !/^\p{Ll}+(?!\p{L})/u.test(spelling);
    });
    // If a title capitalizes every word, a one-word name such as Target, Visa, or Block may be an ordinary word in it.
    return isNamed && (words.length > 1 || isShort || isSentence(text));
  };
}

interface Spelling {
  readonly spelling: string;
  readonly index: number;
}

/**
 * Returns a function that finds a name even if it is split: `Exxon Mobil`, `ExxonMobil`, `Coca-Cola`, and `McDonald's`
 * for `MCDONALDS`.
 */
function spellingsOf(name: string): (text: string) => Spelling[] {
  // This expression is fast, but treats all letters except a to z as gaps, so its matches are tested exactly.
  const rough = new RegExp(`(?<![a-z\\d])${[...name].join("[^a-z\\d]{0,3}")}(?![a-z\\d])`, "gi");
  const isExact = (text: string, { spelling, index }: Spelling) =>
    spelling.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "") === name &&
    !/[\p{L}\p{N}]$/u.test(text.slice(Math.max(0, index - 2), index)) &&
    !/^[\p{L}\p{N}]/u.test(text.slice(index + spelling.length));
  return (text) => {
    // Most texts have no match. `search` finds this out faster, because `matchAll` copies the expression.
    if (name === "" || text.search(rough) < 0) return [];
    return Array.from(text.matchAll(rough), ({ 0: spelling, index }) => ({ spelling, index })).filter((found) =>
      isExact(text, found),
    );
  };
}

/** Returns whether an ordinary word means the company: a legal form follows, or nothing else explains its capital. */
function isMeant(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 50), start);
  const after = text.slice(end);
  if (/^,? (Inc|Corp|Corporation|Company|Co|Ltd|PLC|plc)\b/.test(after)) return true;
  const isPartOfName = /\p{Lu}[\p{L}\p{N}.]*[\s-]$/u.test(before) || /^[\s-]+\p{Lu}/u.test(after);
  const beginsSentence = /(^|(?<! vs?)[.!?:“"])[^\p{L}\p{N}]*$/u.test(before);
  return !isPartOfName && (!beginsSentence || /^[’']s\b/.test(after));
}

function isSentence(text: string): boolean {
  return /(?<!\p{L})\p{Ll}{5,}/u.test(text);
}

const maxMentions = 5;

export function mentionsOf(company: ListedCompany, corpus: NewsCorpus): MessageInitShape<typeof NewsMentionSchema>[] {
  const names = namesCompany(company);
  const mentions: MessageInitShape<typeof NewsMentionSchema>[] = [];
  for (const { title, summary, url, source, publishedAtMs } of corpus.items) {
    if (!names(title) && !names(summary)) continue;
    mentions.push({ title, url, source, publishedAtMs });
    if (mentions.length === maxMentions) break;
  }
  return mentions;
}
