import { commonWords } from "./common-words.ts";

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
