interface Decoded {
  readonly text: string;
  readonly sourceOf: (index: number) => { readonly start: number; readonly end: number };
}

/** One escape: its range in the decoded text, and its range in the original. */
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
/** Number of decodings: a secret may be escaped twice, and once more by its container. */
const maxTimes = 3;

/** Returns the text, and each result of repeatedly resolving escapes of URLs, JSON and HTML. */
function decodings(text: string): Decoded[] {
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

/** Returns the last escape that starts at or before this index. */
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

export interface Secret {
  readonly value: string;
  readonly shown: string;
}

interface Hit {
  readonly start: number;
  readonly end: number;
  readonly shown: string;
}

/** This share of a long secret, at its start or end, counts as the whole secret. */
const partShare = 0.75;
const partFrom = 16;
/** Shorter secrets match base64 by chance. */
const base64From = 6;
const base64Letter = /[a-z\d/ =]/;

/**
 * Replaces secrets in a text in every spelling: URL, form, JSON and HTML escapes, repeated escapes, base64, other case,
 * and truncated.
 */
export function withoutSecrets(text: string, secrets: readonly Secret[]): string {
  const needles = secrets.filter(({ value }) => value !== "").map((secret) => ({ secret, ...needlesOf(secret.value) }));
  if (needles.length === 0) return text;
  const hits: Hit[] = [];
  for (const decoded of decodings(text)) {
    const folded = fold(decoded.text);
    for (const { secret, plain, base64 } of needles) {
      for (const needle of plain) hits.push(...hitsIn(folded, needle, decoded, secret.shown, 0));
      for (const needle of base64) hits.push(...hitsIn(folded, needle, decoded, secret.shown, 3));
    }
  }
  return replaced(text, hits);
}

function needlesOf(value: string): { readonly plain: readonly string[]; readonly base64: readonly string[] } {
  const bytes = Buffer.from(value);
  const places = bytes.length < base64From ? [] : [0, 1, 2];
  return {
    plain: [...new Set(decodings(value).map(({ text }) => fold(text)))],
    base64: places.map((before) => {
      const all = Buffer.concat([Buffer.alloc(before), bytes]);
      // Letters at the ends also contain bits of adjacent text.
      return fold(all.toString("base64").slice(Math.ceil((before * 8) / 6), Math.floor((all.length * 8) / 6)));
    }),
  };
}

/** Unifies spellings: letter case, space and plus, and the two base64 alphabets. The length stays the same. */
function fold(text: string): string {
  const lower = text.toLowerCase();
  const same = lower.length === text.length ? lower : text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return same.replace(/[+-]/g, " ").replaceAll("_", "/");
}

/** Finds a secret, whole or as a long prefix or suffix, with up to `adjacent` letters of base64 on either side. */
function hitsIn(folded: string, needle: string, { sourceOf }: Decoded, shown: string, adjacent: number): Hit[] {
  const min = needle.length < partFrom ? needle.length : Math.ceil(needle.length * partShare);
  const hits: Hit[] = [];
  const add = (from: number, to: number) => {
    let [start, end] = [from, to];
    while (start > from - adjacent && base64Letter.test(folded[start - 1] ?? "")) start -= 1;
    while (end < to + adjacent && base64Letter.test(folded[end] ?? "")) end += 1;
    hits.push({ start: sourceOf(start).start, end: sourceOf(end - 1).end, shown });
  };
  const head = needle.slice(0, min);
  for (let at = folded.indexOf(head); at >= 0; ) {
    let length = min;
    while (length < needle.length && folded[at + length] === needle[length]) length += 1;
    add(at, at + length);
    at = folded.indexOf(head, at + length);
  }
  if (min === needle.length) return hits;
  const tail = needle.slice(-min);
  for (let at = folded.indexOf(tail); at >= 0; at = folded.indexOf(tail, at + min)) {
    let length = min;
    while (length < needle.length && folded[at + min - length - 1] === needle[needle.length - length - 1]) length += 1;
    add(at + min - length, at + min);
  }
  return hits;
}

function replaced(text: string, hits: readonly Hit[]): string {
  const parts: string[] = [];
  let over = 0;
  for (const { start, end, shown } of [...hits].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (start >= over) parts.push(text.slice(over, start), shown);
    over = Math.max(over, end);
  }
  return [...parts, text.slice(over)].join("");
}
