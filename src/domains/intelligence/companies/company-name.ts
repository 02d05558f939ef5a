import type { MessageInitShape } from "@bufbuild/protobuf";
import type { NewsMentionSchema } from "../../../../gen/es/ids/intelligence/v1/enrichment_pb.ts";
import type { ListedCompany, NewsCorpus } from "../../../../gen/es/ids/stored/v1/company_pb.ts";

/**
 * Names of listed companies that official texts use more often as words. Names such as `Apple` and `Amazon` are
 * omitted, because headlines of these texts mostly mean the company. Names of at most three letters count only in
 * capitals.
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

/** `Apple Inc.` becomes `Apple`, `AMAZON COM INC` becomes `AMAZON`, and `S&P Global Inc.` stays unchanged. */
export function brandOf(title: string): string {
  // `/DE/` is a state, ` - Class A` a class of shares, and ` - In Receivership` a status.
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

/** Returns a test whether a text names the company, by its words or by its ticker in brackets, such as `(NYSE: GM)`. */
export function namesCompany(company: { readonly title: string; readonly ticker: string }): (text: string) => boolean {
  const words =
    brandOf(company.title)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const name = words.join("");
  const isShort = name.length <= 3;
  const isCommon = commonWords.has(name);
  const ticker = company.ticker.split(/[.-]/).join("[.-]");
  const listed = new RegExp(`\\((?:nyse|nasdaq)[^():]{0,20}:\\s*${ticker}\\)`, "i");
  const spellings = spellingsOf(name);
  return (text) => {
    if (listed.test(text)) return true;
    const isNamed = spellings(text).some(({ spelling, index }) => {
      if (isShort) return spelling === spelling.toUpperCase();
      if (isCommon && /^\p{Lu}\p{Ll}+$/u.test(spelling)) return isMeant(text, index, index + spelling.length);
      return !/^\p{Ll}+(?!\p{L})/u.test(spelling);
    });
    // In a text in title case, a single word such as Target, Visa, or Block may not mean the company.
    return isNamed && (words.length > 1 || isShort || isSentence(text));
  };
}

interface Spelling {
  readonly spelling: string;
  readonly index: number;
}

/**
 * Finds the spellings of a name across words: `Exxon Mobil`, `ExxonMobil`, `Coca-Cola`, and `McDonald's` for
 * `MCDONALDS`.
 */
function spellingsOf(name: string): (text: string) => Spelling[] {
  // For speed, the expression treats letters other than a to z as gaps. The exact test runs only on its matches.
  const rough = new RegExp(`(?<![a-z\\d])${[...name].join("[^a-z\\d]{0,3}")}(?![a-z\\d])`, "gi");
  const isExact = (text: string, { spelling, index }: Spelling) =>
    spelling.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "") === name &&
    !/[\p{L}\p{N}]$/u.test(text.slice(Math.max(0, index - 2), index)) &&
    !/^[\p{L}\p{N}]/u.test(text.slice(index + spelling.length));
  return (text) => {
    // Most texts have no match, and `matchAll` copies the expression.
    if (name === "" || text.search(rough) < 0) return [];
    return Array.from(text.matchAll(rough), ({ 0: spelling, index }) => ({ spelling, index })).filter((found) =>
      isExact(text, found),
    );
  };
}

/** Either the capital has no other reason, or there is a mark of a company. */
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
