/** Words that say what kind of company it is, and not which one. */
const legalForms = new Set(
  "inc incorporated corp corporation co company cos companies ltd limited plc llc lp llp sa nv ag se spa ab asa oyj kk holding holdings group adr ads com the and".split(
    " ",
  ),
);

/** The words a company is known by: `Apple Inc.` is `Apple`, `AMAZON COM INC` is `AMAZON`, `S&P Global Inc.` stays whole. */
export function brandOf(title: string): string {
  // `/DE/` and such name the state, ` - Class A` the shares, ` - In Receivership` the state of affairs.
  const plain = title
    .replace(/\s*\/\s*[a-z]{2,12}\s*\/?\s*$/i, "")
    .replace(/[\s,-]+class [a-z]$| - in .+$| (a s|s a|n v)$/i, "");
  const words = plain.split(/[\s,]+/).filter((word) => word !== "");
  while (words.length > 1 && isForm(words.at(-1)!)) words.pop();
  if (words.length > 1 && words[0]!.toLowerCase() === "the") words.shift();
  return words.join(" ").replace(/\.com$/i, "");
}

function isForm(word: string): boolean {
  const letters = word.toLowerCase().replace(/[^\p{L}]/gu, "");
  return !/\d/.test(word) && (letters === "" || legalForms.has(letters));
}

/** Whether a text names a company, by its own words or by its ticker in brackets, such as `(NYSE: GM)`. */
export function namesCompany(company: { readonly title: string; readonly ticker: string }): (text: string) => boolean {
  const words = wordsOf(brandOf(company.title));
  const name = words.map(({ word }) => word.toLowerCase()).join("");
  // `MCDONALDS` in the register is `McDonald's` elsewhere.
  const begin = words[0]?.word.toLowerCase().replace(/s$/, "") ?? "";
  const isShort = name.length <= 3;
  const ticker = company.ticker.split(/[.-]/).join("[.-]");
  const listed = new RegExp(`\\((?:nyse|nasdaq)[^():]{0,20}:\\s*${ticker}\\)`, "i");
  return (text) => {
    if (listed.test(text)) return true;
    if (name === "" || !text.toLowerCase().includes(begin)) return false;
    // Where every word begins with a capital, a single one may be any word: Target, Visa, Block.
    if (words.length === 1 && !isShort && !isSentence(text)) return false;
    return spellings(text, name).some((spelling) =>
      isShort ? spelling === spelling.toUpperCase() : !/^\p{Ll}/u.test(spelling),
    );
  };
}

interface Word {
  readonly word: string;
  readonly index: number;
}

function wordsOf(text: string): Word[] {
  return Array.from(text.matchAll(/[\p{L}\p{N}]+/gu), ({ 0: word, index }) => ({ word, index }));
}

const widestGap = 3;

/** Where neighbouring words make the name: `Exxon Mobil`, `ExxonMobil`, `Coca-Cola`. */
function spellings(text: string, name: string): string[] {
  const words = wordsOf(text);
  return words.flatMap(({ index }, first) => {
    let made = "";
    let end = index;
    for (const next of words.slice(first, first + name.length)) {
      if (next.index - end > widestGap) return [];
      made += next.word.toLowerCase();
      end = next.index + next.word.length;
      if (!name.startsWith(made)) return [];
      if (made === name) return [text.slice(index, end)];
    }
    return [];
  });
}

function isSentence(text: string): boolean {
  return /(?<!\p{L})\p{Ll}{5,}/u.test(text);
}
