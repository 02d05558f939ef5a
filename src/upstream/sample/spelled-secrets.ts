interface Decoded {
  readonly text: string;
  readonly sourceOf: (index: number) => { readonly start: number; readonly end: number };
}

/** An escape sequence: its range in the decoded text, and its range in the original text. */
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
/** Maximum number of decodings: a secret may be escaped twice, and its container may be escaped too. */
const maxTimes = 3;

/** Returns the text and its repeated decodings, which resolve the escapes of URLs, JSON, and HTML. */
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

/** Returns the last escape sequence that starts at or before an index of the decoded text. */
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

/** If a text contains this share of a long secret, from its start or up to its end, that part is replaced. */
const partShare = 0.75;
const partFrom = 16;
/** A shorter secret could match the base64 of other data by chance, so it is not searched in base64. */
const base64From = 6;
const base64Letter = /[a-z\d/ =]/;

/**
 * Replaces secrets in a text. It finds escapes of URLs, forms, JSON, and HTML, repeated escapes, base64, other letter
 * case, and truncated secrets.
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
      // The first and last base64 letters also encode bits of adjacent text, so they are omitted.
      return fold(all.toString("base64").slice(Math.ceil((before * 8) / 6), Math.floor((all.length * 8) / 6)));
    }),
  };
}

/** Unifies letter case, space and plus, and the base64 alphabets. The length, and thus each index, stays the same. */
function fold(text: string): string {
  const lower = text.toLowerCase();
  const same = lower.length === text.length ? lower : text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return same.replace(/[+-]/g, " ").replaceAll("_", "/");
}

/** Finds a secret or a long part of it. In base64, up to `adjacent` letters on either side belong to the hit. */
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
