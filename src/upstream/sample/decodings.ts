/** A text in which escapes are what they stand for, and where each of its characters stands in the text that it is made from. */
export interface Decoded {
  readonly text: string;
  readonly sourceOf: (index: number) => { readonly start: number; readonly end: number };
}

/** One escape: what it stands for from here to there, and where it stands itself. */
interface Escape {
  readonly at: number;
  readonly until: number;
  readonly start: number;
  readonly end: number;
}

const byte = "[\\da-f]";
const later = `%[89ab]${byte}`;
const escapes = new RegExp(
  [
    `%[0-7]${byte}|%[cd]${byte}${later}|%e${byte}(?:${later}){2}|%f[0-7](?:${later}){3}`,
    `\\\\u${byte}{4}|\\\\x${byte}{2}|\\\\["'/\\\\]`,
    `&#\\d{1,7};|&#x${byte}{1,6};|&[a-z]{2,6};`,
  ].join("|"),
  "gi",
);
const entities: Readonly<Record<string, string>> = {
  ...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " ", excl: "!", num: "#", dollar: "$", percnt: "%" },
  ...{ lpar: "(", rpar: ")", ast: "*", plus: "+", comma: ",", period: ".", sol: "/", colon: ":", semi: ";" },
  ...{ equals: "=", quest: "?", commat: "@", lsqb: "[", bsol: "\\", rsqb: "]", hat: "^", lowbar: "_", grave: "`" },
  ...{ lcub: "{", verbar: "|", vert: "|", rcub: "}", lbrack: "[", rbrack: "]", lbrace: "{", rbrace: "}" },
};
/** Escaped twice is seen; three times with what wraps it. */
const maxTimes = 3;

/** The text as it is, and with the escapes of URLs, JSON and HTML taken away once and more often, as long as there are any. */
export function decodings(text: string): Decoded[] {
  const all: Decoded[] = [{ text, sourceOf: (index) => ({ start: index, end: index + 1 }) }];
  for (let last = all[0]; last && all.length <= maxTimes; ) {
    const next = decodedOnce(last);
    if (next) all.push(next);
    last = next;
  }
  return all;
}

function decodedOnce({ text, sourceOf }: Decoded): Decoded | undefined {
  const parts: string[] = [];
  const places: Escape[] = [];
  let [over, length] = [0, 0];
  for (const { 0: spelled, index } of text.matchAll(escapes)) {
    const meaning = meaningOf(spelled);
    if (meaning === undefined) continue;
    parts.push(text.slice(over, index), meaning);
    const at = length + index - over;
    length = at + meaning.length;
    over = index + spelled.length;
    places.push({ at, until: length, start: index, end: over });
  }
  if (places.length === 0) return undefined;
  const before = (index: number) => {
    const place = lastUntil(places, index);
    if (!place) return { start: index, end: index + 1 };
    if (index < place.until) return place;
    const start = place.end + index - place.until;
    return { start, end: start + 1 };
  };
  return {
    text: [...parts, text.slice(over)].join(""),
    sourceOf(index) {
      const { start, end } = before(index);
      return { start: sourceOf(start).start, end: sourceOf(end - 1).end };
    },
  };
}

/** The last escape that begins at or before this place. */
function lastUntil(places: readonly Escape[], index: number): Escape | undefined {
  let [from, to] = [0, places.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((places[middle]?.at ?? 0) <= index) from = middle + 1;
    else to = middle;
  }
  return places[from - 1];
}

function meaningOf(spelled: string): string | undefined {
  if (spelled.startsWith("%")) return percentMeaning(spelled);
  if (spelled.startsWith("\\")) {
    const code = spelled.slice(2);
    return code === "" ? spelled.slice(1) : String.fromCharCode(Number.parseInt(code, 16));
  }
  const name = spelled.slice(1, -1).toLowerCase();
  if (!name.startsWith("#")) return entities[name];
  const point = name.startsWith("#x") ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return point <= 0x10ffff ? String.fromCodePoint(point) : undefined;
}

function percentMeaning(spelled: string): string | undefined {
  try {
    return decodeURIComponent(spelled);
  } catch {
    return undefined;
  }
}
